// With SENDS, what goes over the edges is added to cells: weight, by lane, times what is added.
#ifdef SENDS
#define WEIGHT , const double *weight, __global double *cells
#define WEIGHED(cells) , weight, cells
#else
#define WEIGHT
#define WEIGHED(cells)
#endif

#ifdef WARP
#ifdef SENDS
// send adds four edges' sums over the lanes to their cells. Eight work-items that follow each
// other have the sum of each.
void OF(send)(double *y, const uint *to, const uint lane, __global double *cells) {
    y[0] = halve(y[0], y[2], lane, 16);
    y[1] = halve(y[1], y[3], lane, 16);
    y[0] = halve(y[0], y[1], lane, 8);
    for (uint bit = 4; bit; bit /= 2)
        y[0] += other(y[0], lane ^ bit);
    const uint mine = lane & 16 ? (lane & 8 ? to[3] : to[2]) : lane & 8 ? to[1] : to[0];
    if (lane % 8 == 0 && y[0] > 0)
        add_to(cells + mine, y[0]);
}
#define SEND(COUNT) \
        double y[4] = {0, 0, 0, 0}; \
        uint to[4] = {0, 0, 0, 0}; \
        _Pragma("unroll") \
        for (uint i = 0; i < COUNT; i++) { \
            to[i] = shelf[i < rest ? i : 0].w; \
            _Pragma("unroll") \
            for (uint k = 0; k < WORDS; k++) \
                y[i] += weight[k] * x[i][k]; \
        } \
        OF(send)(y, to, lane, cells);
#else
#define SEND(COUNT)
#endif

// one, two and four add up the next `rest` hits of a shelf, at most as many: all their rows
// are on their way at once.
#define SEVERAL(NAME, COUNT) \
    void OF(NAME)(const uint rest, __local const hit *shelf, const uint lane, __global const VALUE *values, uint *met, \
                  SUM *piece WEIGHT) { \
        uint in[COUNT][WORDS]; \
        VALUE x[COUNT][WORDS]; \
        _Pragma("unroll") \
        for (uint i = 0; i < COUNT; i++) { \
            const hit at = shelf[i < rest ? i : 0]; \
            __global const VALUE *row = row_at(values + lane, at.x, LANES * sizeof(VALUE)); \
            lanes_of(at, in[i]); \
            _Pragma("unroll") \
            for (uint k = 0; k < WORDS; k++) { \
                in[i][k] = i < rest ? in[i][k] : 0; \
                x[i][k] = FETCH_VALUE(row + k * TEAM, in[i][k] & 1u << lane); \
            } \
        } \
        _Pragma("unroll") \
        for (uint i = 0; i < COUNT; i++) \
            _Pragma("unroll") \
            for (uint k = 0; k < WORDS; k++) { \
                met[k] |= in[i][k]; \
                piece[k] += x[i][k]; \
            } \
        SEND(COUNT) \
    }
SEVERAL(one, 1)
SEVERAL(two, 2)
SEVERAL(four, 4)
#undef SEVERAL
#undef SEND

// add goes through so many hits of a shelf. Their sum is a piece.
void OF(add)(uint count, __local const hit *shelf, const uint lane, __global const VALUE *values, uint *met, SUM *sum,
         SUM *lost WEIGHT) {
    SUM piece[WORDS];
    for (uint k = 0; k < WORDS; k++)
        piece[k] = piece_from(sum[k]);
    for (; count >= 4; count -= 4, shelf += 4)
        OF(four)(4, shelf, lane, values, met, piece WEIGHED(cells));
#ifdef SENDS
    if (count) // to send one is as dear as four
        OF(four)(count, shelf, lane, values, met, piece WEIGHED(cells));
#else
    if (count & 2) {
        OF(two)(2, shelf, lane, values, met, piece);
        shelf += 2;
    }
    if (count & 1)
        OF(one)(1, shelf, lane, values, met, piece);
#endif
    for (uint k = 0; k < WORDS; k++)
        gain(&sum[k], &lost[k], piece[k]);
}

