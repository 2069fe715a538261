// Ragged rows: at a level a vertex has numbers only for the lanes that are there, one
// after the other. So a level's numbers lie together, and memory is read from front to
// back. For undirected blocks in which searches reach all vertices.
//
// Three passes go over the levels: one lists which vertices are there, one counts paths,
// one finds dependencies. In the latter two a work-item has a number, that is, a lane of
// an entry. A work-group has a chunk, ENTRIES successive entries of a list. So entries may
// have few lanes or many; the work-items of one entry look at the same neighbours at once.
//
//   marks   [pack][vertex][4]     lanes at a level, by level mod 4
//   list_row, list_vertex, list_mask, list_at [entry]  frontiers, level after level:
//           pack*n+vertex, vertex, lanes, where its numbers begin
//   found   [level]               entries of a level
//   ends    [level]               where it begins in the list; a chunk begins there too
//   taken   [1]                   numbers of all entries
//   places  [number]              entry of the chunk * LANES + lane
//   paths   [number]              S, and after the backward pass c
//   slots   [pack][vertex][2]     entry of the vertex, by level mod 2: two words of its
//                                 mask, where its numbers begin, its level
//   loads   [group]               near neighbours of all entries of a work-group: rows that
//                                 numbers were read from
//   tallies [pack][vertex][3]     sums over lanes: of From(s)*D; of D; of the D that the
//                                 self-check expects
//
// See frontier.cl: neighbours are at most one level apart, sources may start late, and
// lists may be too short.

#define SHARERS 8u           // work-items that share the edges of an entry
#define ENTRIES (GROUP / 2u) // of a chunk
#define ROUND (4u * GROUP)   // numbers that are added up before the sums by entry
#define TURNS 2u             // numbers that a work-item adds up at once
#define ROOM (2u * GROUP)
#define NEAR 8u              // neighbours of an entry that are stored

__kernel void ragged_clear(const uint n, const uint packs, const uint depth, const uint groups, __global mask *restrict marks,
                           __global uint4 *restrict slots, __global double *restrict tallies,
                           __global uint *restrict found, __global uint *restrict taken, __global ulong *restrict loads) {
    const size_t size = (size_t)packs * n;
    for (size_t i = get_global_id(0); i < size * 4; i += get_global_size(0))
        marks[i] = 0;
    for (size_t i = get_global_id(0); i < size * 2; i += get_global_size(0))
        slots[i] = (uint4)(0);
    for (size_t i = get_global_id(0); i < size * 3; i += get_global_size(0))
        tallies[i] = 0;
    for (size_t i = get_global_id(0); i < depth; i += get_global_size(0))
        found[i] = 0;
    for (size_t i = get_global_id(0); i < groups; i += get_global_size(0))
        loads[i] = 0;
    if (get_global_id(0) == 0)
        *taken = 0;
}

// ragged_find gives the entries of a level room for their numbers, and lists the next
// level, in which sources seed[first..last-1] start too.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ragged_find(const uint n, const uint level, const uint capacity, const uint first, const uint last,
                 __global const uint *restrict ptr, __global const uint *restrict adj,
                 __global const uint *restrict seed, __global const uint *restrict source, __global mask *marks,
                 __global uint *list_row, __global uint *list_vertex, __global mask *restrict list_mask,
                 __global uint *restrict list_at, __global ushort *restrict places, __global uint *found,
                 __global uint *ends, __global uint *taken) {
    __local uint found_row[ROOM], found_vertex[ROOM];
    __local uint rows[ENTRIES], vertices[ENTRIES], sums[2 * ENTRIES];
    __local mask lanes[ENTRIES];
    __local uint gathered, room;
    const uint lid = get_local_id(0);
    const uint begin = ends[level], end = begin + found[level];
    if (get_global_id(0) == 0)
        ends[level + 1] = end;
    if (end > capacity)
        return;
    const uint here = level % 4, next = (level + 1) % 4, old = (level + 2) % 4, before = (level + 3) % 4;
    for (uint start = begin + get_group_id(0) * ENTRIES; start < end; start += get_num_groups(0) * ENTRIES) {
        const uint count = min(ENTRIES, end - start);
        if (lid == 0)
            gathered = 0;
        if (lid < ENTRIES) {
            sums[lid] = 0;
            if (lid < count) {
                const uint row = list_row[start + lid];
                const mask m = marks[(size_t)row * 4 + here];
                rows[lid] = row;
                vertices[lid] = list_vertex[start + lid];
                lanes[lid] = m;
                list_mask[start + lid] = m;
                sums[lid] = (uint)popcount(m);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        // Prefix sums over the entries: each step doubles their reach, from one half of
        // sums to the other.
        uint from = 0;
        for (uint reach = 1; reach < ENTRIES; reach *= 2) {
            if (lid < ENTRIES)
                sums[ENTRIES - from + lid] = sums[from + lid] + (lid >= reach ? sums[from + lid - reach] : 0);
            from = ENTRIES - from;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lid == 0)
            room = atomic_add(taken, sums[from + count - 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < count) {
            sums[from + lid] += room - (uint)popcount(lanes[lid]);
            list_at[start + lid] = sums[from + lid];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint q = lid; q < count * (LANES / 8); q += GROUP) { // a byte of a mask
            const uint i = q / (LANES / 8), shift = q % (LANES / 8) * 8;
            const mask m = lanes[i];
            uint to = sums[from + i] + (uint)popcount(m & (((mask)1 << shift) - 1));
            for (uint few = (uint)(m >> shift) & 255u; few; few &= few - 1)
                places[to++] = (ushort)(i * LANES + shift + lowest(few));
        }
        for (uint q = lid; q < count * SHARERS; q += GROUP) {
            const uint i = q / SHARERS, v = vertices[i], base = rows[i] - v, stop = ptr[v + 1];
            for (uint e = ptr[v] + q % SHARERS; e < stop; e += SHARERS) {
                const uint u = adj[e];
                const size_t at = (size_t)(base + u) * 4;
                const mask fresh = lanes[i] & ~(marks[at + before] | marks[at + here]);
                if (fresh && put(&marks[at + next], fresh) == 0) {
                    const uint to = atomic_inc(&gathered);
                    if (to < ROOM) {
                        found_row[to] = base + u;
                        found_vertex[to] = u;
                    } else // vertices of very many edges
                        store(end + atomic_inc(&found[level + 1]), base + u, u, capacity, list_row, list_vertex);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint more = min(gathered, ROOM);
        if (lid == 0 && more)
            room = end + atomic_add(&found[level + 1], more);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint at = lid; at < more; at += GROUP)
            store(room + at, found_row[at], found_vertex[at], capacity, list_row, list_vertex);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = first + get_global_id(0); i < last; i += get_global_size(0)) {
        const uint v = source[seed[i]], row = seed[i] / LANES * n + v;
        if (put(&marks[(size_t)row * 4 + next], (mask)1 << seed[i] % LANES) == 0)
            store(end + atomic_inc(&found[level + 1]), row, v, capacity, list_row, list_vertex);
    }
    if (level >= 2) // these masks are no longer needed
        for (uint i = ends[level - 2] + get_global_id(0); i < ends[level - 1]; i += get_global_size(0))
            marks[(size_t)list_row[i] * 4 + old] = 0;
}
