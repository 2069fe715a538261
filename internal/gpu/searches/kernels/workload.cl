// Strategy workload: the arcs that leave the list are cut into equal shares, one per
// work-group. A work-item finds the vertex of its arc by bisection.

// owner returns the last of count entries whose arcs begin at or before arc i.
uint owner(const uint i, __global const uint *begins, const uint count) {
    uint low = 0, high = count;
    while (high - low > 1) {
        const uint middle = low + (high - low) / 2;
        if (begins[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// owner_of is owner for the consecutive arcs of a work-group. The first arc belongs to
// entry *low or a later one; *low becomes the last one's entry. It keeps the begins of
// the next entries in local memory, window, of GROUP + 1. All work-items call it.
uint owner_of(const uint i, __global const uint *begins, const uint count, uint *low, __local uint *window) {
    const uint me = get_local_id(0), from = *low;
    window[me] = me < count - from ? begins[from + me] : NONE;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint first = 0;
    if (window[GROUP - 1] <= i) // some entries have no arcs
        first = GROUP - 1 + owner(i, begins + from + GROUP - 1, count - from - (GROUP - 1));
    else
        for (uint step = GROUP / 2; step > 0; step /= 2)
            first += window[first + step] <= i ? step : 0;
    if (me == GROUP - 1)
        window[GROUP] = from + first;
    barrier(CLK_LOCAL_MEM_FENCE);
    *low = window[GROUP];
    return from + first;
}

// share returns the end of a work-group's part of arcs, at least one for each work-item;
// *first is its beginning.
size_t share(const uint arcs, size_t *first) {
    const size_t each = max(((size_t)arcs + get_num_groups(0) - 1) / get_num_groups(0), (size_t)GROUP);
    *first = min(each * get_group_id(0), (size_t)arcs);
    return min(*first + each, (size_t)arcs);
}

// workload_step goes along the arcs of a list of vertices, except the first `skip` of
// each: as many vertices and arcs as in counts[which], from places[which] on.
__kernel void workload_step(const uint n, const uint round, const uint at, const uint which, const uint skip,
                            __global const uint *entries, __global const uint *begins, __global const uint *places,
                            __global const ulong *counts, __global const uint *ptr, __global const uint *adj,
                            __global const uint *firsts, __global const uint *lengths, __global const uint *dist,
                            __global uint *offers, __global uint *marks, __global ulong *paths, __global uint *fault,
                            __global const uint *bases, __global ulong *sizes, __global uint *queue,
                            __global uint *starts) {
    __local ulong sums[SUMS];
    const uint from = places[which], count = counts[which] >> 32;
    __local uint window[GROUP + 1];
    size_t first;
    const size_t end = share((uint)counts[which], &first);
    uint low = first < end ? owner(first, begins + from, count) : 0;
    for (; first < end; first += GROUP) {
        const size_t i = first + get_local_id(0);
        const uint j = from + owner_of(min(i, end - 1), begins + from, count, &low, window);
        bool fresh = false;
        uint v = 0;
        if (i < end) {
            const uint u = entries[j];
            const uint e = ptr[u] + skip + ((uint)i - begins[j]);
            v = adj[e];
            fresh = along(u, e, round, GIVEN);
        }
        append(fresh, v, n, NONE, at, ptr, firsts, bases, sizes, queue, starts, sums);
    }
}

// workload_back adds up the shares of the successors of a list of vertices.
__kernel void workload_back(const uint level, const uint from, const uint count, const uint arcs, const uint skip,
                            __global const uint *entries, __global const uint *begins, __global const uint *ptr,
                            __global const uint *adj, __global const uint *dist, __global const double *shares,
                            __global ulong *sums) {
    __local uint owners[GROUP];
    __local double values[GROUP];
    __local uint window[GROUP + 1];
    size_t first;
    const size_t end = share(arcs, &first);
    uint low = first < end ? owner(first, begins + from, count) : 0;
    for (; first < end; first += GROUP) {
        const size_t i = first + get_local_id(0);
        const uint j = from + owner_of(min(i, end - 1), begins + from, count, &low, window);
        uint u = NONE;
        double x = 0;
        if (i < end) {
            const uint v = adj[ptr[entries[j]] + skip + ((uint)i - begins[j])];
            if (dist[v] == level + 1) {
                u = entries[j];
                x = shares[v];
            }
        }
        combine(u, x, sums, owners, values);
    }
}
