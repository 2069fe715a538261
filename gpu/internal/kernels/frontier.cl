// Frontier lists: only the vertices of the current level are looked at. All packs
// share one list, so that the thin frontiers of a deep graph fill the device together.
//
//   marks   [pack][vertex][4]     lanes at a level, by level mod 4
//   planes  [pack][vertex][2]     two bits of each lane's level, for neighbours
//                                 in the backward pass
//   paths   [pack][vertex][lane]  S, and after the backward pass D
//   shares  [pack][vertex][lane]  c
//   levels  [pack][vertex][lane]  distance from the source, plus the level at
//                                 which the source starts; UNSEEN
//   list_row, list_vertex, list_mask [entry]  frontiers, level after level:
//           pack*n+vertex, vertex, lanes
//   found   [level]               entries of a level
//   ends    [level]               where it begins in the list
//
// Where edges run both ways, neighbours are at most one level apart. A lane that has v
// at a level has v's neighbours at the level before, the same or the next. Two masks
// tell which of them are new, two bits tell them apart later, and no list of visited
// vertices is kept.
//
// With DIRECTED an arc may lead back by any number of levels, but on by one at most,
// and a search may end before it reaches all vertices. The lanes that have reached a
// vertex, and in the backward pass the settled ones, are kept in
//
//   seen    [pack][vertex][4]     two masks for the forward pass, two for the backward
//
// The two alternate by level mod 2, so that no launch reads a mask that it writes. In
// the backward pass, successors of a level are the settled vertices of the other
// parity: they are deeper, and no arc leads deeper by more than one.
//
// The list holds each (vertex, level) pair of a pack once, so packs*n*LANES entries
// always suffice. Sources may start late, so that lanes share levels: see
// preprocess.Block.Farness. A shorter list may overflow: entries without room are
// counted but not stored, and from then on no kernel goes past `capacity`. The host
// sees it by the ends.

#define NARROW 8u // work-items that share an entry: few lanes of a row are in a level
#define LIST (2u * GROUP)
#define UNSEEN 0xffff

__kernel void frontier_clear(const uint n, const uint packs, const uint depth, __global mask *restrict marks,
                             __global mask *restrict planes, __global mask *seen, __global ushort *restrict levels,
                             __global uint *restrict found) {
    const size_t size = (size_t)packs * n;
#ifdef DIRECTED
    for (size_t i = get_global_id(0); i < size * 4; i += get_global_size(0))
        seen[i] = 0;
#endif
    for (size_t i = get_global_id(0); i < size * LANES; i += get_global_size(0))
        levels[i] = UNSEEN;
    for (size_t i = get_global_id(0); i < size * 4; i += get_global_size(0))
        marks[i] = 0;
    for (size_t i = get_global_id(0); i < size * 2; i += get_global_size(0))
        planes[i] = 0;
    for (size_t i = get_global_id(0); i < depth; i += get_global_size(0))
        found[i] = 0;
}

#ifdef WARP
// hand gives the mask of another work-item.
mask hand(const mask m, const uint from) {
#if WORDS == 1
    return take(m, from);
#else
    return take((uint)m, from) | (mask)take((uint)(m >> 32), from) << 32;
#endif
}

// meet adds up the rows of up to NARROW neighbours, in the lane if they have it. The
// work-item with edge j of the team holds the neighbour u and its lanes m. All 32
// work-items call it together.
real meet(const uint count, const uint home, const size_t base, const uint u, const mask m, const bool any,
          const uint lane, __global const real *values, real sum) {
    for (uint j = 0; ballot(j < count); j += 4) {
        real x[4];
        #pragma unroll
        for (uint i = 0; i < 4; i++) {
            const size_t row = base + take(u, home + j + i);
            const mask has = hand(m, home + j + i);
            x[i] = any && j + i < count && has >> lane & 1 ? values[row * LANES + lane] : 0;
        }
        #pragma unroll
        for (uint i = 0; i < 4; i++)
            sum += x[i];
    }
    return sum;
}
#endif

