// The work of levels.cl for one vertex: read the masks of all its neighbours, and add up the rows that
// have lanes it needs.

// bits reads the mask of vertex v.
void bits(__global const uint *restrict masks, const uint v, uint *m) {
#if WORDS == 1
    m[0] = masks[v];
#elif WORDS == 2
    const uint2 x = ((__global const uint2 *)masks)[v];
    m[0] = x.x, m[1] = x.y;
#else
#error WORDS must be 1 or 2
#endif
}

uint some(const uint *m) {
    uint all = m[0];
    for (uint k = 1; k < WORDS; k++)
        all |= m[k];
    return all;
}

// A shelf is local memory for the hits of a team under WARP: the edges, of up to 32, that have lanes it
// needs. A hit has the edge's end, these lanes, and which edge it is. All work-items read it there at
// once; otherwise one would tell the others, a word at a time. Rows of the ends may be copied to seats in
// local memory, in the order of the shelf and DEEP rows ahead of the sum.
typedef uint4 hit;

#ifdef WARP
#define SHELF TEAM // hits
#if GROUP <= 256
#define DEEP 8u
#elif GROUP <= 512
#define DEEP 2u
#else
#define DEEP 1u
#endif

#ifdef COPIES
// copy_T begins to copy a T, or a 0, to local memory. copies_end ends a group that counts as one copy;
// copies_wait waits until at most the last DEEP - `less` of them are on their way.
#define COPY(T, bytes) \
    void copy_##T(__local T *to, __global const T *from, const uint wanted) { \
        asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ", %2;" \
            :: "r"((uint)(size_t)to), "l"((ulong)from), "r"(wanted ? bytes : 0) : "memory"); \
    }
void copies_end(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }
#define copies_wait(less) asm volatile("cp.async.wait_group %0;" :: "n"(DEEP > (less) ? DEEP - (less) : 0) : "memory")
COPY(double, 8)
COPY(float, 4)
#undef COPY
#define COPY_OF(T) COPY_AS(T)
#define COPY_AS(T) copy_##T
#define copy_real COPY_OF(REAL)
#endif

// below is the bits of the work-items before i.
uint below(const uint i) { return (1u << i) - 1; }

// lanes_of are a hit's lanes.
void lanes_of(const hit at, uint *m) {
    m[0] = at.y;
#if WORDS == 2
    m[1] = at.z;
#endif
}

// strip is 32 successive edges that a team has looked at, one by each work-item.
typedef struct {
    uint begin, end;          // edges
    uint active;              // edges whose lanes are not all 0
    uint hits, sent;          // their number, and how many of their rows are copied or being copied
    uint after, next;         // where the following strip would begin, and the work-item's end there
    __local hit *shelf;
    __local ulong *seats;
} strip;

// lay puts the hits of work-items with some lane on the shelf, one after the other.
void lay(strip *s, const uint lane, const uint u, const uint *m) {
    hit x = (hit)(u, m[0], 0, lane);
#if WORDS == 2
    x.z = m[1];
#endif
    s->active = ballot(some(m));
    in_step();
    if (s->active >> lane & 1)
        s->shelf[popcount(s->active & below(lane))] = x;
    in_step();
    s->hits = popcount(s->active);
    s->sent = 0;
}

// look fills a strip from edge `first` on, of vertex `at` of a span, whose edges end at `until`. Each
// work-item has one vertex of the span: where its edges begin, NONE beyond the span, and its mask. If the
// strip has edges of several vertices, an edge belongs to the last of them that does not begin later. The
// next strip's edges are read before they are needed.
void look(strip *s, const uint first, const uint until, const uint last, const uint at, const uint begins, const uint lane,
          __global const uint *restrict adj, __global const uint *restrict masks, const uint *own) {
    const uint e = first + lane;
    const uint u = first == s->after ? s->next : fetch_uint(adj + e, e < last);
    s->begin = first;
    s->end = s->after = first + TEAM;
    s->next = fetch_uint(adj + e + TEAM, e + TEAM < last);
    uint whose = at;
    if (until < first + TEAM) {
        whose = 0;
        #pragma unroll
        for (uint step = TEAM / 2; step; step /= 2)
            if (take(begins, whose + step) <= e)
                whose += step;
    }
    uint m[WORDS], need[WORDS];
    for (uint k = 0; k < WORDS; k++) {
        need[k] = take(own[k], whose);
        m[k] = 0;
    }
    if (e < last && some(need)) {
        bits(masks, u, m);
        for (uint k = 0; k < WORDS; k++)
            m[k] &= need[k];
    }
    lay(s, lane, u, m);
}

// start is a strip without edges.
strip start(__local hit *shelf, __local ulong *seats) {
    strip s;
    s.end = 0;
    s.after = NONE;
    s.shelf = shelf;
    s.seats = seats;
    return s;
}
#else
#define SHELF 1u
typedef uint strip; // there is none
#define start(shelf, seats) 0
#endif

// SEATS is how many numbers a team has seats for. Seats hold rows of shares, and the team's part of a
// vertex that the whole work-group shares.
#ifdef COPIES
#define SEATS (DEEP * LANES)
#else
#define SEATS LANES
#endif
