// Strategy `level` for blocks whose vertices have few edges. A work-group takes a patch of PATCH
// vertices, and keeps the masks seen along all their edges in local memory. Then each work-item takes
// a vertex in one lane, whichever it is: a level uses few lanes of a row, and work-items of the
// others would idle.

#define PATCH 64u
#define EDGES 768u // of a patch, at most
#define SIDE 5u    // edges whose loads overlap

#ifdef WARP
#define READ_number(at, wanted) fetch_number(at, wanted)
#define READ_real(at, wanted) fetch_real(at, wanted)
#else
#define READ_number(at, wanted) ((wanted) ? *(at) : 0)
#define READ_real(at, wanted) ((wanted) ? *(at) : 0)
#endif

// patches_edges loads ends and masks of a patch's edges; a barrier must follow.
void patches_edges(const uint first, const uint count, const uint lid, __global const uint *restrict adj,
                   __global const uint *restrict masks, __local uint *ends, __local uint *sees) {
    for (uint i = lid; i < count; i += GROUP) {
        const uint u = adj[first + i];
        uint m[WORDS];
        bits(masks, u, m);
        ends[i] = u;
        for (uint k = 0; k < WORDS; k++)
            sees[i * WORDS + k] = m[k];
    }
}

// patches_list adds vertex v of the patch in the lanes of m to the list.
void patches_list(const uint v, const uint *m, __local uint *count, __local ushort *list) {
    uint lanes = 0;
    for (uint k = 0; k < WORDS; k++)
        lanes += popcount(m[k]);
    uint at = lanes ? atomic_add(count, lanes) : 0;
    for (uint k = 0; k < WORDS; k++)
        for (uint x = m[k]; x; x &= x - 1)
            list[at++] = v * LANES + k * TEAM + lowest(x);
}

// NAME(first, end, lane, ...) is the sum of neighbours' numbers over the edges that have the lane.
#define SUM_OVER(NAME, VALUE, SUM) \
    SUM NAME(const uint first, const uint end, const uint lane, __local const uint *ends, __local const uint *sees, \
             __global const VALUE *values) { \
        SUM sum = 0, lost = 0; \
        for (uint e = first; e < end;) { \
            SUM piece = piece_from(sum); \
            const uint stop = min(end, e + TEAM); \
            for (; e < stop; e += SIDE) { \
                VALUE x[SIDE]; \
                _Pragma("unroll") \
                for (uint i = 0; i < SIDE; i++) { \
                    const uint at = min(e + i, stop - 1); \
                    x[i] = READ_##VALUE(values + (size_t)ends[at] * LANES + lane, \
                                        e + i < stop && sees[at * WORDS + lane / TEAM] >> lane % TEAM & 1); \
                } \
                _Pragma("unroll") \
                for (uint i = 0; i < SIDE; i++) \
                    piece += x[i]; \
            } \
            gain(&sum, &lost, piece); \
            e = stop; \
        } \
        return sum; \
    }
SUM_OVER(patches_counts, number, total)
SUM_OVER(patches_shares, real, real)
#undef SUM_OVER

