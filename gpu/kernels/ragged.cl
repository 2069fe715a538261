// Ragged rows: of a vertex at a level only the lanes that are there have numbers, one
// after the other, so that a level's numbers lie together, and memory is gone through
// from front to back. For undirected blocks of which searches see all.
//
// Three passes go over the levels: one for who is where, which writes the lists, one for
// the counts of paths, one for dependencies. In the latter two a work-item has a number,
// that is, a lane of an entry, and ENTRIES entries of a list that follow each other, a
// chunk, have a work-group. So entries may have few lanes or many; those of one entry
// look at the same neighbours at once.
//
//   marks   [pack][vertex][4]     lanes at a level, by level mod 4
//   list_row, list_vertex, list_mask, list_at [entry]  frontiers, level after level:
//           pack*n+vertex, vertex, lanes, where its numbers begin
//   found   [level]               entries of a level
//   ends    [level]               where it begins in the list; a chunk begins there, too
//   taken   [1]                   numbers of all entries
//   places  [number]              entry of the chunk * LANES + lane
//   paths   [number]              S, and once the way back has passed c
//   slots   [pack][vertex][2]     entry of the vertex, by level mod 2: two words of its
//                                 mask, where its numbers begin, its level
//   loads   [group]               near neighbours of all entries that a work-group had: rows
//                                 that numbers were taken from
//   tallies [pack][vertex][3]     sums over lanes: of From(s)*D; of D, and what the
//                                 self-check has it be
//
// That neighbours are at most one level apart, that sources may start late, and what
// becomes of lists that are too short: see frontier.cl.

#define SHARERS 8u           // work-items that share the edges of an entry
#define ENTRIES (GROUP / 2u) // of a chunk
#define ROUND (4u * GROUP)   // numbers that are added up before others wait for the sums
#define TURNS 2u             // of them that a work-item adds up at once
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

// ragged_find gives the entries of a level room for their numbers, and lists those of the
// next level, where also sources seed[first..last-1] start.
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
        // Sums over the entries up to each, which double what they reach over, to and fro.
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
    if (level >= 2) // these masks have served
        for (uint i = ends[level - 2] + get_global_id(0); i < ends[level - 1]; i += get_global_size(0))
            marks[(size_t)list_row[i] * 4 + old] = 0;
}

// slot_of is an entry as its neighbours look it up.
uint4 slot_of(const mask m, const uint at, const uint level) {
#if WORDS == 1
    return (uint4)(m, 0, at, level);
#else
    return (uint4)((uint)m, (uint)(m >> 32), at, level);
#endif
}

mask lanes_of(const uint4 slot) {
#if WORDS == 1
    return slot.x;
#else
    return slot.x | (mask)slot.y << 32;
#endif
}

// A neighbour is near an entry if it has an entry of the next level, or of the one before,
// with lanes of it.

// note looks up which neighbours are near, stores the first NEAR of them, and says how
// many there are: their lanes, and where their numbers begin.
uint note(const uint base, uint first, const uint last, const mask lanes, const uint level,
          __global const uint *restrict adj, __global const uint4 *restrict slots, __local mask *near,
          __local uint *near_at) {
    uint count = 0;
    for (; first < last; first += 4) {
        uint4 slot[4]; // their loads overlap
        #pragma unroll
        for (uint j = 0; j < 4; j++)
            slot[j] = first + j < last ? slots[(size_t)(base + adj[first + j]) * 2 + level % 2] : (uint4)(0);
        #pragma unroll
        for (uint j = 0; j < 4; j++) {
            const mask m = lanes_of(slot[j]);
            if (m & lanes && slot[j].w == level) {
                if (count < NEAR) {
                    near[count * ENTRIES] = m;
                    near_at[count * ENTRIES] = slot[j].z;
                }
                count++;
            }
        }
    }
    return count;
}

// of_near adds up numbers over near neighbours that were stored: of TURNS lanes, each of an
// entry of its own, two neighbours at a time, since their loads overlap.
void of_near(const uint *entry, const uint *lane, const uint *count, __local const mask *near,
             __local const uint *near_at, __global const real *values, real *sums) {
    uint most = 0;
    #pragma unroll
    for (uint t = 0; t < TURNS; t++) {
        sums[t] = 0;
        most = max(most, count[t]);
    }
    for (uint i = 0; i < most; i += 2) {
        real x[2][TURNS];
        #pragma unroll
        for (uint j = 0; j < 2; j++) {
            #pragma unroll
            for (uint t = 0; t < TURNS; t++) {
                x[j][t] = 0;
                if (i + j < count[t]) {
                    const mask m = near[(i + j) * ENTRIES + entry[t]], bit = (mask)1 << lane[t];
                    if (m & bit)
                        x[j][t] = values[near_at[(i + j) * ENTRIES + entry[t]] + (uint)popcount(m & (bit - 1))];
                }
            }
        }
        #pragma unroll
        for (uint t = 0; t < TURNS; t++)
            sums[t] = sums[t] + x[0][t] + x[1][t];
    }
}