// frontier_forward counts the paths to the vertices of a level and lists the next, in
// which sources seed[first..last-1] start too. NARROW work-items share an entry: they
// take its lanes in turn, and its edges. Each work-group gathers its finds before it
// takes room in the list.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void frontier_forward(const uint n, const uint level, const uint capacity, const uint first, const uint last,
                      __global const uint *restrict ptr, __global const uint *restrict adj,
                      __global const uint *restrict in_ptr, __global const uint *restrict in_adj,
                      __global const double *restrict multiplicity, __global const uint *restrict seed,
                      __global const uint *restrict source, __global mask *marks, __global mask *restrict planes,
                      __global mask *seen, __global real *paths, __global ushort *restrict levels, __global uint *list_row,
                      __global uint *list_vertex, __global mask *restrict list_mask, __global uint *found,
                      __global uint *ends) {
    __local uint found_row[LIST], found_vertex[LIST];
    __local uint gathered, room;
    const uint lid = get_local_id(0), turn = lid % NARROW;
    const uint begin = ends[level], end = begin + found[level];
    if (get_global_id(0) == 0)
        ends[level + 1] = end;
    if (end > capacity)
        return;
    const uint here = level % 4, next = (level + 1) % 4, old = (level + 2) % 4, before = (level + 3) % 4;
    const uint entries = GROUP / NARROW;
    for (uint start = begin + get_group_id(0) * entries; start < end; start += get_num_groups(0) * entries) {
        if (lid == 0)
            gathered = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint i = start + lid / NARROW;
        const bool live = i < end;
        const uint row = live ? list_row[i] : 0, v = live ? list_vertex[i] : 0, base = row - v;
        uint edges = live ? ptr[v] : 0, stop = live ? ptr[v + 1] : 0;
        const mask lanes = live ? marks[(size_t)row * 4 + here] : 0;
        const real times = multiplicity[v];
        if (live && turn == 0) {
            list_mask[i] = lanes;
#ifdef DIRECTED
            put(&seen[(size_t)row * 4 + level % 2], lanes);
        }
#else
            if (level & 1)
                planes[(size_t)row * 2] |= lanes;
            if (level & 2)
                planes[(size_t)row * 2 + 1] |= lanes;
        }
#endif
        uint u = 0;
        mask both = 0; // lanes that v has here and the neighbour u had before
#ifdef WARP
        for (uint e = edges + turn; ballot(e - turn < stop); e += NARROW)
#else
        for (uint e = edges + turn; e < stop; e += NARROW)
#endif
        {
            u = 0, both = 0;
            if (e < stop) {
                u = adj[e];
                const size_t at = (size_t)(base + u) * 4;
#ifdef DIRECTED
                const mask was = seen[at + (level + 1) % 2];
#else
                const mask was = marks[at + before];
                both = lanes & was;
#endif
                const mask fresh = lanes & ~(was | marks[at + here]);
                if (fresh && put(&marks[at + next], fresh) == 0) {
                    const uint to = atomic_inc(&gathered);
                    if (to < LIST) {
                        found_row[to] = base + u;
                        found_vertex[to] = u;
                    } else // vertices of very many edges
                        store(end + atomic_inc(&found[level + 1]), base + u, u, capacity, list_row, list_vertex);
                }
            }
        }
#ifdef DIRECTED // counts come by the arcs in
        edges = live ? in_ptr[v] : 0, stop = live ? in_ptr[v + 1] : 0;
        __global const uint *restrict near = in_adj;
#else
        __global const uint *restrict near = adj;
#endif
#ifdef WARP
        const uint home = lid % TEAM - turn;
#ifdef DIRECTED
        const bool more = true;
#else
        const bool more = ballot(stop - edges > NARROW); // then u and both are of the last edges
#endif
        for (mask left = without(lanes, turn); ballot(left != 0); left = without(left, NARROW)) {
            const uint lane = left ? least(left) : 0;
            real sum = 0, lost = 0;
            for (uint e = edges; ballot(e < stop); e += NARROW) {
                if (more) {
                    u = 0, both = 0;
                    if (e + turn < stop) {
                        u = near[e + turn];
                        both = lanes & marks[(size_t)(base + u) * 4 + before];
                    }
                }
                gain(&sum, &lost, meet(e < stop ? min(stop - e, NARROW) : 0, home, base, u, both, left != 0, lane, paths, piece_from(sum)));
            }
            if (left) {
                const size_t at = (size_t)row * LANES + lane;
                paths[at] = sum == 0 ? 1 : divisor(times * sum); // a lane without predecessors starts here
                levels[at] = level;
            }
        }
#else
        for (mask left = without(lanes, turn); left; left = without(left, NARROW)) {
            const uint lane = least(left);
            real sum = 0, lost = 0;
            for (uint e = edges; e < stop; e += NARROW) {
                real piece = piece_from(sum), x[NARROW]; // their loads overlap
                #pragma unroll
                for (uint j = 0; j < NARROW; j++) {
                    x[j] = 0;
                    if (e + j < stop) {
                        const size_t to = base + near[e + j];
                        if (marks[to * 4 + before] >> lane & 1)
                            x[j] = paths[to * LANES + lane];
                    }
                }
                #pragma unroll
                for (uint j = 0; j < NARROW; j++)
                    piece += x[j];
                gain(&sum, &lost, piece);
            }
            const size_t at = (size_t)row * LANES + lane;
            paths[at] = sum == 0 ? 1 : divisor(times * sum); // a lane without predecessors starts here
            levels[at] = level;
        }
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint count = min(gathered, LIST);
        if (lid == 0 && count)
            room = end + atomic_add(&found[level + 1], count);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint at = lid; at < count; at += GROUP)
            store(room + at, found_row[at], found_vertex[at], capacity, list_row, list_vertex);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = first + get_global_id(0); i < last; i += get_global_size(0)) {
        const uint v = source[seed[i]], row = seed[i] / LANES * n + v;
        if (put(&marks[(size_t)row * 4 + next], (mask)1 << seed[i] % LANES) == 0)
            store(end + atomic_inc(&found[level + 1]), row, v, capacity, list_row, list_vertex);
    }
