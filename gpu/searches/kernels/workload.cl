// Strategy workload: the arcs that leave the list are cut into equal shares, one per
// work-group; a work-item finds by bisection whose arc it has.

// owner is the last of count entries whose arcs begin at or before arc i.
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

// share is the end of a work-group's part of arcs, at least one for each work-item;
// *first is where it begins.
size_t share(const uint arcs, size_t *first) {
    const size_t each = max(((size_t)arcs + get_num_groups(0) - 1) / get_num_groups(0), (size_t)GROUP);
    *first = min(each * get_group_id(0), (size_t)arcs);
    return min(*first + each, (size_t)arcs);
}

// workload_step goes along the arcs of a list of vertices, but for the first `skip`
// of each: as many vertices and arcs as counts[which] says, from places[which] on.
__kernel void workload_step(const uint n, const uint round, const uint at, const uint which, const uint skip,
                            __global const uint *entries, __global const uint *begins, __global const uint *places,
                            __global const ulong *counts, __global const uint *ptr, __global const uint *adj,
                            __global const uint *firsts, __global const uint *lengths, __global const uint *dist,
                            __global uint *offers, __global uint *marks, __global ulong *paths, __global uint *fault,
                            __global const uint *bases, __global ulong *sizes, __global uint *queue,
                            __global uint *starts) {
    __local ulong sums[GROUP + 1];
    const uint from = places[which], count = counts[which] >> 32;
    size_t first;
    const size_t end = share((uint)counts[which], &first);
    for (; first < end; first += GROUP) {
        const size_t i = first + get_local_id(0);
        bool fresh = false;
        uint v = 0;
        if (i < end) {
            const uint j = from + owner(i, begins + from, count), u = entries[j];
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
    size_t first;
    const size_t end = share(arcs, &first);
    for (; first < end; first += GROUP) {
        const size_t i = first + get_local_id(0);
        uint u = NONE;
        double x = 0;
        if (i < end) {
            const uint j = from + owner(i, begins + from, count);
            const uint v = adj[ptr[entries[j]] + skip + ((uint)i - begins[j])];
            if (dist[v] == level + 1) {
                u = entries[j];
                x = shares[v];
            }
        }
        combine(u, x, sums, owners, values);
    }
}
