// Flows over edges, by strategy `level`. Every pack keeps a number for each arc. Each level of the
// backward pass adds the flow over the arc from that level to the next, in the lanes that have its
// ends there. No two teams of a launch add to one number, so sums have a fixed order.
//
//   cells    [pack][arc]    sum over the pack's lanes of From(s) * S(v) * c(u), for an arc from v to u
//   edge_at  [number]       the arc of an edge
//   edge_back               the reverse arc, of a block whose edges run both ways
//   flows    [number]

// over_level handles a level after the first, before it is settled: each work-item takes arcs of a
// vertex.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void over_level(const uint n, const uint packs, const uint arcs, const uint level, const uint last_level,
                __global const uint *restrict ptr, __global const uint *restrict adj, __global const uint *restrict frontier,
                __global const uint *restrict found, __global const double *restrict source_mass,
                __global const number *restrict counts, __global const real *restrict shares, __global double *restrict cells) {
    const uint pack = get_group_id(1), lane = get_local_id(0) % TEAM;
    if (found[(size_t)last_level * (packs + 1) + packs] != 0 || found[(size_t)(level + 1) * (packs + 1) + pack] == 0)
        return;
    const size_t base = (size_t)pack * n, size = (size_t)packs * n * WORDS;
    __global const uint *here = frontier + level * size + base * WORDS;
    __global const uint *beyond = frontier + (level + 1) * size + base * WORDS;
    for (uint v = get_global_id(0) / TEAM; v < n; v += get_global_size(0) / TEAM) {
        uint have[WORDS];
        bits(here, v, have);
        if (!some(have))
            continue;
        for (uint e = ptr[v] + lane; e < ptr[v + 1]; e += TEAM) {
            const uint u = adj[e];
            uint m[WORDS];
            bits(beyond, u, m);
            double sum = 0;
            for (uint k = 0; k < WORDS; k++)
                for (uint on = m[k] & have[k]; on; on &= on - 1) {
                    const uint i = k * TEAM + lowest(on);
                    sum += source_mass[pack * LANES + i] * (double)counts[(base + v) * LANES + i] * (double)shares[(base + u) * LANES + i];
                }
            cells[(size_t)pack * arcs + e] += sum;
        }
    }
}

// over_sources handles level 0: a work-group takes the arcs of each source.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void over_sources(const uint n, const uint packs, const uint arcs, const uint last_level, __global const uint *restrict ptr,
                  __global const uint *restrict adj, __global const uint *restrict source, __global const double *restrict source_mass,
                  __global const uint *restrict found, __global const real *restrict shares, __global double *restrict cells) {
    const uint lane = get_group_id(0), pack = get_group_id(1), s = source[pack * LANES + lane];
    if (s == NONE || found[(size_t)last_level * (packs + 1) + packs] != 0)
        return;
    const double mass = source_mass[pack * LANES + lane];
    for (uint e = ptr[s] + get_local_id(0); e < ptr[s + 1]; e += GROUP)
        cells[(size_t)pack * arcs + e] += mass * (double)shares[((size_t)pack * n + adj[e]) * LANES + lane];
}

#ifdef WARP
// over_weigh is From(s) * S(v) in the lane: the factor of the shares at the ends of v's arcs.
void over_weigh(const uint lane, const uint *have, const number *count, const double *mass, double *weight) {
    for (uint k = 0; k < WORDS; k++)
        weight[k] = have[k] >> lane & 1 ? mass[k] * (double)count[k] : 0;
}

// over_settle is over_level and levels_backward in one, which reads every row once.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void over_settle(const uint n, const uint packs, const uint arcs, const uint level, const uint last_level, const uint hubs,
                 const uint most, const uint span, __global const uint *restrict ptr, __global const uint *restrict adj,
                 __global const uint *restrict hub,
                 __global const double *restrict target_mass, __global const double *restrict multiplicity,
                 __global const uint *restrict frontier, __global const double *restrict source_mass,
                 __global const number *counts, __global real *paths, __global real *shares,
                 __global const uint *restrict found, __global double *cells) {
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
    cells += (size_t)pack * arcs;
    strip edges = start(shelves + me * SHELF, seats + me * SEATS);
    double mass[WORDS], weight[WORDS];
    for (uint k = 0; k < WORDS; k++)
        mass[k] = source_mass[pack * LANES + k * TEAM + lane];

    if (group < hubs) {
        const uint v = hub[group];
        uint have[WORDS], met[WORDS];
        real sum[WORDS];
        bits(here, v, have);
        for (uint k = 0; k < WORDS; k++)
            met[k] = 0, sum[k] = 0;
        if (deeper && some(have)) {
            number count[WORDS];
            counts_of(base + v, lane, have, counts, count);
            over_weigh(lane, have, count, mass, weight);
            over_pull(&edges, ptr[v], ptr[v + 1], me, TEAMS, lane, adj, beyond, have, rows, met, sum, weight, cells);
        }
        shares_keep(me, lane, met, sum, mets, seats);
    } else {
        const uint from = min(n, ((group - hubs) * (uint)TEAMS + me) * span), to = min(n, from + span);
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
            if (deeper) {
                over_weigh(lane, now.have, now.count, mass, weight);
                over_pull_strips(&edges, begin, end, span_end, now.at, begins, lane, adj, beyond, own, rows, met, sum, weight, cells);
            }
            settle(base + from + now.at, lane, now.have, now.count, sum, now.mass, now.times, paths, shares);
        }
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
        settle(base + v, lane, have, count, sum, target_mass[v], multiplicity[v], paths, shares);
    }
}
#endif