#ifdef DIRECTED
    if (level >= 1) // entries of the level before, which so far only the other mask has
        for (uint i = ends[level - 1] + get_global_id(0); i < begin; i += get_global_size(0))
            put(&seen[(size_t)list_row[i] * 4 + level % 2], list_mask[i]);
#endif
    if (level >= 2) // these masks are no longer needed
        for (uint i = ends[level - 2] + get_global_id(0); i < ends[level - 1]; i += get_global_size(0))
            marks[(size_t)list_row[i] * 4 + old] = 0;
}

// after is the lanes in which a neighbour is one level on. odd and high turn the two
// planes into bits that say so.
mask after(const mask lanes, const size_t row, __global const mask *restrict planes, const mask odd, const mask high) {
    return lanes & (planes[row * 2] ^ odd) & (planes[row * 2 + 1] ^ high);
}

// With LINEAR, a target counts by its mass over its distance, and D is twice the
// distance times the resulting sum. A source has distance 0, and its share is never
// read.
#ifdef LINEAR
#define COUNTED(mass, start) ((mass) / max(level - (start), 1u))
#define STRETCH(d, distance) ((d) * (2.0 * (distance)))
#else
#define COUNTED(mass, start) shared(mass, level - (start))
#define STRETCH(d, distance) (d)
#endif

