// Level-synchronous lanes: one launch advances every pack of the wave by one
// level, in pull form. Each vertex that some lane has not reached looks at all
// its neighbours. Made for graphs of small diameter.
//
//   frontier  [level][pack][vertex][word]  lanes whose distance is that level
//   seen      [pack][vertex][word]         lanes reached; a copy to read, one to write
//   counts    [pack][vertex][lane]         S; in the memory of paths, except with COUNTS32
//   paths     [pack][vertex][lane]         D, after the backward pass
//   shares    [pack][vertex][lane]         c
//   found     [level][pack], and a last column for all packs: frontier vertices
//   overflow  [1]                          1 if a count passes 32 bits
//
// See preprocess.Block for S, c and D. The one-adjacency-read, many-sources form
// is that of M. Then et al., "The more the merrier: efficient multi-source graph
// traversal", VLDB 2014; the pull form of the accumulation follows A. McLaughlin,
// D. Bader, "Scalable and high performance betweenness centrality on the GPU",
// SC 2014, who also find no use for atomics on numbers.

#if WORDS == 2
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif

// levels_clear empties the wave, which has room for `levels` levels. used[pack] lanes
// are in use; the others count as reached.
__kernel void levels_clear(const uint n, const uint packs, const uint levels, __global const uint *restrict used,
                           __global uint *frontier, __global uint *seen, __global uint *found,
                           __global uint *overflow) {
    if (get_global_id(0) == 0)
        *overflow = 0;
    for (size_t i = get_global_id(0); i < (size_t)levels * (packs + 1); i += get_global_size(0))
        found[i] = 0;
    const size_t size = (size_t)packs * n;
    for (size_t i = get_global_id(0); i < size; i += get_global_size(0)) {
        const uint count = used[i / n];
        for (uint k = 0; k < WORDS; k++) {
            frontier[i * WORDS + k] = 0;
            frontier[(size + i) * WORDS + k] = 0;
            seen[i * WORDS + k] = k < count / TEAM ? 0 : k == count / TEAM ? ~0u << count % TEAM : ~0u;
        }
    }
}

// levels_seed puts the sources in place: source[pack*LANES + lane], or NONE.
__kernel void levels_seed(const uint n, const uint packs, __global const uint *restrict source,
                          __global uint *frontier, __global uint *seen, __global number *counts,
                          __global uint *found) {
    const uint i = get_global_id(0), pack = i / LANES, lane = i % LANES;
    if (pack >= packs || source[i] == NONE)
        return;
    const size_t row = (size_t)pack * n + source[i];
    const size_t word = row * WORDS + lane / TEAM;
    atomic_or(&frontier[word], 1u << lane % TEAM);
    atomic_or(&seen[word], 1u << lane % TEAM);
    counts[row * LANES + lane] = 1;
    atomic_inc(&found[pack]);
    atomic_inc(&found[packs]);
}

