// With SENDS, what goes over the edges is added to cells: weight, by lane, times what is added.
#ifdef SENDS
#define WEIGHT , const double *weight, __global double *cells
#define WEIGHED(cells) , weight, cells
#else
#define WEIGHT
#define WEIGHED(cells)
#endif

#ifdef WARP
// add goes through those of 32 edges that are in active, DEEP rows at a time:
// the work-item of edge i holds its end u and its lanes m. Their sum is a piece.
void OF(add)(uint active, const uint u, const uint *m, const uint lane, __global const VALUE *values, uint *met, SUM *sum,
         SUM *lost WEIGHT) {
    SUM piece[WORDS];
    for (uint k = 0; k < WORDS; k++)
        piece[k] = piece_from(sum[k]);
    while (active) {
        uint edges[DEEP], from[DEEP], in[DEEP][WORDS];
        VALUE x[DEEP][WORDS];
        #pragma unroll
        for (uint i = 0; i < DEEP; i++) {
            const uint edge = lowest(active) & 31u;
            edges[i] = edge;
            from[i] = take(u, edge);
            #pragma unroll
            for (uint k = 0; k < WORDS; k++) {
                const uint mask = take(m[k], edge);
                in[i][k] = active ? mask : 0;
                met[k] |= in[i][k];
            }
            active &= active - 1;
        }
        #pragma unroll
        for (uint i = 0; i < DEEP; i++)
            #pragma unroll
            for (uint k = 0; k < WORDS; k++)
                x[i][k] = FETCH_VALUE((__global const VALUE *)row_at(values + lane, from[i], LANES * sizeof(VALUE)) + k * TEAM, in[i][k] & 1u << lane);
        #pragma unroll
        for (uint i = 0; i < DEEP; i++)
            #pragma unroll
            for (uint k = 0; k < WORDS; k++)
                piece[k] += x[i][k];
#ifdef SENDS
        // Eight work-items that follow each other have the sum of each edge: DEEP is 4.
        double y[DEEP];
        #pragma unroll
        for (uint i = 0; i < DEEP; i++) {
            y[i] = 0;
            #pragma unroll
            for (uint k = 0; k < WORDS; k++)
                y[i] += weight[k] * x[i][k];
        }
        y[0] = halve(y[0], y[2], lane, 16);
        y[1] = halve(y[1], y[3], lane, 16);
        y[0] = halve(y[0], y[1], lane, 8);
        for (uint bit = 4; bit; bit /= 2)
            y[0] += other(y[0], lane ^ bit);
        const uint mine = lane & 16 ? (lane & 8 ? edges[3] : edges[2]) : lane & 8 ? edges[1] : edges[0];
        if (lane % 8 == 0 && y[0] > 0)
            add_to(cells + mine, y[0]);
#endif
    }
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
        OF(add)(s->active & inside, s->u, s->m, lane, values, met, sum, lost WEIGHED(cells + s->begin));
        first = to;
    }
}
#endif

// pull adds, for every lane in need, the values of those neighbours whose mask
// has the lane, and collects these lanes in met. A team calls it together; it
// takes share `part` of `parts` of the edges first..last-1.
void OF(pull)(const uint first, const uint last, const uint part, const uint parts, const uint lane,
          __global const uint *restrict adj, __global const uint *restrict masks, const uint *need,
          __global const VALUE *values, uint *met, SUM *sum WEIGHT) {
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
        OF(add)(ballot(any), u, m, lane, values, met, sum, lost WEIGHED(cells + e));
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
