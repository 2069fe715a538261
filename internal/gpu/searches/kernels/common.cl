// The common part of searches from one source. The host sets, by -D:
//
//   PROBLEM  BFS, SSSP or BC
//   GROUP    work-items of a work-group, a power of two
//   CREW     work-items of the work-group that does narrow rounds alone, a power of two
//
// A search goes in rounds. In each, arcs that leave the vertices at hand offer
// distances to their ends (along). Settling then makes the lowest offers so far
// distances. Offers and distances are two arrays, so that no launch reads what it
// writes: distances change only in settling, offers in between.
//
// A round's vertices are a list, or all that carry its number. The length of the list of
// round `at`, and the number of arcs that leave it, are one number, sizes[at]. Adding to
// both halves at once gives a vertex its place in the list and its arcs theirs among the
// list's. Rounds are counted from 0 by numbers that only grow (round), and by places in
// sizes and bases that the host reuses (at).

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL FP_CONTRACT OFF

#define NONE 0xffffffffu // no distance

#define BFS 0
#define SSSP 1
#define BC 2

// STATE is the memory of along: lengths, marks and fault with SSSP only, paths with BC.
#define STATE __global const uint *adj, __global const uint *lengths, __global const uint *dist, \
    __global uint *offers, __global uint *marks, __global ulong *paths, __global uint *fault
#define GIVEN adj, lengths, dist, offers, marks, paths, fault

#if PROBLEM == SSSP
#define AT_HAND(u) (active[u] == round)
#else
#define AT_HAND(u) (dist[u] == round)
#endif

// TAIL is the vertex that arc e leaves; with BFS along does not need it.
#if PROBLEM == BFS
#define TAIL(e) 0
#else
#define TAIL(e) origins[e]
#endif

// add adds to a float64, for which OpenCL 1.2 has no atomic operation.
void add(__global ulong *sum, const double x) {
    ulong old = 0, met; // a first guess that reads nothing
    while ((met = atom_cmpxchg(sum, old, as_ulong(as_double(old) + x))) != old)
        old = met;
}

// along goes along arc e, which leaves u, and returns whether its end is new among the
// vertices of the next round.
bool along(const uint u, const uint e, const uint round, STATE) {
    const uint v = adj[e];
#if PROBLEM == SSSP
    const uint d = dist[u], length = lengths[e];
    if (length >= NONE - d) {
        atomic_or(fault, 1u); // beyond 32 bits
        return false;
    }
    if (d + length >= dist[v] || atomic_min(&offers[v], d + length) <= d + length)
        return false;
    return atomic_xchg(&marks[v], round + 1) != round + 1;
#else
    if (dist[v] != NONE)
        return false;
#if PROBLEM == BC
    add(&paths[v], as_double(paths[u])); // the last round has added all paths to u
#endif
    return atomic_cmpxchg(&offers[v], NONE, round + 1) == NONE;
#endif
}

// SUMS is the size of the local memory of sum_before and reserve.
#define SUMS (2 * GROUP + 2)

// sum_before returns the sum of the x of the work-items before this one, and sets *all
// to that of all. It is a prefix sum within the work-group (W. D. Hillis, G. L. Steele,
// "Data parallel algorithms", CACM 29, 1986), four at a time for fewer barriers. All
// work-items call it, and need a barrier before sums is written again.
ulong sum_before(const ulong x, ulong *all, __local ulong *sums) {
    const uint i = get_local_id(0);
    __local ulong *from = sums, *to = sums + GROUP;
    ulong sum = x;
    from[i] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < GROUP; step *= 4) {
        for (uint k = 1; k < 4; k++)
            sum += i >= k * step ? from[i - k * step] : 0;
        to[i] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        __local ulong *other = from;
        from = to;
        to = other;
    }
    *all = from[GROUP - 1];
    return sum - x;
}

// reserve adds the x of all work-items to *total, with one atomic operation, and
// returns to each the sum before its own. All work-items call it.
ulong reserve(const ulong x, __global ulong *total, __local ulong *sums) {
    ulong all;
    const ulong before = sum_before(x, &all, sums);
    if (get_local_id(0) == GROUP - 1)
        sums[2 * GROUP] = all ? atom_add(total, all) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong mine = sums[2 * GROUP] + before;
    barrier(CLK_LOCAL_MEM_FENCE); // sums may be written again
    return mine;
}

// combine adds up the x of neighbouring work-items with equal u (NONE: no vertex), and
// adds each sum to sums[u] with one atomic operation. All work-items call it.
void combine(const uint u, const double x, __global ulong *sums, __local uint *owners, __local double *values) {
    const uint i = get_local_id(0);
    owners[i] = u;
    values[i] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (u != NONE && (i == 0 || owners[i - 1] != u)) {
        double sum = 0;
        for (uint j = i; j < GROUP && owners[j] == u; j++)
            sum += values[j];
        if (sum != 0)
            add(&sums[u], sum);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// fill sets words to value.
__kernel void fill(const uint words, const uint value, __global uint *out) {
    for (size_t i = get_global_id(0); i < words; i += get_global_size(0))
        out[i] = value;
}

// begin puts the source at distance 0.
__kernel void begin(const uint source, __global uint *offers, __global ulong *paths) {
    offers[source] = 0;
#if PROBLEM == BC
    paths[source] = as_ulong(1.0);
#endif
}
