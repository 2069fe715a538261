// Path counts and dependencies over the arcs that lengths.cl has found: see there for the
// arrays.

// fresh gives the unsettled lanes of a vertex whose terms, over arcs first..last-1, are all
// settled.
uint fresh(const uint x, const uint first, const uint last, __global const uint *restrict adj,
           __global const uint *restrict links, __global const uint *restrict reached, __global const uint *settled) {
    uint open = reached[x] & ~settled[x];
    for (uint e = first; e < last && open; e++) {
        const uint lanes = links[e] & open;
        if (lanes)
            open &= ~lanes | settled[adj[e]];
    }
    return open;
}

// gather is the sum, in one lane, of the rows at the other ends of arcs first..last-1 that
// have the lane.
double gather(const uint first, const uint last, const uint lanes, const uint lane,
              __global const uint *restrict adj, __global const uint *restrict links, __global const real *rows) {
    double sum = 0;
    for (uint e = first; e < last; e++) {
        const uint common = links[e] & lanes;
        if (common >> lane & 1)
            sum += rows[(size_t)adj[e] * TEAM + lane];
    }
    return sum;
}

// choose lists the vertices of a round of either pass (todo) with the lanes to do (which),
// and returns their number. It takes the complete ones of the `count` vertices in `here`,
// for which something has changed. If there is none, it takes all vertices with some lane
// ready. Sums of a vertex go over the arcs of ptr, adj and links. `kept` is 0 before and
// after.
uint choose(const uint n, const uint count, MARKS uint *waiting, MARKS uint *late, __local uint *kept,
            __global const uint *here, __global uint *todo, __global uint *which, __global const uint *restrict ptr,
            __global const uint *restrict adj, __global const uint *restrict links,
            __global const uint *restrict reached, __global const uint *settled) {
    const uint lid = get_local_id(0);
    for (uint k = lid; k < count; k += GROUP) {
        const uint x = here[k];
        unmark(waiting, x);
        const uint open = fresh(x, ptr[x], ptr[x + 1], adj, links, reached, settled);
        if (open && open == (reached[x] & ~settled[x])) {
            const uint at = atomic_inc(kept);
            todo[at] = x;
            which[at] = open;
            unmark(late, x);
        } else if (open) {
            atomic_or(&late[x / 32], 1u << x % 32);
        }
    }
    barrier(ALL);
    if (*kept == 0) {
        barrier(ALL);
        for (uint i = lid; i < (n + 31) / 32; i += GROUP) {
            uint bits = late[i];
            if (bits) {
                late[i] = 0;
                for (uint at = atomic_add(kept, popcount(bits)); bits; bits &= bits - 1, at++) {
                    const uint x = i * 32 + lowest(bits);
                    todo[at] = x;
                    which[at] = fresh(x, ptr[x], ptr[x + 1], adj, links, reached, settled);
                }
            }
        }
        barrier(ALL);
    }
    const uint ready = *kept;
    barrier(ALL);
    if (lid == 0)
        *kept = 0;
    barrier(ALL);
    return ready;
}

// lengths_count counts shortest paths, from the sources on.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lengths_count(const uint n, const uint arcs, __global const uint *restrict ptr,
                   __global const uint *restrict adj, __global const uint *restrict in_ptr,
                   __global const uint *restrict in_adj, __global const double *restrict multiplicity,
                   __global const uint *restrict source, __global const far *restrict away,
                   __global const uint *restrict before, __global const uint *restrict after,
                   __global const uint *restrict reached, __global uint *broken, __global uint *settled,
                   __global real *paths, __global uint *lists, __global uint *marks) {
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM, words = (n + 31) / 32;
    const size_t pack = get_group_id(0);
    MAKE_MARKS(words)
    __local uint kept;
    __global uint *here = lists + pack * 3 * n, *todo = here + n, *which = todo + n;
    away += pack * n * TEAM;
    paths += pack * n * TEAM;
    before += pack * arcs;
    after += pack * arcs;
    reached += pack * n;
    settled += pack * n;
    for (uint i = lid; i < words; i += GROUP)
        waiting[i] = late[i] = 0;
    for (uint x = lid; x < n; x += GROUP)
        settled[x] = 0;
    if (lid == 0)
        kept = 0;
    barrier(ALL);
    if (lid < TEAM && source[pack * TEAM + lid] != NONE)
        put(waiting, source[pack * TEAM + lid], &kept, here);
    for (uint count = taken(&kept), ready;;  count = taken(&kept)) {
        ready = choose(n, count, waiting, late, &kept, here, todo, which, in_ptr, in_adj, before, reached, settled);
        if (ready == 0)
            break;
        for (uint k = me; k < ready; k += TEAMS) {
            const uint x = todo[k], lanes = which[k];
            const double sum = gather(in_ptr[x], in_ptr[x + 1], lanes, lane, in_adj, before, paths);
            const size_t at = (size_t)x * TEAM + lane;
            if (lanes >> lane & 1) {
                paths[at] = away[at] == 0 ? 1 : divisor(sum * multiplicity[x]);
                if (away[at] > 0 && sum == 0)
                    atomic_or(&broken[pack], 1u << lane);
            }
            if (lane == 0)
                settled[x] |= lanes;
            for (uint e = ptr[x] + lane; e < ptr[x + 1]; e += TEAM)
                if (after[e] & lanes)
                    put(waiting, adj[e], &kept, here);
        }
    }
}

