// Strategy arcs: the frontier is a list of arcs. Whoever finds a vertex puts its arcs
// into the next list, for which a work-group reserves room at once (work-chunking).
__kernel void arcs_step(const uint n, const uint round, const uint at, __global const uint *list,
                        __global const uint *origins, __global const uint *ptr, __global const uint *adj,
                        __global const uint *firsts, __global const uint *lengths, __global const uint *dist,
                        __global uint *offers, __global uint *marks, __global ulong *paths, __global uint *fault,
                        __global const uint *bases, __global ulong *sizes, __global uint *queue,
                        __global uint *starts, __global uint *next) {
    __local ulong sums[SUMS];
    const uint arcs = (uint)sizes[at];
    for (size_t first = (size_t)get_group_id(0) * GROUP; first < arcs; first += get_global_size(0)) {
        const size_t i = first + get_local_id(0);
        bool fresh = false;
        uint v = 0;
        if (i < arcs) {
            const uint e = list[i];
            v = adj[e];
            fresh = along(TAIL(e), e, round, GIVEN);
        }
        uint to = append(fresh, v, n, NONE, at, ptr, firsts, bases, sizes, queue, starts, sums);
        if (fresh)
            for (uint e = ptr[v]; e < ptr[v + 1]; e++)
                next[to++] = e;
    }
}
