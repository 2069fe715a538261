// Strategy hybrid: rounds that scan all arcs and leave a list, so that the next round
// can be of another kind.

// edge_list is edge_step (topology.cl), but makes a list of the vertices it finds.
__kernel void edge_list(const uint n, const uint arcs, const uint round, const uint at, __global const uint *tails,
                        __global const uint *ptr, __global const uint *adj, __global const uint *firsts,
                        __global const uint *lengths, __global const uint *dist, __global const uint *active,
                        __global uint *offers, __global uint *marks, __global ulong *paths, __global uint *fault,
                        __global const uint *bases, __global ulong *sizes, __global uint *queue,
                        __global uint *starts) {
    __local ulong sums[SUMS];
    for (size_t first = (size_t)get_group_id(0) * GROUP; first < arcs; first += get_global_size(0)) {
        const size_t e = first + get_local_id(0);
        bool fresh = false;
        uint v = 0;
        if (e < arcs && AT_HAND(tails[e])) {
            v = adj[e];
            fresh = along(tails[e], e, round, GIVEN);
        }
        append(fresh, v, n, NONE, at, ptr, firsts, bases, sizes, queue, starts, sums);
    }
}
