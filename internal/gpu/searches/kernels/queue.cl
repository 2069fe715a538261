// Strategies with a list of the vertices at hand, one level of the search after
// another: their common part, and strategies queue and split.
//
// An entry below n is a vertex. Entry n+i is virtual vertex i, a part of vertex map[i]
// that has more than `most` arcs: every k-th from off[i] on, k being the vertex's number
// of parts (see csr.Stride). The first part of vertex v is firsts[v].

uint ways_of(const uint degree, const uint most) { return degree > most ? (degree + most - 1) / most : 1; }

// append puts v, if it is new, at the end of the list of the next round. All work-items
// call it; each gets the place of its vertex's arcs among those of the list.
uint append(const bool fresh, const uint v, const uint n, const uint most, const uint at, __global const uint *ptr,
            __global const uint *firsts, __global const uint *bases, __global ulong *sizes, __global uint *queue,
            __global uint *starts, __local ulong *sums) {
    uint degree = 0, ways = 0;
    if (fresh) {
        degree = ptr[v + 1] - ptr[v];
        ways = ways_of(degree, most);
    }
    const ulong place = reserve((ulong)ways << 32 | degree, &sizes[at + 1], sums);
    const uint arc = (uint)place, to = bases[at + 1] + (uint)(place >> 32);
    if (ways == 1) {
        queue[to] = v;
        starts[to] = arc;
    } else
        for (uint i = 0, begin = arc; i < ways; i++) {
            queue[to + i] = n + firsts[v] + i;
            starts[to + i] = begin;
            begin += (degree - i + ways - 1) / ways;
        }
    return arc;
}

// row is the arcs of a list's entry: its vertex, the first arc, the stride, and the
// end.
typedef struct {
    uint v, first, stride, end;
} row;

row row_of(const uint entry, const uint n, const uint most, __global const uint *ptr, __global const uint *map,
           __global const uint *off) {
    row r;
    r.v = entry < n ? entry : map[entry - n];
    r.end = ptr[r.v + 1];
    r.first = entry < n ? ptr[r.v] : off[entry - n];
    r.stride = entry < n ? 1 : ways_of(r.end - ptr[r.v], most);
    return r;
}

// first_of returns the vertex of an entry that is a vertex, or the first part of one;
// NONE for other parts.
uint first_of(const uint entry, const uint n, __global const uint *map) {
    if (entry < n)
        return entry;
    const uint part = entry - n, v = map[part];
    return part > 0 && map[part - 1] == v ? NONE : v;
}

// settle makes distances of the offers to the vertices of the list, and sets the
// beginning of the next list: behind this one or, with SSSP, in the other half of the
// queue.
__kernel void settle(const uint n, const uint round, const uint at, const uint other, __global const uint *offers,
                     __global uint *dist, __global uint *active, __global const uint *queue, __global uint *bases,
                     __global const ulong *sizes, __global const uint *map) {
    const uint first = bases[at], count = sizes[at] >> 32;
#if PROBLEM == SSSP
    if (get_global_id(0) == 0)
        bases[at + 1] = other - first;
#else
    if (get_global_id(0) == 0)
        bases[at + 1] = first + count;
#endif
    for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) {
        const uint v = first_of(queue[first + i], n, map);
        if (v == NONE)
            continue; // its first part does it
        dist[v] = offers[v];
#if PROBLEM == SSSP
        active[v] = round;
#endif
    }
}

// expand lists the arcs of the list's entries: a work-item per entry.
__kernel void expand(const uint n, const uint most, const uint at, __global const uint *ptr, __global const uint *map,
                     __global const uint *off, __global const uint *queue, __global const uint *starts,
                     __global const uint *bases, __global const ulong *sizes, __global uint *list) {
    const uint first = bases[at], count = sizes[at] >> 32;
    for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) {
        const row r = row_of(queue[first + i], n, most, ptr, map, off);
        uint to = starts[first + i];
        for (uint e = r.first; e < r.end; e += r.stride)
            list[to++] = e;
    }
}

// contract goes along the arcs of a list, as many as the lower half of counts[which], a
// work-item per arc, and makes the next round's list of the new ends.
__kernel void contract(const uint n, const uint most, const uint round, const uint at, const uint which,
                       __global const uint *list, __global const ulong *counts, __global const uint *origins,
                       __global const uint *ptr, __global const uint *adj, __global const uint *firsts,
                       __global const uint *lengths, __global const uint *dist, __global uint *offers,
                       __global uint *marks, __global ulong *paths, __global uint *fault, __global const uint *bases,
                       __global ulong *sizes, __global uint *queue, __global uint *starts) {
    __local ulong sums[SUMS];
    const uint arcs = (uint)counts[which];
    for (size_t first = (size_t)get_group_id(0) * GROUP; first < arcs; first += get_global_size(0)) {
        const size_t i = first + get_local_id(0);
        bool fresh = false;
        uint v = 0;
        if (i < arcs) {
            const uint e = list[i];
            v = adj[e];
            fresh = along(TAIL(e), e, round, GIVEN);
        }
        append(fresh, v, n, most, at, ptr, firsts, bases, sizes, queue, starts, sums);
    }
}

// queue_back adds up the shares of the successors of a level's entries, a work-item per
// entry. Parts of a vertex add to the same sum.
__kernel void queue_back(const uint n, const uint most, const uint level, const uint first, const uint count,
                         __global const uint *ptr, __global const uint *map, __global const uint *off,
                         __global const uint *adj, __global const uint *queue, __global const uint *dist,
                         __global const double *shares, __global ulong *sums) {
    for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) {
        const row r = row_of(queue[first + i], n, most, ptr, map, off);
        double sum = 0;
        for (uint e = r.first; e < r.end; e += r.stride)
            if (dist[adj[e]] == level + 1)
                sum += shares[adj[e]];
        if (r.stride == 1)
            sums[r.v] = as_ulong(sum);
        else if (sum != 0)
            add(&sums[r.v], sum);
    }
}

// list_back adds up the shares of the successors that a list of arcs leads to, a
// work-item per arc.
__kernel void list_back(const uint level, const uint which, __global const uint *list, __global const ulong *counts,
                        __global const uint *origins, __global const uint *adj, __global const uint *dist,
                        __global const double *shares, __global ulong *sums) {
    __local uint owners[GROUP];
    __local double values[GROUP];
    const uint arcs = (uint)counts[which];
    for (size_t first = (size_t)get_group_id(0) * GROUP; first < arcs; first += get_global_size(0)) {
        const size_t i = first + get_local_id(0);
        uint u = NONE;
        double x = 0;
        if (i < arcs && dist[adj[list[i]]] == level + 1) {
            u = origins[list[i]];
            x = shares[adj[list[i]]];
        }
        combine(u, x, sums, owners, values);
    }
}

// close_list makes dependencies of the sums of a level's vertices: see close_all.
__kernel void close_list(const uint n, const uint first, const uint count, __global const uint *queue,
                    __global const uint *map, __global const double *paths, __global double *sums,
                    __global double *shares) {
    for (size_t i = get_global_id(0); i < count; i += get_global_size(0)) {
        const uint v = first_of(queue[first + i], n, map);
        if (v == NONE)
            continue;
        const double dependency = paths[v] * sums[v];
        sums[v] = dependency;
        shares[v] = (1 + dependency) / paths[v];
    }
}