// of_all does so over all edges first..last-1, of an entry that has more.
real of_all(const uint base, uint first, const uint last, const uint lane, const uint level,
            __global const uint *restrict adj, __global const uint4 *restrict slots, __global const real *values) {
    const mask bit = (mask)1 << lane, below = bit - 1;
    real sum = 0, lost = 0;
    for (; first < last; first += 4) {
        uint4 slot[4];
        real x[4], piece = piece_from(sum);
        #pragma unroll
        for (uint j = 0; j < 4; j++)
            slot[j] = first + j < last ? slots[(size_t)(base + adj[first + j]) * 2 + level % 2] : (uint4)(0);
        #pragma unroll
        for (uint j = 0; j < 4; j++) {
            const mask m = lanes_of(slot[j]);
            x[j] = m & bit && slot[j].w == level ? values[slot[j].z + (uint)popcount(m & below)] : 0;
        }
        #pragma unroll
        for (uint j = 0; j < 4; j++)
            piece += x[j];
        gain(&sum, &lost, piece);
    }
    return sum;
}

// gather adds up numbers over all near neighbours: those of places[i], places[i+GROUP] and so
// on, up to places[to-1]; it says which entries and lanes these are of.
void gather(const uint start, const uint i, const uint to, const uint level, __global const ushort *restrict places,
            __local const uint *counts, __local const mask *near, __local const uint *near_at,
            __global const uint *restrict ptr, __global const uint *restrict adj, __global const uint *restrict list_row,
            __global const uint *restrict list_vertex, __global const uint4 *restrict slots, __global const real *values,
            uint *entry, uint *lane, real *sums) {
    uint count[TURNS];
    #pragma unroll
    for (uint t = 0; t < TURNS; t++) {
        const uint place = places[min(i + t * GROUP, to - 1)];
        entry[t] = place / LANES;
        lane[t] = place % LANES;
    }
    #pragma unroll
    for (uint t = 0; t < TURNS; t++) {
        count[t] = i + t * GROUP < to ? counts[entry[t]] : 0;
        count[t] = count[t] > NEAR ? 0 : count[t];
    }
    of_near(entry, lane, count, near, near_at, values, sums);
    for (uint t = 0; t < TURNS; t++) {
        if (i + t * GROUP < to && counts[entry[t]] > NEAR) {
            const uint v = list_vertex[start + entry[t]];
            sums[t] = of_all(list_row[start + entry[t]] - v, ptr[v], ptr[v + 1], lane[t], level, adj, slots, values);
        }
    }
}