// met gives the lanes of a word that are at levels first..levels-1 of a row; with `bit`, only of
// levels whose number has the bit.
uint met(const uint first, const uint levels, const uint bit, const size_t size, __global const uint *masks) {
    uint lanes = 0;
    for (uint level = first; level < levels; level++)
        if (bit == NONE || level >> bit & 1)
            lanes |= masks[level * size];
    return lanes;
}

// over_arrive: the second sum is the target mass that a lane reaches.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void over_arrive(const uint n, const uint packs, const uint last_level, const uint chunks,
                 __global const double *restrict target_mass, __global const uint *restrict frontier,
                 __global const uint *restrict found, __global double *restrict parts) {
    __local double sums[2 * TEAMS * TEAM];
    const uint chunk = get_group_id(0), word = get_group_id(1), pack = word / WORDS, k = word % WORDS;
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    const size_t size = (size_t)packs * n * WORDS, base = (size_t)pack * n;
    uint levels = 1;
    while (levels < last_level && found[(size_t)levels * (packs + 1) + pack])
        levels++;
    double arrived = 0;
#ifdef WARP
    // A work-item looks at one vertex in all lanes, and then at all vertices in its own.
    for (uint start = chunk * CHUNK + me * TEAM; start < min(n, (chunk + 1) * CHUNK); start += TEAMS * TEAM) {
        const uint v = start + lane, reached = v < n ? met(1, levels, NONE, size, frontier + (base + v) * WORDS + k) : 0;
        const double mass = v < n ? target_mass[v] : 0;
        for (uint i = 0; i < TEAM; i++) {
            const double x = other(mass, i);
            arrived += take(reached, i) >> lane & 1 ? x : 0;
        }
    }
#else
    for (uint v = chunk * CHUNK + me; v < min(n, (chunk + 1) * CHUNK); v += TEAMS)
        if (met(1, levels, NONE, size, frontier + (base + v) * WORDS + k) >> lane & 1)
            arrived += target_mass[v];
#endif
    team_sums(me, lane, 0, arrived, sums, parts + ((size_t)word * chunks + chunk) * 2 * TEAM);
}

// AGAIN restores S in paths where the lane is at v; with COUNTS32 counts are kept beside them.
#ifdef COUNTS32
#define AGAIN(v, on)
#else
#define AGAIN(v, on) { \
        const size_t at = (base + (v)) * LANES + k * TEAM + lane; \
        if (masks[(size_t)(v) * WORDS] >> lane & 1) \
            paths[at] = 1; /* a source */ \
        else if (on) \
            paths[at] = sent(target_mass[v], paths[at], multiplicity[v], shares[at]); \
    }
#endif

// levels_send is over_arrive where flows_sum adds up the flows: it also fills in depths and restores S
// in paths. See flows.cl.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void levels_send(const uint n, const uint packs, const uint last_level, const uint chunks, const uint planes,
                 __global const double *restrict target_mass, __global const double *restrict multiplicity,
                 __global const uint *restrict frontier, __global const uint *restrict found, __global real *restrict paths,
                 __global const real *restrict shares, __global uint *restrict depths, __global double *restrict parts) {
    __local double sums[2 * TEAMS * TEAM];
    const uint chunk = get_group_id(0), word = get_group_id(1), pack = word / WORDS, k = word % WORDS;
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    const size_t size = (size_t)packs * n * WORDS, base = (size_t)pack * n;
    __global const uint *masks = frontier + base * WORDS + k;
    uint levels = 1;
    while (levels < last_level && found[(size_t)levels * (packs + 1) + pack])
        levels++;
    depths += base * planes * WORDS + k;
    double arrived = 0;
    for (uint start = chunk * CHUNK + me * TEAM; start < min(n, (chunk + 1) * CHUNK); start += TEAMS * TEAM) {
        const uint v = start + lane;
        uint reached = 0;
        if (v < n) {
            reached = met(1, levels, NONE, size, masks + (size_t)v * WORDS);
            depths[(size_t)v * planes * WORDS] = reached | masks[(size_t)v * WORDS];
            for (uint plane = 1; plane < planes; plane++)
                depths[((size_t)v * planes + plane) * WORDS] = met(0, levels, plane - 1, size, masks + (size_t)v * WORDS);
        }
#ifdef WARP
        const double mass = v < n ? target_mass[v] : 0;
        for (uint i = 0; i < TEAM && start + i < n; i++) {
            const double x = other(mass, i);
            const uint on = take(reached, i) >> lane & 1;
            arrived += on ? x : 0;
            AGAIN(start + i, on)
        }
    }
#else
    }
    for (uint v = chunk * CHUNK + me; v < min(n, (chunk + 1) * CHUNK); v += TEAMS) {
        const uint on = met(1, levels, NONE, size, masks + (size_t)v * WORDS) >> lane & 1;
        if (on)
            arrived += target_mass[v];
        AGAIN(v, on)
    }
#endif
    team_sums(me, lane, 0, arrived, sums, parts + ((size_t)word * chunks + chunk) * 2 * TEAM);
}
#undef AGAIN
