// With SENDS, flows over edges are added to cells: weight, by lane, times the value that is
// added.
#ifdef SENDS
#define WEIGHT , const double *weight, __global double *cells
#define WEIGHED(cells) , weight, cells
#else
#define WEIGHT
#define WEIGHED(cells)
#endif

#ifdef AHEAD
#define APART SEATS // numbers from a team to the next
#else
#define APART LANES
#endif

#ifdef WARP
#ifdef SENDS
// send adds the sums over the lanes of four edges to their cells. Eight successive work-items
// have the sum of each.
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
#endif

#ifdef SENDS
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

// one, two and four add up the next `rest` hits of a shelf, at most as many as they are named
// for: the loads of all rows overlap.
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

// add goes through hits i..end-1 of the strip. Their sum is a piece.
void OF(add)(strip *s, const uint i, const uint end, const uint lane, __global const VALUE *values, uint *met, SUM *sum,
             SUM *lost WEIGHT) {
    __local const hit *shelf = s->shelf + i;
    uint count = end - i;
    SUM piece[WORDS];
    for (uint k = 0; k < WORDS; k++)
        piece[k] = piece_from(sum[k]);
    for (; count >= 4; count -= 4, shelf += 4)
        OF(four)(4, shelf, lane, values, met, piece WEIGHED(cells));
#ifdef SENDS
    if (count) // sending one costs as much as four
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

#ifdef AHEAD
#ifdef SENDS
#define TOGETHER (DEEP < 4 ? DEEP : 4u) // sending one costs as much as four
#else
#define TOGETHER 1u
#endif

// ahead begins to copy the row of the strip's next hit, if there is one, to the seat of the
// hit DEEP before.
void OF(ahead)(strip *s, const uint lane, __global const VALUE *values) {
    if (s->sent < s->hits) {
        const hit at = s->shelf[s->sent];
        __global const VALUE *row = row_at(values + lane, at.x, LANES * sizeof(VALUE));
        __local VALUE *seat = (__local VALUE *)s->seats + s->sent % DEEP * LANES + lane;
        uint in[WORDS];
        lanes_of(at, in);
        for (uint k = 0; k < WORDS; k++)
            copy_real(seat + k * TEAM, row + k * TEAM, in[k] & 1u << lane);
    }
    s->sent++;
    copies_end();
}

// go is add for the strip's next hits, whose rows are copied ahead.
void OF(go)(strip *s, uint i, const uint end, const uint lane, __global const VALUE *values, uint *met, SUM *sum,
             SUM *lost WEIGHT) {
    SUM piece[WORDS];
    for (uint k = 0; k < WORDS; k++)
        piece[k] = piece_from(sum[k]);
    while (i < end) {
        const uint count = min(end - i, TOGETHER);
        copies_wait(TOGETHER);
#ifdef SENDS
        double y[4] = {0, 0, 0, 0};
        uint to[4] = {0, 0, 0, 0};
#endif
        #pragma unroll
        for (uint j = 0; j < TOGETHER; j++)
            if (j < count) {
                const hit at = s->shelf[i + j];
                __local const VALUE *seat = (__local const VALUE *)s->seats + (i + j) % DEEP * LANES + lane;
                uint in[WORDS];
                lanes_of(at, in);
                for (uint k = 0; k < WORDS; k++) {
                    const VALUE x = seat[k * TEAM];
                    met[k] |= in[k];
                    piece[k] += x;
#ifdef SENDS
                    y[j] += weight[k] * x;
#endif
                }
#ifdef SENDS
                to[j] = at.w;
#endif
            }
#ifdef SENDS
        OF(send)(y, to, lane, cells);
#endif
        for (const uint next = i + count; i < next; i++)
            OF(ahead)(s, lane, values);
    }
    for (uint k = 0; k < WORDS; k++)
        gain(&sum[k], &lost[k], piece[k]);
}
#undef TOGETHER
#define ADD OF(go)
#else
#define ADD OF(add)
#endif

// pull_strips is pull for one vertex of a span, with edges first..last-1; the present strip
// serves the vertices after it too.
void OF(pull_strips)(strip *s, uint first, const uint last, const uint span_end, const uint at, const uint begins, const uint lane,
                     __global const uint *restrict adj, __global const uint *restrict masks, const uint *own,
                     __global const VALUE *values, uint *met, SUM *sum WEIGHT) {
    SUM lost[WORDS];
    for (uint k = 0; k < WORDS; k++)
        lost[k] = 0;
    while (first < last) {
        if (first >= s->end) {
            look(s, first, last, span_end, at, begins, lane, adj, masks, own);
#ifdef AHEAD
            for (uint i = 0; i < DEEP; i++)
                OF(ahead)(s, lane, values);
#endif
        }
        const uint to = min(last, s->end), before = popcount(s->active & below(first - s->begin));
        const uint inside = (~0u << (first - s->begin)) & (~0u >> (s->end - to));
        ADD(s, before, before + popcount(s->active & inside), lane, values, met, sum, lost WEIGHED(cells + s->begin));
        first = to;
    }
}
#endif

// pull adds, for every lane in need, the values of those neighbours whose mask
// has the lane, and collects these lanes in met. A team calls it together; it
// takes share `part` of `parts` of the edges first..last-1. Its strip is used under WARP.
void OF(pull)(strip *s, const uint first, const uint last, const uint part, const uint parts, const uint lane,
          __global const uint *restrict adj, __global const uint *restrict masks, const uint *need,
          __global const VALUE *values, uint *met, SUM *sum WEIGHT) {
    SUM lost[WORDS];
    for (uint k = 0; k < WORDS; k++)
        lost[k] = 0;
#ifdef WARP
    for (uint e = first + part * TEAM; e < last; e += parts * TEAM) {
        uint u = 0, m[WORDS];
        for (uint k = 0; k < WORDS; k++)
            m[k] = 0;
        if (e + lane < last) {
            u = adj[e + lane];
            bits(masks, u, m);
            for (uint k = 0; k < WORDS; k++)
                m[k] &= need[k];
        }
        lay(s, lane, u, m);
        OF(add)(s, 0, s->hits, lane, values, met, sum, lost WEIGHED(cells + e));
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

// keep stores a team's part of a vertex that the whole work-group shares; collect, after a
// barrier, adds up the parts of all teams.
void OF(keep)(const uint me, const uint lane, const uint *met, const SUM *sum, __local uint *mets, __local ulong *seats) {
    __local SUM *sums = (__local SUM *)(seats + me * APART);
    for (uint k = 0; k < WORDS; k++) {
        sums[k * TEAM + lane] = sum[k];
        if (lane == 0)
            mets[me * WORDS + k] = met[k];
    }
}

void OF(collect)(const uint lane, uint *met, SUM *sum, __local const uint *mets, __local const ulong *seats) {
    for (uint k = 0; k < WORDS; k++) {
        met[k] = 0, sum[k] = 0;
        for (uint t = 0; t < TEAMS; t++) {
            sum[k] += ((__local const SUM *)(seats + t * APART))[k * TEAM + lane];
            met[k] |= mets[t * WORDS + k];
        }
    }
}
#undef WEIGHT
#undef WEIGHED
#undef APART
#undef ADD