// ragged_forward counts the paths to the vertices of a level.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ragged_forward(const uint level, __global const uint *restrict ptr, __global const uint *restrict adj,
                    __global const double *restrict multiplicity, __global const uint *restrict list_row,
                    __global const uint *restrict list_vertex, __global const mask *restrict list_mask,
                    __global const uint *restrict list_at, __global const ushort *restrict places,
                    __global const uint *restrict ends, __global uint4 *slots, __global real *paths, __global ulong *loads) {
    __local mask near[NEAR * ENTRIES];
    __local uint near_at[NEAR * ENTRIES], counts[ENTRIES];
    __local real times[ENTRIES];
    __local uint from, to, loaded;
    const uint lid = get_local_id(0), begin = ends[level], end = ends[level + 1];
    if (lid == 0)
        loaded = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint start = begin + get_group_id(0) * ENTRIES; start < end; start += get_num_groups(0) * ENTRIES) {
        const uint count = min(ENTRIES, end - start);
        if (lid < count) {
            const uint row = list_row[start + lid], v = list_vertex[start + lid], at = list_at[start + lid];
            const mask m = list_mask[start + lid];
            times[lid] = multiplicity[v];
            slots[(size_t)row * 2 + level % 2] = slot_of(m, at, level);
            counts[lid] = note(row - v, ptr[v], ptr[v + 1], m, level - 1, adj, slots, near + lid, near_at + lid);
            atomic_add(&loaded, counts[lid]);
            if (lid == 0)
                from = at;
            if (lid + 1 == count)
                to = at + (uint)popcount(m);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = from + lid; i < to; i += GROUP * TURNS) {
            uint e[TURNS], lane[TURNS];
            real sums[TURNS];
            gather(start, i, to, level - 1, places, counts, near, near_at, ptr, adj, list_row, list_vertex, slots, paths, e, lane, sums);
            #pragma unroll
            for (uint t = 0; t < TURNS; t++)
                if (i + t * GROUP < to) // a lane without predecessors starts here
                    paths[i + t * GROUP] = sums[t] == 0 ? 1 : times[e[t]] * sums[t];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        loads[get_group_id(0)] += loaded;
}

// ragged_backward settles the vertices of a level, after level+1.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ragged_backward(const uint n, const uint level, __global const uint *restrict ptr, __global const uint *restrict adj,
                     __global const double *restrict target_mass, __global const double *restrict multiplicity,
                     __global const double *restrict source_mass, __global const uint *restrict starts,
                     __global const uint *restrict list_row, __global const uint *restrict list_vertex,
                     __global const mask *restrict list_mask, __global const uint *restrict list_at,
                     __global const ushort *restrict places, __global const uint *restrict ends,
                     __global uint4 *slots, __global real *paths, __global double *tallies,
                     __global ulong *loads) {
    __local mask near[NEAR * ENTRIES];
    __local uint near_at[NEAR * ENTRIES], counts[ENTRIES], seats[ENTRIES];
    __local real times[ENTRIES], masses[ENTRIES];
    __local double scores[ROUND], gots[ROUND];
    __local uint wants[ROUND];
    __local uint from, to, loaded;
    const uint lid = get_local_id(0), begin = ends[level], end = ends[level + 1];
    if (lid == 0)
        loaded = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint start = begin + get_group_id(0) * ENTRIES; start < end; start += get_num_groups(0) * ENTRIES) {
        const uint count = min(ENTRIES, end - start);
        uint row = 0, own = 0, own_end = 0; // of an entry that the work-item has
        double score = 0, got = 0, want = 0;
        if (lid < count) {
            const uint v = list_vertex[start + lid];
            const mask m = list_mask[start + lid];
            row = list_row[start + lid];
            own = list_at[start + lid];
            own_end = own + (uint)popcount(m);
            seats[lid] = (row - v) / n * LANES;
            times[lid] = multiplicity[v];
            masses[lid] = target_mass[v];
            slots[(size_t)row * 2 + level % 2] = slot_of(m, own, level);
            counts[lid] = note(row - v, ptr[v], ptr[v + 1], m, level + 1, adj, slots, near + lid, near_at + lid);
            atomic_add(&loaded, counts[lid]);
            if (lid == 0)
                from = own;
            if (lid + 1 == count)
                to = own_end;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint round = from; round < to; round += ROUND) {
            const uint until = min(to, round + ROUND);
            for (uint i = round + lid; i < until; i += GROUP * TURNS) {
                uint e[TURNS], lane[TURNS];
                real sums[TURNS], s[TURNS];
                #pragma unroll
                for (uint t = 0; t < TURNS; t++)
                    s[t] = i + t * GROUP < until ? paths[i + t * GROUP] : 1;
                gather(start, i, until, level + 1, places, counts, near, near_at, ptr, adj, list_row, list_vertex, slots, paths, e, lane, sums);
                #pragma unroll
                for (uint t = 0; t < TURNS; t++) {
                    if (i + t * GROUP < until) {
                        const uint at = i + t * GROUP - round, seat = seats[e[t]] + lane[t], began = starts[seat];
                        const real d = s[t] * sums[t];
                        paths[i + t * GROUP] = (masses[e[t]] + d) * times[e[t]] / s[t];
                        const bool beyond = level != began; // it is no source
                        scores[at] = beyond ? d * source_mass[seat] : 0;
                        gots[at] = beyond ? d : 0;
                        wants[at] = beyond ? level - began - 1 : 0;
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            uint far = 0;
            for (uint k = max(own, round); k < min(own_end, until); k++) {
                score += scores[k - round];
                got += gots[k - round];
                far += wants[k - round];
            }
            if (far)
                want += (double)masses[lid] * far;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lid < count) {
            tallies[(size_t)row * 3] += score;
            tallies[(size_t)row * 3 + 1] += got;
            tallies[(size_t)row * 3 + 2] += want;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        loads[get_group_id(0)] += loaded;
}

// ragged_tally: one work-group per chunk of vertices and pack. A row's sums have the
// first word of its pack, and a chunk's parts have all their lanes together.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ragged_tally(const uint n, const uint chunks, __global const double *restrict tallies,
                  __global double *restrict rows, __global double *restrict parts) {
    __local double cells[2 * GROUP];
    const uint chunk = get_group_id(0), pack = get_group_id(1), lid = get_local_id(0);
    double got = 0, want = 0;
    for (uint v = chunk * CHUNK + lid; v < min(n, (chunk + 1) * CHUNK); v += GROUP) {
        __global const double *tally = tallies + ((size_t)pack * n + v) * 3;
        rows[(size_t)pack * WORDS * n + v] = tally[0];
        for (uint k = 1; k < WORDS; k++)
            rows[((size_t)pack * WORDS + k) * n + v] = 0;
        got += tally[1];
        want += tally[2];
    }
    cells[lid] = got;
    cells[GROUP + lid] = want;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint q = lid; q < 2 * WORDS * TEAM; q += GROUP) {
        const uint side = q / (WORDS * TEAM), lane = q % TEAM, k = q / TEAM % WORDS;
        double sum = 0;
        if (lane == 0 && k == 0)
            for (uint i = 0; i < GROUP; i++)
                sum += cells[side * GROUP + i];
        parts[((((size_t)pack * WORDS + k) * chunks + chunk) * 2 + side) * TEAM + lane] = sum;
    }
}
