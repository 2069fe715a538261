// Strategy near: shortest paths in approximate order of distances. SSSP only.
//
// Offers below a limit go into the next list; vertices with others wait in a pile. When
// the list is empty, the limit rises to `stride` above the lowest offer of the pile, and
// the pile is split. Vertices now below the limit make the next list. Vertices that got
// a distance at least as low meanwhile are dropped. The rest is piled up anew. There are
// two piles of n places; piled has their heights. far marks the vertices in the current
// one.

#define SPLIT 1       // WAY: the list is empty, the pile is to be split
#define LIMIT OWN     // of offers that go into the list
#define PILE (OWN + 1) // the current pile

// risen returns the limit above the lowest offer.
uint risen(const uint lowest, const uint stride) { return stride < NONE - lowest ? lowest + stride : NONE; }

#define NOT 0
#define NEAR 1
#define FAR 2

// relax goes along arc e with the distance of its tail, and returns where its end goes
// now: nowhere, as it is there already or no nearer than before; the list; the pile.
uint relax(const uint d, const uint e, const uint round, const uint limit, __global const uint *adj,
           __global const uint *lengths, __global const uint *dist, __global uint *offers, __global uint *marks,
           __global uint *far, __global uint *fault) {
    const uint v = adj[e], length = lengths[e];
    if (length >= NONE - d) {
        atomic_or(fault, 1u); // beyond 32 bits
        return NOT;
    }
    if (d + length >= dist[v] || atomic_min(&offers[v], d + length) <= d + length)
        return NOT;
    if (d + length < limit)
        return atomic_xchg(&marks[v], round + 1) != round + 1 ? NEAR : NOT;
    return atomic_xchg(&far[v], 1u) == 0 ? FAR : NOT;
}

// near_crew does narrow rounds, and splits low piles.
__kernel __attribute__((reqd_work_group_size(CREW, 1, 1))) void
near_crew(const uint n, const uint stride, __global const uint *ptr, __global const uint *adj,
          __global const uint *lengths, __global uint *offers, __global uint *dist, __global uint *marks,
          __global uint *far, __global uint *pile, __global uint *piled, __global uint *lowest, __global uint *queue,
          __global uint *starts, __global uint *bases, __global ulong *sizes, __global uint *progress,
          __global uint *fault) {
    __local uint begins[NARROW], rows[NARROW], away[NARROW], sums[2 * CREW], found, high, low;
    const uint i = get_local_id(0);
    const bool ended = !progress[PENDING], split = progress[WAY] & SPLIT;
    uint round = progress[ROUND] + 1, first = bases[1], which = progress[PILE], limit = progress[LIMIT];
    uint count = sizes[1] >> 32, arcs = (uint)sizes[1];
    if (split) {
        which = 1 - which;
        limit = risen(lowest[0], stride);
    }
    uint height = round > 0 ? piled[which] : 0;
    barrier(BOTH); // all have read it
    if (ended)
        return;
    for (uint turn = 0; turn < TURNS; turn++) {
        if (count == 0) {
            if (height == 0 || height > FEW)
                break;
            if (i == 0) {
                found = high = 0;
                low = NONE;
            }
            barrier(BOTH);
            __global const uint *from = pile + (size_t)which * n;
            for (uint k = i; k < height; k += CREW)
                if (offers[from[k]] < dist[from[k]])
                    atomic_min(&low, offers[from[k]]);
            barrier(BOTH);
            limit = risen(low, stride);
            which = 1 - which;
            first = n - first;
            for (uint k = i; k < height; k += CREW) {
                const uint v = from[k];
                if (offers[v] >= dist[v])
                    far[v] = 0;
                else if (offers[v] >= limit)
                    pile[(size_t)which * n + atomic_inc(&high)] = v;
                else {
                    far[v] = 0;
                    queue[first + atomic_inc(&found)] = v;
                }
            }
            barrier(BOTH);
            height = high;
            count = found;
            arcs = lay_out(first, count, ptr, queue, starts, begins, rows, sums);
            continue;
        }
        if (count > NARROW || arcs > FEW)
            break;
        if (turn == 0)
            take_over(first, count, ptr, queue, starts, begins, rows);
        for (uint k = i; k < count; k += CREW)
            dist[queue[first + k]] = away[k] = offers[queue[first + k]];
        if (i == 0) {
            found = 0;
            high = height;
        }
        barrier(BOTH);
        first = n - first;
        for (uint a = i; a < arcs; a += CREW) {
            const uint k = owner_here(a, begins, count), e = rows[k] + a;
            const uint to = relax(away[k], e, round, limit, adj, lengths, dist, offers, marks, far, fault);
            if (to == NEAR)
                queue[first + atomic_inc(&found)] = adj[e];
            else if (to == FAR)
                pile[(size_t)which * n + atomic_inc(&high)] = adj[e];
        }
        barrier(BOTH);
        round++;
        height = high;
        count = found;
        arcs = lay_out(first, count, ptr, queue, starts, begins, rows, sums);
    }
    if (i > 0)
        return;
    progress[ROUND] = round;
    progress[PENDING] = count > 0 || height > 0;
    progress[COUNT] = count;
    progress[ARCS] = arcs;
    progress[FIRST] = first;
    progress[WAY] = count == 0 && height > 0 ? SPLIT : 0;
    progress[LIMIT] = limit;
    progress[PILE] = which;
    piled[which] = height;
    piled[1 - which] = 0;
    lowest[0] = NONE;
    sizes[1] = 0;
    bases[1] = n - first;
}