// lengths_depend finds dependencies, from the farthest vertices back.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lengths_depend(const uint n, const uint arcs, __global const uint *restrict ptr,
                    __global const uint *restrict adj, __global const uint *restrict in_ptr,
                    __global const uint *restrict in_adj, __global const double *restrict target_mass,
                    __global const double *restrict multiplicity, __global const far *restrict away,
                    __global const uint *restrict before, __global const uint *restrict after,
                    __global const uint *restrict reached, __global uint *settled, __global real *paths, __global real *shares,
                    __global uint *lists, __global uint *marks) {
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM, words = (n + 31) / 32;
    const size_t pack = get_group_id(0);
    MAKE_MARKS(words)
    __local uint kept;
    __global uint *here = lists + pack * 3 * n, *todo = here + n, *which = todo + n;
    away += pack * n * TEAM;
    paths += pack * n * TEAM;
    shares += pack * n * TEAM;
    before += pack * arcs;
    after += pack * arcs;
    reached += pack * n;
    settled += pack * n;
    for (uint i = lid; i < words; i += GROUP)
        waiting[i] = late[i] = 0;
    for (uint x = lid; x < n; x += GROUP) {
        settled[x] = 0;
        here[x] = x;
    }
    if (lid == 0)
        kept = 0;
    barrier(ALL);
    for (uint count = n, ready;; count = taken(&kept)) {
        ready = choose(n, count, waiting, late, &kept, here, todo, which, ptr, adj, after, reached, settled);
        if (ready == 0)
            break;
        for (uint k = me; k < ready; k += TEAMS) {
            const uint x = todo[k], lanes = which[k];
            const double sum = gather(ptr[x], ptr[x + 1], lanes, lane, adj, after, shares);
            const size_t at = (size_t)x * TEAM + lane;
            if (lanes >> lane & 1) {
                const double s = paths[at], through = s * sum;
                shares[at] = (shared(target_mass[x], away[at]) + through) * multiplicity[x] / s;
                paths[at] = through;
            }
            if (lane == 0)
                settled[x] |= lanes;
            for (uint e = in_ptr[x] + lane; e < in_ptr[x + 1]; e += TEAM)
                if (before[e] & lanes)
                    put(waiting, in_adj[e], &kept, here);
        }
    }
}

// lengths_tally: one work-group per chunk of vertices and pack. The check compares a
// source's own D with the mass that it reaches. The kind of sums is one of sums.cl.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lengths_tally(const uint n, const uint beyond_low, const uint beyond_high, const uint chunks,
                   const uint kind, __global const double *restrict target_mass,
                   __global const far *restrict away, __global const uint *restrict broken,
                   __global const real *restrict paths, __global const double *restrict source_mass,
                   __global double *restrict rows, __global double *restrict parts) {
    __local double cells[TILE * TEAMS * PITCH];
    const uint chunk = get_group_id(0), pack = get_group_id(1);
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    const size_t base = (size_t)pack * n;
    const far beyond = join(beyond_low, beyond_high);
    const double ours = source_mass[pack * TEAM + lane];
    double got = broken[pack] >> lane & 1 ? NAN : 0, want = 0;
    for (uint start = chunk * CHUNK; start < min(n, (chunk + 1) * CHUNK); start += TILE * TEAMS) {
        double cell[TILE];
        #pragma unroll
        for (uint r = 0; r < TILE; r++) {
            const uint v = start + r * TEAMS + me;
            const far away_by = v < n ? away[(base + v) * TEAM + lane] : beyond;
            cell[r] = 0;
            if (kind >= REACHED) {
                if (away_by != 0 && away_by < beyond)
                    cell[r] = sees(kind, target_mass[v], shared(1.0, away_by), away_by, ours, &got, &want);
                continue;
            }
            if (away_by < beyond) {
                const double d = paths[(base + v) * TEAM + lane];
                got += away_by == 0 ? d : 0;
                want += away_by == 0 ? 0 : shared(target_mass[v], away_by);
                cell[r] = away_by == 0 ? 0 : kind == SQUARES ? d * ours * d : d * ours;
            }
        }
        lane_sums(n, start, me, lane, lid, cell, cells, rows + (size_t)pack * n);
    }
    team_sums(me, lane, got, want, cells, parts + ((size_t)pack * chunks + chunk) * 2 * TEAM);
}
