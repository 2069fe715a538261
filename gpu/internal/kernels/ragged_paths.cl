// Ragged rows: path counts, dependencies and sums, over the lists of ragged.cl.

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

#define SHARE 2u             // numbers of a round that a work-item has in ragged_over
#define OVER (SHARE * GROUP) // numbers of a round there
#define ALL (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

// A neighbour is near an entry if it has an entry of the next level, or of the one before, with a
// lane in common.

// note finds the near neighbours and returns their number. It stores the first NEAR of them: their
// lanes, where their numbers begin and, with `arcs`, the arcs to them.
uint note(const uint base, uint first, const uint last, const mask lanes, const uint level,
          __global const uint *restrict adj, __global const uint4 *restrict slots, __local mask *near,
          __local uint *near_at, const bool arcs, __local uint *near_arc) {
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
                    if (arcs)
                        near_arc[count * ENTRIES] = first + j;
                }
                count++;
            }
        }
    }
    return count;
}

// of_near adds up numbers over the stored near neighbours. It takes TURNS lanes, each of its own
// entry, and two neighbours at a time, so that loads overlap.
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

// of_all adds up over all edges first..last-1, for an entry with more near neighbours.
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

// gather adds up numbers over all near neighbours, for places[i], places[i+GROUP] and so on, up to
// places[to-1]. It returns their entries and lanes.
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
            counts[lid] = note(row - v, ptr[v], ptr[v + 1], m, level - 1, adj, slots, near + lid, near_at + lid, false, near_at);
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

#ifndef FLOWS
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
        uint row = 0, own = 0, own_end = 0; // of the work-item's entry
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
            counts[lid] = note(row - v, ptr[v], ptr[v + 1], m, level + 1, adj, slots, near + lid, near_at + lid, false, near_at);
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
                        const bool beyond = level != began; // not a source
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
#else
// Flows over arcs are added up through local memory. Each number of a round sends terms to two near
// neighbours; then the two work-items of an entry each add up its lanes for one of them.

// crowded adds to the flows over the arcs of an entry with more than NEAR near neighbours, for
// numbers first..last-1. It takes every second arc from e on.
void crowded(const uint base, uint e, const uint end, const uint level, const uint seat, const uint first, const uint last,
             __global const uint *restrict adj, __global const uint4 *restrict slots, __global const double *restrict source_mass,
             __global const ushort *restrict places, __global const real *paths, __global double *cells) {
    for (; e < end; e += 2) {
        const uint4 slot = slots[(size_t)(base + adj[e]) * 2 + level % 2];
        const mask m = slot.w == level ? lanes_of(slot) : 0;
        double flow = cells[e];
        for (uint i = first; i < last; i++) {
            const uint lane = places[i] % LANES;
            if (m >> lane & 1) {
                const double weight = source_mass[seat + lane] * (double)paths[i];
                flow += weight * (double)paths[slot.z + (uint)popcount(m & (((mask)1 << lane) - 1))];
            }
        }
        cells[e] = flow;
    }
}