// near_arrive makes distances of the offers to the list's vertices, or finds the lowest
// offer of the pile.
__kernel void near_arrive(const uint n, __global const uint *offers, __global uint *dist, __global const uint *queue,
                          __global const uint *pile, __global const uint *piled, __global uint *lowest,
                          __global const uint *progress) {
    __local uint low;
    const uint first = progress[FIRST], which = progress[PILE];
    for (size_t i = get_global_id(0); i < progress[COUNT]; i += get_global_size(0))
        dist[queue[first + i]] = offers[queue[first + i]];
    if (!(progress[WAY] & SPLIT))
        return;
    if (get_local_id(0) == 0)
        low = NONE;
    barrier(CLK_LOCAL_MEM_FENCE);
    __global const uint *from = pile + (size_t)which * n;
    for (size_t i = get_global_id(0); i < piled[which]; i += get_global_size(0))
        if (offers[from[i]] < dist[from[i]])
            atomic_min(&low, offers[from[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && low != NONE)
        atomic_min(lowest, low);
}

// near_append puts v at the end of the next list or of a pile. All work-items call it.
void near_append(const uint to, const uint v, __global const uint *ptr, __global const uint *bases,
                 __global ulong *sizes, __global uint *queue, __global uint *starts, __global uint *pile,
                 __global uint *height, __local ulong *sums) {
    const uint degree = to == NEAR ? ptr[v + 1] - ptr[v] : 0;
    ulong all; // the list's vertices and arcs, as in sizes, and the pile's in the bits above
    const ulong before = sum_before((ulong)(to == FAR) << 48 | (ulong)(to == NEAR) << 32 | degree, &all, sums);
    if (get_local_id(0) == GROUP - 1) {
        const ulong listed = all & 0xffffffffffff;
        sums[2 * GROUP] = listed ? atom_add(&sizes[1], listed) : 0;
        sums[2 * GROUP + 1] = all >> 48 ? atomic_add(height, (uint)(all >> 48)) : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong place = sums[2 * GROUP] + (before & 0xffffffffffff);
    const uint on = (uint)sums[2 * GROUP + 1] + (uint)(before >> 48);
    if (to == NEAR) {
        queue[bases[1] + (uint)(place >> 32)] = v;
        starts[bases[1] + (uint)(place >> 32)] = (uint)place;
    } else if (to == FAR)
        pile[on] = v;
    barrier(CLK_LOCAL_MEM_FENCE); // sums may be written again
}

// near_step goes along the arcs of the list, shared out as by workload, or splits the
// pile.
__kernel void near_step(const uint n, const uint stride, __global const uint *ptr, __global const uint *adj,
                        __global const uint *lengths, __global const uint *dist, __global uint *offers,
                        __global uint *marks, __global uint *far, __global uint *pile, __global uint *piled,
                        __global const uint *lowest, __global const uint *bases, __global ulong *sizes,
                        __global uint *queue, __global uint *starts, __global const uint *progress,
                        __global uint *fault) {
    __local ulong sums[SUMS];
    __local uint window[GROUP + 1];
    const uint from = progress[FIRST], count = progress[COUNT], which = progress[PILE];
    const bool split = progress[WAY] & SPLIT;
    const uint limit = split ? risen(lowest[0], stride) : progress[LIMIT], onto = split ? 1 - which : which;
    __global const uint *heap = pile + (size_t)which * n;
    size_t first;
    const size_t end = share(split ? piled[which] : progress[ARCS], &first);
    uint low = !split && first < end ? owner(first, starts + from, count) : 0;
    for (; first < end; first += GROUP) {
        const size_t i = first + get_local_id(0);
        const uint j = from + owner_of(split ? 0 : min(i, end - 1), starts + from, count, &low, window); // all meet there
        uint to = NOT, v = 0;
        if (split && i < end) {
            v = heap[i];
            if (offers[v] < dist[v])
                to = offers[v] < limit ? NEAR : FAR;
            if (to != FAR)
                far[v] = 0;
        } else if (i < end) {
            const uint u = queue[j], e = ptr[u] + ((uint)i - starts[j]);
            v = adj[e];
            to = relax(dist[u], e, progress[ROUND], limit, adj, lengths, dist, offers, marks, far, fault);
        }
        near_append(to, v, ptr, bases, sizes, queue, starts, pile + (size_t)onto * n, &piled[onto], sums);
    }
}