// levels_first finds level 1 along the arcs of the sources, a work-group for each.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void levels_first(const uint n, const uint packs, __global const uint *restrict ptr, __global const uint *restrict adj,
                  __global const double *restrict multiplicity, __global const uint *restrict source,
                  __global uint *frontier, __global uint *seen, __global number *counts, __global uint *found) {
    __local uint count;
    const uint lane = get_group_id(0), pack = get_group_id(1), lid = get_local_id(0);
    const uint s = source[pack * LANES + lane];
    if (s == NONE)
        return;
    if (lid == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t base = (size_t)pack * n;
    __global uint *next = frontier + (size_t)packs * n * WORDS;
    uint mine = 0;
    for (uint e = ptr[s] + lid; e < ptr[s + 1]; e += GROUP) {
        const uint v = adj[e];
#if WORDS == 1
        mine += atomic_or(&next[base + v], 1u << lane) == 0;
        atomic_or(&seen[base + v], 1u << lane);
#else
        mine += atom_or((__global ulong *)next + base + v, 1ul << lane) == 0;
        atom_or((__global ulong *)seen + base + v, 1ul << lane);
#endif
        counts[(base + v) * LANES + lane] = multiplicity[v];
    }
    if (mine)
        atomic_add(&count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0 && count) {
        atomic_add(&found[packs + 1 + pack], count);
        atomic_add(&found[packs + 1 + packs], count);
    }
}

// times is a sum of counts times the multiplicity `of`. A result beyond 32 bits is
// noted: no sum is too large for 64, as no vertex has 2^32 neighbours.
number times(const total sum, const total of, __global uint *overflow) {
#ifdef COUNTS32
    const total all = sum * of;
    if ((sum | all) >> 32)
        *overflow = 1;
    return (number)all;
#else
    return divisor(sum * of);
#endif
}

// levels_forward finds level+1, from level 1 on. Work-groups below `hubs` take one
// vertex of more than `most` edges each, every team a share of its edges; the others
// take `span` vertices per team.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void levels_forward(const uint n, const uint packs, const uint level, const uint hubs, const uint most,
                    const uint span, __global const uint *restrict ptr, __global const uint *restrict adj,
                    __global const uint *restrict hub, __global const double *restrict multiplicity, __global uint *frontier,
                    __global const uint *restrict seen, __global uint *restrict reached, __global number *counts,
                    __global uint *found, __global uint *overflow) {
    __local ulong seats[TEAMS * LANES];
    __local uint mets[TEAMS * WORDS];
    __local hit shelves[TEAMS * SHELF];
    __local uint count;
    const uint pack = get_group_id(1), group = get_group_id(0);
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    if (found[(size_t)level * (packs + 1) + pack] == 0)
        return;
    const size_t base = (size_t)pack * n, size = (size_t)packs * n * WORDS;
    __global const uint *now = frontier + level * size + base * WORDS;
    __global uint *next = frontier + (level + 1) * size + base * WORDS;
    __global number *rows = counts + base * LANES;
    seen += base * WORDS;
    reached += base * WORDS;
    strip edges = start(shelves + me * SHELF, seats + me * LANES);

    if (lid == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint mine = 0; // vertices found, by the first work-item of each team
    if (group < hubs) {
        const uint v = hub[group];
        uint need[WORDS], met[WORDS];
        total sum[WORDS];
        bits(seen, v, need);
        for (uint k = 0; k < WORDS; k++)
            need[k] = ~need[k], met[k] = 0, sum[k] = 0;
        if (some(need))
            counts_pull(&edges, ptr[v], ptr[v + 1], me, TEAMS, lane, adj, now, need, rows, met, sum);
        counts_keep(me, lane, met, sum, mets, seats);
    } else {
        const uint from = min(n, ((group - hubs) * (uint)TEAMS + me) * span), to = min(n, from + span);
#ifdef WARP
        // Work-item t keeps the masks of vertex from+t, so one load and one
        // store serve the whole span (at most 32 vertices).
        uint own[WORDS], fresh[WORDS], begins = NONE, first = 0, last = 0, need_any = 0;
        for (uint k = 0; k < WORDS; k++)
            own[k] = 0, fresh[k] = 0;
        const uint v = from + lane;
        if (v < to) {
            first = begins = ptr[v], last = ptr[v + 1];
            if (last - first <= most) {
                bits(seen, v, own);
                for (uint k = 0; k < WORDS; k++)
                    own[k] = ~own[k];
                need_any = some(own);
            }
        }
        const uint span_end = from < to ? ptr[to] : 0;
        for (uint todo = ballot(need_any); todo; todo &= todo - 1) {
            const uint at = lowest(todo);
            uint met[WORDS];
            total sum[WORDS];
            const double of = fetch_double(multiplicity + from + at, 1);
            for (uint k = 0; k < WORDS; k++)
                met[k] = 0, sum[k] = 0;
            counts_pull_strips(&edges, take(first, at), take(last, at), span_end, at, begins, lane, adj, now, own, rows, met, sum);
            if (some(met)) {
                for (uint k = 0; k < WORDS; k++) {
                    if (met[k] >> lane & 1)
                        rows[(size_t)(from + at) * LANES + k * TEAM + lane] = times(sum[k], of, overflow);
                    if (lane == at)
                        fresh[k] = met[k];
                }
                mine++;
            }
        }
        if (v < to && last - first <= most)
            for (uint k = 0; k < WORDS; k++) {
                next[(size_t)v * WORDS + k] = fresh[k];
                reached[(size_t)v * WORDS + k] = ~own[k] | fresh[k];
            }
#else
        for (uint v = from; v < to; v++) {
            const uint first = ptr[v], last = ptr[v + 1];
            if (last - first > most)
                continue;
            uint need[WORDS], met[WORDS];
            total sum[WORDS];
            bits(seen, v, need);
            for (uint k = 0; k < WORDS; k++)
                need[k] = ~need[k], met[k] = 0, sum[k] = 0;
            if (some(need))
                counts_pull(&edges, first, last, 0, 1, lane, adj, now, need, rows, met, sum);
            for (uint k = 0; k < WORDS; k++) {
                if (met[k] >> lane & 1)
                    rows[(size_t)v * LANES + k * TEAM + lane] = times(sum[k], multiplicity[v], overflow);
                if (lane == 0) {
                    next[(size_t)v * WORDS + k] = met[k];
                    reached[(size_t)v * WORDS + k] = ~need[k] | met[k];
                }
            }
            mine += some(met) != 0;
        }
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group < hubs && me == 0) {
        const uint v = hub[group];
        uint before[WORDS], met[WORDS];
        total sum[WORDS];
        bits(seen, v, before);
        counts_collect(lane, met, sum, mets, seats);
        for (uint k = 0; k < WORDS; k++) {
            if (met[k] >> lane & 1)
                rows[(size_t)v * LANES + k * TEAM + lane] = times(sum[k], multiplicity[v], overflow);
            if (lane == 0) {
                next[(size_t)v * WORDS + k] = met[k];
                reached[(size_t)v * WORDS + k] = before[k] | met[k];
            }
        }
        mine = some(met) != 0;
    }
    if (lane == 0 && mine)
        atomic_add(&count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0 && count) {
        atomic_add(&found[(size_t)(level + 1) * (packs + 1) + pack], count);
        atomic_add(&found[(size_t)(level + 1) * (packs + 1) + packs], count);
    }
}

// With LINEAR, a target counts by its mass over its distance, and D is twice the
// distance times the resulting sum.
#ifdef LINEAR
#define SHARE / level
#define STRETCH(d, distance) ((d) * (2.0 * (distance)))
#else
#ifdef SHARES
#define SHARE * shared(1.0, level)
#else
#define SHARE
#endif
#define STRETCH(d, distance) (d)
#endif

// counts_of reads the path counts of a vertex in the lanes that have it.
void counts_of(const size_t row, const uint lane, const uint *have, __global const number *counts, number *count) {
    for (uint k = 0; k < WORDS; k++) {
        __global const number *at = counts + row * LANES + k * TEAM + lane;
#ifdef WARP
        count[k] = fetch_number(at, have[k] & 1u << lane);
#else
        count[k] = have[k] >> lane & 1 ? *at : 0;
#endif
    }
}

// settle turns the gathered shares of a vertex's successors into its own.
void settle(const size_t row, const uint lane, const uint *have, const number *count, const real *sum, const real mass,
            const real times, __global real *paths, __global real *shares) {
    real d[WORDS], c[WORDS];
    for (uint k = 0; k < WORDS; k++) {
        const real s = have[k] >> lane & 1 ? (real)count[k] : 1;
        d[k] = s * sum[k];
        c[k] = (mass + d[k]) * times / s;
    }
    for (uint k = 0; k < WORDS; k++)
        if (have[k] >> lane & 1) {
            const size_t i = row * LANES + k * TEAM + lane;
            shares[i] = c[k];
            paths[i] = d[k];
        }
}

#ifdef WARP
// due is the data to settle a vertex, beside its neighbours' shares. It is read while
// the previous vertex is settled.
typedef struct {
    uint at; // in the span
    uint have[WORDS];
    number count[WORDS];
    double mass, times;
} due;

// due_next reads the data of the lowest vertex of a span in todo, if there is one;
// own[] has the masks of all.
void due_next(due *x, const uint todo, const uint *own, const size_t base, const uint from, const uint lane, __global const number *counts,
              __global const double *restrict target_mass, __global const double *restrict multiplicity) {
    if (!todo)
        return;
    x->at = lowest(todo);
    for (uint k = 0; k < WORDS; k++)
        x->have[k] = take(own[k], x->at);
    counts_of(base + from + x->at, lane, x->have, counts, x->count);
    x->mass = fetch_double(target_mass + from + x->at, 1);
    x->times = fetch_double(multiplicity + from + x->at, 1);
}
#endif

// levels_backward settles the vertices of a level, after level+1. Unless the forward
// pass ended before last_level it does nothing: the host goes on searching.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void levels_backward(const uint n, const uint packs, const uint level, const uint last_level, const uint hubs,
                     const uint most, const uint span, __global const uint *restrict ptr,
                     __global const uint *restrict adj, __global const uint *restrict hub,
                     __global const double *restrict target_mass,
                     __global const double *restrict multiplicity, __global const uint *restrict frontier,
                     __global const number *counts, __global real *paths, __global real *shares, __global const uint *restrict found) {
    __local ulong seats[TEAMS * SEATS];
    __local uint mets[TEAMS * WORDS];
    __local hit shelves[TEAMS * SHELF];
    const uint pack = get_group_id(1), group = get_group_id(0);
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    if (found[(size_t)last_level * (packs + 1) + packs] != 0 || found[(size_t)level * (packs + 1) + pack] == 0)
        return;
    const bool deeper = found[(size_t)(level + 1) * (packs + 1) + pack] != 0;
    const size_t base = (size_t)pack * n, size = (size_t)packs * n * WORDS;
    __global const uint *here = frontier + level * size + base * WORDS;
    __global const uint *beyond = frontier + (level + 1) * size + base * WORDS;
    __global const real *rows = shares + base * LANES;
    strip edges = start(shelves + me * SHELF, seats + me * SEATS);

    if (group < hubs) {
        const uint v = hub[group];
        uint have[WORDS], met[WORDS];
        real sum[WORDS];
        bits(here, v, have);
        for (uint k = 0; k < WORDS; k++)
            met[k] = 0, sum[k] = 0;
        if (deeper && some(have))
            shares_pull(&edges, ptr[v], ptr[v + 1], me, TEAMS, lane, adj, beyond, have, rows, met, sum);
        shares_keep(me, lane, met, sum, mets, seats);
    } else {
        const uint from = min(n, ((group - hubs) * (uint)TEAMS + me) * span), to = min(n, from + span);
#ifdef WARP
        uint own[WORDS], begins = NONE, first = 0, last = 0, any = 0;
        for (uint k = 0; k < WORDS; k++)
            own[k] = 0;
        const uint v = from + lane;
        if (v < to) {
            first = begins = ptr[v], last = ptr[v + 1];
            if (last - first <= most) {
                bits(here, v, own);
                any = some(own);
            }
        }
        const uint span_end = from < to ? ptr[to] : 0;
        uint todo = ballot(any);
        due now, next;
        due_next(&next, todo, own, base, from, lane, counts, target_mass, multiplicity);
        while (todo) {
            uint met[WORDS];
            real sum[WORDS];
            for (uint k = 0; k < WORDS; k++)
                met[k] = 0, sum[k] = 0;
            now = next;
            todo &= todo - 1;
            due_next(&next, todo, own, base, from, lane, counts, target_mass, multiplicity);
            const uint begin = take(first, now.at), end = take(last, now.at);
            if (deeper)
                shares_pull_strips(&edges, begin, end, span_end, now.at, begins, lane, adj, beyond, own, rows, met, sum);
            settle(base + from + now.at, lane, now.have, now.count, sum, now.mass SHARE, now.times, paths, shares);
        }
#else
        for (uint v = from; v < to; v++) {
            const uint first = ptr[v], last = ptr[v + 1];
            uint have[WORDS], met[WORDS];
            real sum[WORDS];
            bits(here, v, have);
            for (uint k = 0; k < WORDS; k++)
                met[k] = 0, sum[k] = 0;
            if (last - first <= most && some(have)) {
                number count[WORDS];
                counts_of(base + v, lane, have, counts, count);
                if (deeper)
                    shares_pull(&edges, first, last, 0, 1, lane, adj, beyond, have, rows, met, sum);
                settle(base + v, lane, have, count, sum, target_mass[v] SHARE, multiplicity[v], paths, shares);
            }
        }
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group < hubs && me == 0) {
        const uint v = hub[group];
        uint have[WORDS], met[WORDS];
        real sum[WORDS];
        number count[WORDS];
        bits(here, v, have);
        counts_of(base + v, lane, have, counts, count);
        shares_collect(lane, met, sum, mets, seats);
        settle(base + v, lane, have, count, sum, target_mass[v] SHARE, multiplicity[v], paths, shares);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // PoCL 3.1 runs the condition above twice if it ends the kernel
}

// levels_waive takes waived masses off the shares of targets in the level, which
// levels_backward has settled, and notes the level. A lane waives a target once.
__kernel void levels_waive(const uint n, const uint packs, const uint level, const uint last_level, const uint count,
                           __global const uint *restrict waived_lane, __global const uint *restrict waived_vertex,
                           __global const double *restrict waived_mass, __global const double *restrict target_mass,
                           __global const uint *restrict frontier, __global const uint *restrict found,
                           __global const real *restrict paths, __global real *shares,
                           __global uint *restrict waived_level) {
    if (found[(size_t)last_level * (packs + 1) + packs] != 0)
        return;
    const size_t size = (size_t)packs * n * WORDS;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        const uint lane = waived_lane[i], pack = lane / LANES, v = waived_vertex[i];
        const size_t row = (size_t)pack * n + v;
        if (found[(size_t)level * (packs + 1) + pack] && frontier[level * size + row * WORDS + lane % LANES / TEAM] >> lane % TEAM & 1) {
            const size_t at = row * LANES + lane % LANES;
            const double rest = target_mass[v] - waived_mass[i];
            shares[at] = less(shares[at], paths[at], target_mass[v] SHARE, rest SHARE);
            waived_level[i] = level;
        }
    }
}