// frontier_backward settles the vertices of a level, after level+1.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void frontier_backward(const uint n, const uint level, __global const uint *restrict ptr, __global const uint *restrict adj,
                       __global const double *restrict target_mass, __global const double *restrict multiplicity,
                       __global const uint *restrict starts, __global const mask *restrict planes, __global mask *seen,
                       __global real *paths, __global real *shares,
                       __global const uint *restrict list_row, __global const uint *restrict list_vertex,
                       __global const mask *restrict list_mask, __global const uint *restrict ends) {
    const uint begin = ends[level], end = ends[level + 1];
    const uint lid = get_local_id(0), turn = lid % NARROW;
    const uint me = get_global_id(0) / NARROW, step = get_global_size(0) / NARROW;
#ifdef DIRECTED
#define AFTER(lanes, row) ((lanes) & seen[(row) * 4 + 2 + (level + 1) % 2])
#else
#define AFTER(lanes, row) after(lanes, row, planes, odd, high)
    const mask odd = (level + 1) & 1 ? 0 : ~(mask)0, high = (level + 1) & 2 ? 0 : ~(mask)0;
#endif
#ifdef WARP
    const uint home = lid % TEAM - turn;
    for (uint i = begin + me; ballot(i < end); i += step) {
        const bool live = i < end;
        const uint row = live ? list_row[i] : 0, v = live ? list_vertex[i] : 0, base = row - v;
        const mask lanes = live ? list_mask[i] : 0;
        const uint edges = live ? ptr[v] : 0, stop = live ? ptr[v + 1] : 0;
        const double mass = target_mass[v];
        const real times = multiplicity[v];
        const bool more = ballot(stop - edges > NARROW);
        uint u = 0;
        mask both = 0;
        if (edges + turn < stop) {
            u = adj[edges + turn];
            both = AFTER(lanes, (size_t)(base + u));
        }
        for (mask left = without(lanes, turn); ballot(left != 0); left = without(left, NARROW)) {
            const uint lane = left ? least(left) : 0;
            const size_t at = (size_t)row * LANES + lane;
            const real s = left ? paths[at] : 1;
            real sum = 0, lost = 0;
            for (uint e = edges; ballot(e < stop); e += NARROW) {
                if (more) {
                    u = 0, both = 0;
                    if (e + turn < stop) {
                        u = adj[e + turn];
                        both = AFTER(lanes, (size_t)(base + u));
                    }
                }
                gain(&sum, &lost, meet(e < stop ? min(stop - e, NARROW) : 0, home, base, u, both, left != 0, lane, shares, piece_from(sum)));
            }
            if (left) {
                const real w = COUNTED(mass, starts[base / n * LANES + lane]), d = s * sum;
                shares[at] = (w + d) * times / s;
                paths[at] = d;
            }
        }
#ifdef DIRECTED
        if (live && turn == 0)
            seen[(size_t)row * 4 + 2 + level % 2] |= lanes;
#endif
    }
#else
    for (uint i = begin + me; i < end; i += step) {
        const uint row = list_row[i], v = list_vertex[i], base = row - v;
        const mask lanes = list_mask[i];
        const uint edges = ptr[v], stop = ptr[v + 1];
        const double mass = target_mass[v];
        const real times = multiplicity[v];
        for (mask left = without(lanes, turn); left; left = without(left, NARROW)) {
            const uint lane = least(left);
            const size_t at = (size_t)row * LANES + lane;
            const real s = paths[at];
            real sum = 0, lost = 0;
            for (uint e = edges; e < stop; e += NARROW) {
                real piece = piece_from(sum), x[NARROW];
                #pragma unroll
                for (uint j = 0; j < NARROW; j++) {
                    x[j] = 0;
                    if (e + j < stop) {
                        const size_t to = base + adj[e + j];
                        if (AFTER((mask)1 << lane, to))
                            x[j] = shares[to * LANES + lane];
                    }
                }
                #pragma unroll
                for (uint j = 0; j < NARROW; j++)
                    piece += x[j];
                gain(&sum, &lost, piece);
            }
            const real w = COUNTED(mass, starts[base / n * LANES + lane]), d = s * sum;
            shares[at] = (w + d) * times / s;
            paths[at] = d;
        }
#ifdef DIRECTED
        if (turn == 0)
            seen[(size_t)row * 4 + 2 + level % 2] |= lanes;
#endif
    }
#endif
}
