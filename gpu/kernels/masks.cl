// What the kernels of levels.cl do for one vertex: look at the masks of all its
// neighbours, and add up the rows of those that have lanes it needs.

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

// A shelf is local memory in which a team under WARP lays out what it has found along up to
// 32 edges that have lanes it needs: their ends, these lanes, and which edges they are. All read there at once
// what one work-item would otherwise have to tell the others, a word at a time.
typedef uint4 hit;

#ifdef WARP
#define SHELF TEAM // hits

// fetch_T reads a T that no kernel writes in the same launch, if it is wanted, and is 0 if
// not. A condition would make a branch of each of several such reads.
#define FETCH(T, type, zero, letter) \
    T fetch_##T(__global const T *from, const uint wanted) { \
        T x; \
        asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov." type " %0, " zero "; @p ld.global." type " %0, [%1]; }" \
            : "=" letter(x) : "l"((ulong)from), "r"(wanted)); \
        return x; \
    }
FETCH(double, "f64", "0d0000000000000000", "d")
FETCH(float, "f32", "0f00000000", "f")
FETCH(uint, "u32", "0", "r")
#undef FETCH
#define FETCH_OF(T) FETCH_AS(T)
#define FETCH_AS(T) fetch_##T
#define fetch_real FETCH_OF(REAL)
#ifdef COUNTS32
#define fetch_number fetch_uint
#else
#define fetch_number fetch_real
#endif

// row_at is a vertex's row of so many bytes, from where vertex 0 has it.
#define row_at(first, u, bytes) ((__global void *)((__global char *)(first) + (ulong)(u) * (uint)(bytes)))

// below is the bits of work-items before one.
uint below(const uint i) { return (1u << i) - 1; }

// in_step has 32 work-items see what each of them has written to local memory.
void in_step(void) { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

// lay has those in active put their hit there, one after the other.
void lay(__local hit *shelf, const uint active, const uint lane, const uint u, const uint *m) {
    hit x = (hit)(u, m[0], 0, lane);
#if WORDS == 2
    x.z = m[1];
#endif
    in_step();
    if (active >> lane & 1)
        shelf[popcount(active & below(lane))] = x;
    in_step();
}

// lanes_of are a hit's lanes.
void lanes_of(const hit at, uint *m) {
    m[0] = at.y;
#if WORDS == 2
    m[1] = at.z;
#endif
}

// strip is 32 edges in a row that a team has looked at: each work-item at one.
typedef struct {
    uint begin, end; // edges
    uint active;     // those whose lanes are not all 0
    __local hit *shelf;
} strip;

// look fills a strip from edge `first` on. A work-item finds out whose edge it
// has by owner, the low bits of the vertex number; own[] is by vertex of the
// span that begins at `from`.
void look(strip *s, const uint first, const uint last, const uint from, const uint lane,
          __global const uint *restrict adj, __global const uchar *restrict owner,
          __global const uint *restrict masks, const uint *own) {
    const uint e = first + lane;
    const uint whose = e < last ? (owner[e] - from) % TEAM : 0;
    uint need[WORDS], m[WORDS], u = 0, any = 0;
    for (uint k = 0; k < WORDS; k++) {
        need[k] = take(own[k], whose);
        m[k] = 0;
    }
    if (e < last && some(need)) {
        u = adj[e];
        bits(masks, u, m);
        for (uint k = 0; k < WORDS; k++)
            m[k] &= need[k];
        any = some(m);
    }
    s->begin = first;
    s->end = first + TEAM;
    s->active = ballot(any);
    lay(s->shelf, s->active, lane, u, m);
}
#else
#define SHELF 1u
#endif