// ragged_over is ragged_backward where flows over edges are asked for too: cells are those of
// over.cl. Level 0 has only sources, which send.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ragged_over(const uint n, const uint arcs, const uint level, __global const uint *restrict ptr, __global const uint *restrict adj,
                 __global const double *restrict target_mass, __global const double *restrict multiplicity,
                 __global const double *restrict source_mass, __global const uint *restrict starts,
                 __global const uint *restrict list_row, __global const uint *restrict list_vertex,
                 __global const mask *restrict list_mask, __global const uint *restrict list_at,
                 __global const ushort *restrict places, __global const uint *restrict ends,
                 __global uint4 *slots, __global real *paths, __global double *tallies,
                 __global ulong *loads, __global double *cells) {
    __local mask near[NEAR * ENTRIES];
    __local uint near_at[NEAR * ENTRIES], near_arc[NEAR * ENTRIES], counts[ENTRIES], seats[ENTRIES], begins[ENTRIES + 1];
    __local real times[ENTRIES], masses[ENTRIES];
    __local double terms[2 * OVER];
    __local uint wants[OVER];
    __local uint loaded, most;
    const uint lid = get_local_id(0), begin = ends[level], end = ends[level + 1];
    const uint mine = lid % ENTRIES, half_of = lid / ENTRIES; // the entry that the work-item adds up for, and which of its two it is
    __local const double *own = terms + half_of * OVER;
    if (lid == 0)
        loaded = 0;
    for (uint start = begin + get_group_id(0) * ENTRIES; start < end; start += get_num_groups(0) * ENTRIES) {
        const uint count = min(ENTRIES, end - start);
        if (lid == 0)
            most = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < count) {
            const uint row = list_row[start + lid], v = list_vertex[start + lid], at = list_at[start + lid];
            const mask m = list_mask[start + lid];
            begins[lid] = at;
            if (lid + 1 == count)
                begins[count] = at + (uint)popcount(m);
            seats[lid] = (row - v) / n * LANES;
            times[lid] = multiplicity[v];
            masses[lid] = target_mass[v];
            slots[(size_t)row * 2 + level % 2] = slot_of(m, at, level);
            counts[lid] = note(row - v, ptr[v], ptr[v + 1], m, level + 1, adj, slots, near + lid, near_at + lid, true, near_arc + lid);
            atomic_add(&loaded, counts[lid]);
            if (counts[lid] <= NEAR)
                atomic_max(&most, counts[lid]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint from = begins[0], to = begins[count], rounds = most;
        const uint beside = mine < count ? counts[mine] : 0, seat = mine < count ? seats[mine] : 0;
        const uint own_begin = mine < count ? begins[mine] : 0, own_end = mine < count ? begins[mine + 1] : 0;
        __global double *flows = cells + (size_t)(seat / LANES) * arcs;
        double sum = 0, want = 0; // the first adds up scores, the second both sides of the self-check
        for (uint round = from; round < to; round += OVER) {
            const uint until = min(to, round + OVER), first = max(own_begin, round), last = min(own_end, until);
            uint e[SHARE], lane[SHARE], few[SHARE];
            real s[SHARE], sums[SHARE];
            double weight[SHARE];
            #pragma unroll
            for (uint t = 0; t < SHARE; t++) {
                const uint i = round + t * GROUP + lid, place = places[min(i, to - 1)];
                e[t] = place / LANES;
                lane[t] = place % LANES;
                s[t] = i < until ? paths[i] : 1;
            }
            #pragma unroll
            for (uint t = 0; t < SHARE; t++) {
                few[t] = round + t * GROUP + lid < until && counts[e[t]] <= NEAR ? counts[e[t]] : 0;
                weight[t] = source_mass[seats[e[t]] + lane[t]] * (double)s[t];
                sums[t] = 0;
            }
            if (beside > NEAR) {
                const uint v = list_vertex[start + mine];
                crowded(list_row[start + mine] - v, ptr[v] + half_of, ptr[v + 1], level + 1, seat, first, last, adj, slots, source_mass, places, paths, flows);
            }
            for (uint i = 0; i < rounds; i += 2) {
                const bool adds = beside <= NEAR && i + half_of < beside;
                __global double *flow = flows + (adds ? near_arc[(i + half_of) * ENTRIES + mine] : 0);
                double over = adds ? *flow : 0; // loads while others are added up
                real x[2][SHARE];
                #pragma unroll
                for (uint j = 0; j < 2; j++) {
                    #pragma unroll
                    for (uint t = 0; t < SHARE; t++) {
                        x[j][t] = 0;
                        if (i + j < few[t]) {
                            const mask m = near[(i + j) * ENTRIES + e[t]], bit = (mask)1 << lane[t];
                            if (m & bit)
                                x[j][t] = paths[near_at[(i + j) * ENTRIES + e[t]] + (uint)popcount(m & (bit - 1))];
                        }
                    }
                }
                #pragma unroll
                for (uint t = 0; t < SHARE; t++) {
                    sums[t] = sums[t] + x[0][t] + x[1][t];
                    terms[t * GROUP + lid] = weight[t] * (double)x[0][t];
                    terms[OVER + t * GROUP + lid] = weight[t] * (double)x[1][t];
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                if (adds) {
                    #pragma unroll 4
                    for (uint k = first; k < last; k++)
                        over += own[k - round];
                    *flow = over;
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            barrier(ALL); // crowded has read S
            #pragma unroll
            for (uint t = 0; t < SHARE; t++) {
                const uint i = round + t * GROUP + lid;
                if (i < until) {
                    const uint k = e[t], at = seats[k] + lane[t], began = starts[at];
                    if (counts[k] > NEAR) {
                        const uint v = list_vertex[start + k];
                        sums[t] = of_all(list_row[start + k] - v, ptr[v], ptr[v + 1], lane[t], level + 1, adj, slots, paths);
                    }
                    const real d = s[t] * sums[t];
                    paths[i] = (masses[k] + d) * times[k] / s[t];
                    const bool beyond = level != began; // not a source
                    terms[i - round] = beyond ? d * source_mass[at] : 0;
                    terms[OVER + i - round] = beyond ? d : 0;
                    wants[i - round] = beyond ? level - began - 1 : 0;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            uint far = 0;
            #pragma unroll 4
            for (uint k = first; k < last; k++) {
                sum += own[k - round];
                far += wants[k - round];
            }
            if (far)
                want += (double)masses[mine] * far;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (mine < count) {
            __global double *tally = tallies + (size_t)list_row[start + mine] * 3;
            tally[half_of] += sum;
            if (half_of)
                tally[2] += want;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        loads[get_group_id(0)] += loaded;
}
#endif

// ragged_tally: one work-group per chunk of vertices and pack. The first word of a pack has the
// sums of its rows, lane 0 of it the parts of the chunk; other words and lanes are 0.
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
