// What the kernels of levels.cl do for one vertex: look at the masks of all its
// neighbours, and add up the rows of those that have lanes it needs.

#define DEEP 4u // rows that a team has on their way at a time

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

#ifdef WARP
// fetch_T reads a T that no kernel writes in the same launch, if it is wanted, and is 0 if
// not. A condition would make a branch of each of several such reads.
#define FETCH(T, bits, letter) \
    T fetch_##T(__global const T *from, const uint wanted) { \
        T x; \
        asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov." bits " %0, 0; @p ld.global." bits " %0, [%1]; }" \
            : "=" letter(x) : "l"(from), "r"(wanted)); \
        return x; \
    }
FETCH(double, "b64", "d")
FETCH(float, "b32", "f")
FETCH(uint, "b32", "r")
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

// strip is 32 edges in a row that a team has looked at: each work-item at one.
typedef struct {
    uint begin, end; // edges
    uint active;     // those whose lanes are not all 0
    uint u, m[WORDS];
} strip;

// look fills a strip from edge `first` on. A work-item finds out whose edge it
// has by owner, the low bits of the vertex number; own[] is by vertex of the
// span that begins at `from`.
void look(strip *s, const uint first, const uint last, const uint from, const uint lane,
          __global const uint *restrict adj, __global const uchar *restrict owner,
          __global const uint *restrict masks, const uint *own) {
    const uint e = first + lane;
    const uint whose = e < last ? (owner[e] - from) % TEAM : 0;
    uint need[WORDS], any = 0;
    for (uint k = 0; k < WORDS; k++) {
        need[k] = take(own[k], whose);
        s->m[k] = 0;
    }
    s->u = 0;
    if (e < last && some(need)) {
        s->u = adj[e];
        bits(masks, s->u, s->m);
        for (uint k = 0; k < WORDS; k++)
            s->m[k] &= need[k];
        any = some(s->m);
    }
    s->begin = first;
    s->end = first + TEAM;
    s->active = ballot(any);
}

#endif
