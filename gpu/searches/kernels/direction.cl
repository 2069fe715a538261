// Strategies direction and hybrid: rounds that go over the whole graph and leave a
// list, so that the next round can be another kind.

// bottom_up: a work-item per vertex without a distance looks for one of the round
// among those whose arcs lead to it. BFS only.
__kernel void bottom_up(const uint n, const uint round, const uint at, __global const uint *in_ptr,
                        __global const uint *in_adj, __global const uint *ptr, __global const uint *firsts,
                        __global const uint *dist, __global uint *offers, __global const uint *bases,
                        __global ulong *sizes, __global uint *queue, __global uint *starts) {
    __local ulong sums[GROUP + 1];
    for (size_t first = (size_t)get_group_id(0) * GROUP; first < n; first += get_global_size(0)) {
        const size_t v = first + get_local_id(0);
        bool fresh = false;
        if (v < n && dist[v] == NONE)
            for (uint e = in_ptr[v]; e < in_ptr[v + 1] && !fresh; e++)
                fresh = dist[in_adj[e]] == round;
        if (fresh)
            offers[v] = round + 1;
        append(fresh, v, n, NONE, at, ptr, firsts, bases, sizes, queue, starts, sums);
    }
}

// edge_list is edge_step (topology.cl) that makes a list of what it finds.
__kernel void edge_list(const uint n, const uint arcs, const uint round, const uint at, __global const uint *tails,
                        __global const uint *ptr, __global const uint *adj, __global const uint *firsts,
                        __global const uint *lengths, __global const uint *dist, __global const uint *active,
                        __global uint *offers, __global uint *marks, __global ulong *paths, __global uint *fault,
                        __global const uint *bases, __global ulong *sizes, __global uint *queue,
                        __global uint *starts) {
    __local ulong sums[GROUP + 1];
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