// patches_forward is levels_forward.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void patches_forward(const uint n, const uint packs, const uint level, __global const uint *restrict ptr,
                     __global const uint *restrict adj, __global const double *restrict multiplicity,
                     __global uint *frontier, __global const uint *restrict seen, __global uint *restrict reached,
                     __global number *counts, __global uint *found, __global uint *overflow) {
    __local uint begins[PATCH + 1], ends[EDGES], sees[EDGES * WORDS];
    __local ushort list[PATCH * LANES];
    __local uint count, vertices;
    const uint pack = get_group_id(1), from = get_group_id(0) * PATCH, lid = get_local_id(0);
    if (found[(size_t)level * (packs + 1) + pack] == 0)
        return;
    const size_t base = (size_t)pack * n, size = (size_t)packs * n * WORDS;
    __global uint *next = frontier + (level + 1) * size + base * WORDS;
    __global number *rows = counts + base * LANES;
    seen += base * WORDS;
    reached += base * WORDS;
    if (lid == 0)
        count = vertices = 0;
    for (uint i = lid; i <= PATCH; i += GROUP)
        begins[i] = ptr[min(from + i, n)];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = begins[0];
    patches_edges(first, begins[PATCH] - first, lid, adj, frontier + level * size + base * WORDS, ends, sees);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint mine = 0; // vertices found
    for (uint i = lid; i < PATCH && from + i < n; i += GROUP) {
        const uint v = from + i;
        uint before[WORDS], met[WORDS], open[WORDS];
        bits(seen, v, before);
        for (uint k = 0; k < WORDS; k++)
            open[k] = ~before[k], met[k] = 0;
        for (uint e = begins[i] - first; some(open) && e < begins[i + 1] - first; e++)
            for (uint k = 0; k < WORDS; k++)
                met[k] |= sees[e * WORDS + k] & open[k];
        for (uint k = 0; k < WORDS; k++) {
            next[(size_t)v * WORDS + k] = met[k];
            reached[(size_t)v * WORDS + k] = before[k] | met[k];
        }
        patches_list(i, met, &count, list);
        mine += some(met) != 0;
    }
    if (mine)
        atomic_add(&vertices, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < count; i += GROUP) {
        const uint v = list[i] / LANES, lane = list[i] % LANES;
        const double of = multiplicity[from + v];
        const total sum = patches_counts(begins[v] - first, begins[v + 1] - first, lane, ends, sees, rows);
        rows[(size_t)(from + v) * LANES + lane] = of == 1 ? times(sum, 1, overflow) : times(sum, (total)of, overflow);
    }
    if (lid == 0 && vertices) {
        atomic_add(&found[(size_t)(level + 1) * (packs + 1) + pack], vertices);
        atomic_add(&found[(size_t)(level + 1) * (packs + 1) + packs], vertices);
    }
}

// patches_backward is levels_backward.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void patches_backward(const uint n, const uint packs, const uint level, const uint last_level,
                      __global const uint *restrict ptr, __global const uint *restrict adj,
                      __global const double *restrict target_mass, __global const double *restrict multiplicity,
                      __global const uint *restrict frontier, __global const number *counts, __global real *paths,
                      __global real *shares, __global const uint *restrict found) {
    __local uint begins[PATCH + 1], ends[EDGES], sees[EDGES * WORDS];
    __local ushort list[PATCH * LANES];
    __local uint count;
    const uint pack = get_group_id(1), from = get_group_id(0) * PATCH, lid = get_local_id(0);
    if (found[(size_t)last_level * (packs + 1) + packs] != 0 || found[(size_t)level * (packs + 1) + pack] == 0)
        return;
    const bool deeper = found[(size_t)(level + 1) * (packs + 1) + pack] != 0;
    const size_t base = (size_t)pack * n, size = (size_t)packs * n * WORDS;
    __global const uint *here = frontier + level * size + base * WORDS;
    if (lid == 0)
        count = 0;
    for (uint i = lid; i <= PATCH; i += GROUP)
        begins[i] = ptr[min(from + i, n)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < PATCH && from + i < n; i += GROUP) {
        uint have[WORDS];
        bits(here, from + i, have);
        patches_list(i, have, &count, list);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = begins[0];
    patches_edges(first, count && deeper ? begins[PATCH] - first : 0, lid, adj, frontier + (level + 1) * size + base * WORDS, ends, sees);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < count; i += GROUP) {
        const uint v = list[i] / LANES, lane = list[i] % LANES;
        const size_t at = (base + from + v) * LANES + lane;
        const number count_of = READ_number(counts + at, 1);
        const real mass = target_mass[from + v] SHARE, of = multiplicity[from + v];
        const real sum = patches_shares(begins[v] - first, deeper ? begins[v + 1] - first : 0, lane, ends, sees, shares + base * LANES);
        const real s = count_of, d = s * sum;
        shares[at] = (mass + d) * of / s;
        paths[at] = d;
    }
    barrier(CLK_LOCAL_MEM_FENCE); // PoCL 3.1 may run a loop that ends the kernel twice
}
