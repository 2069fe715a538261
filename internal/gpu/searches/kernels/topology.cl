// Strategies vertex and edge: every round scans the whole graph.

// settle_all makes distances of offers.
__kernel void settle_all(const uint n, const uint round, __global const uint *offers, __global uint *dist,
                         __global uint *active) {
    for (size_t v = get_global_id(0); v < n; v += get_global_size(0)) {
        const uint offer = offers[v];
        if (offer < dist[v]) {
            dist[v] = offer;
#if PROBLEM == SSSP
            active[v] = round;
#endif
        }
    }
}

// vertex_step: a work-item per vertex goes along its arcs if it is at hand.
__kernel void vertex_step(const uint n, const uint round, const uint at, __global const uint *ptr,
                          __global const uint *adj, __global const uint *lengths, __global const uint *dist,
                          __global const uint *active, __global uint *offers, __global uint *marks,
                          __global ulong *paths, __global uint *fault, __global ulong *sizes) {
    __local ulong sums[SUMS];
    ulong found = 0;
    for (size_t v = get_global_id(0); v < n; v += get_global_size(0))
        if (AT_HAND(v))
            for (uint e = ptr[v]; e < ptr[v + 1]; e++)
                found += along(v, e, round, GIVEN);
    reserve(found << 32, &sizes[at + 1], sums);
}

// edge_step: a work-item per arc goes along it if the vertex that it leaves is at
// hand.
__kernel void edge_step(const uint arcs, const uint round, const uint at, __global const uint *tails,
                        __global const uint *adj, __global const uint *lengths, __global const uint *dist,
                        __global const uint *active, __global uint *offers, __global uint *marks,
                        __global ulong *paths, __global uint *fault, __global ulong *sizes) {
    __local ulong sums[SUMS];
    ulong found = 0;
    for (size_t e = get_global_id(0); e < arcs; e += get_global_size(0))
        if (AT_HAND(tails[e]))
            found += along(tails[e], e, round, GIVEN);
    reserve(found << 32, &sizes[at + 1], sums);
}

// vertex_back adds up, for every vertex of a level, the shares of its successors.
__kernel void vertex_back(const uint n, const uint level, __global const uint *ptr, __global const uint *adj,
                          __global const uint *dist, __global const double *shares, __global double *sums) {
    for (size_t v = get_global_id(0); v < n; v += get_global_size(0)) {
        if (dist[v] != level)
            continue;
        double sum = 0;
        for (uint e = ptr[v]; e < ptr[v + 1]; e++)
            if (dist[adj[e]] == level + 1)
                sum += shares[adj[e]];
        sums[v] = sum;
    }
}

// edge_back is vertex_back with a work-item per arc.
__kernel void edge_back(const uint arcs, const uint level, __global const uint *tails, __global const uint *adj,
                        __global const uint *dist, __global const double *shares, __global ulong *sums) {
    __local uint owners[GROUP];
    __local double values[GROUP];
    for (size_t first = (size_t)get_group_id(0) * GROUP; first < arcs; first += get_global_size(0)) {
        const size_t e = first + get_local_id(0);
        uint u = NONE;
        double x = 0;
        if (e < arcs && dist[tails[e]] == level && dist[adj[e]] == level + 1) {
            u = tails[e];
            x = shares[adj[e]];
        }
        combine(u, x, sums, owners, values);
    }
}

// close_all makes dependencies of the sums of a level: paths * sum. It also computes
// the share that each path to the vertex passes back.
__kernel void close_all(const uint n, const uint level, __global const uint *dist, __global const double *paths,
                        __global double *sums, __global double *shares) {
    for (size_t v = get_global_id(0); v < n; v += get_global_size(0))
        if (dist[v] == level) {
            const double dependency = paths[v] * sums[v];
            sums[v] = dependency;
            shares[v] = (1 + dependency) / paths[v];
        }
}