// pull_strips is pull for one vertex of a span, with edges first..last-1; the
// strip at hand serves the vertices after it too.
void OF(pull_strips)(strip *s, uint first, const uint last, const uint span_end, const uint from, const uint lane,
                 __global const uint *restrict adj, __global const uchar *restrict owner,
                 __global const uint *restrict masks, const uint *own, __global const VALUE *values,
                 uint *met, SUM *sum WEIGHT) {
    SUM lost[WORDS];
    for (uint k = 0; k < WORDS; k++)
        lost[k] = 0;
    while (first < last) {
        if (first >= s->end)
            look(s, first, span_end, from, lane, adj, owner, masks, own);
        const uint to = min(last, s->end);
        const uint inside = (~0u << (first - s->begin)) & (~0u >> (s->end - to));
        OF(add)(popcount(s->active & inside), s->shelf + popcount(s->active & below(first - s->begin)), lane, values, met, sum,
                lost WEIGHED(cells + s->begin));
        first = to;
    }
}
#endif

// pull adds, for every lane in need, the values of those neighbours whose mask
// has the lane, and collects these lanes in met. A team calls it together; it
// takes share `part` of `parts` of the edges first..last-1. Its shelf is used under WARP.
void OF(pull)(const uint first, const uint last, const uint part, const uint parts, const uint lane,
          __global const uint *restrict adj, __global const uint *restrict masks, const uint *need,
          __global const VALUE *values, __local hit *shelf, uint *met, SUM *sum WEIGHT) {
    SUM lost[WORDS];
    for (uint k = 0; k < WORDS; k++)
        lost[k] = 0;
#ifdef WARP
    for (uint e = first + part * TEAM; e < last; e += parts * TEAM) {
        uint u = 0, m[WORDS], any = 0;
        for (uint k = 0; k < WORDS; k++)
            m[k] = 0;
        if (e + lane < last) {
            u = adj[e + lane];
            bits(masks, u, m);
            for (uint k = 0; k < WORDS; k++)
                m[k] &= need[k];
            any = some(m);
        }
        const uint active = ballot(any);
        lay(shelf, active, lane, u, m);
        OF(add)(popcount(active), shelf, lane, values, met, sum, lost WEIGHED(cells + e));
    }
#else
    for (uint e = first + part; e < last;) {
        SUM piece[WORDS];
        for (uint k = 0; k < WORDS; k++)
            piece[k] = piece_from(sum[k]);
        for (uint i = 0; i < TEAM && e < last; i++, e += parts) {
            const uint u = adj[e];
            uint m[WORDS];
            bits(masks, u, m);
            for (uint k = 0; k < WORDS; k++) {
                m[k] &= need[k];
                met[k] |= m[k];
                if (m[k] >> lane & 1)
                    piece[k] += values[(size_t)u * LANES + k * TEAM + lane];
            }
        }
        for (uint k = 0; k < WORDS; k++)
            gain(&sum[k], &lost[k], piece[k]);
    }
#endif
}

// keep stores what a team has pulled of a vertex that the whole work-group
// shares; collect, after a barrier, adds up what all teams have.
void OF(keep)(const uint me, const uint lane, const uint *met, const SUM *sum, __local uint *mets, __local SUM *sums) {
    for (uint k = 0; k < WORDS; k++) {
        sums[(me * WORDS + k) * TEAM + lane] = sum[k];
        if (lane == 0)
            mets[me * WORDS + k] = met[k];
    }
}

void OF(collect)(const uint lane, uint *met, SUM *sum, __local const uint *mets, __local const SUM *sums) {
    for (uint k = 0; k < WORDS; k++) {
        met[k] = 0, sum[k] = 0;
        for (uint t = 0; t < TEAMS; t++) {
            sum[k] += sums[(t * WORDS + k) * TEAM + lane];
            met[k] |= mets[t * WORDS + k];
        }
    }
}
#undef WEIGHT
#undef WEIGHED
