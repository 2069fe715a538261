// Sums over the arrays that the two passes of frontier.cl leave: see there.

// frontier_waive takes waived masses off the shares of targets in the level, which
// frontier_backward has settled, and notes the level. A lane waives a target once.
__kernel void frontier_waive(const uint n, const uint level, const uint count, __global const uint *restrict waived_lane,
                             __global const uint *restrict waived_vertex, __global const double *restrict waived_mass,
                             __global const double *restrict target_mass, __global const uint *restrict starts,
                             __global const ushort *restrict levels, __global const real *restrict paths, __global real *shares,
                             __global uint *restrict waived_level) {
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        const uint lane = waived_lane[i], v = waived_vertex[i];
        const size_t at = ((size_t)(lane / LANES) * n + v) * LANES + lane % LANES;
        if (levels[at] == level) {
            const double mass = target_mass[v], rest = mass - waived_mass[i];
            shares[at] = less(shares[at], paths[at], COUNTED(mass, starts[lane]), COUNTED(rest, starts[lane]));
            waived_level[i] = level;
        }
    }
}

// frontier_tally: one work-group per chunk of vertices and word. A distance is the level
// less the source's start; 0 is the source itself. The kind of sums is one of sums.cl.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void frontier_tally(const uint n, const uint chunks, const uint kind, __global const double *restrict target_mass,
                    __global const ushort *restrict levels, __global const uint *restrict starts,
                    __global const real *restrict paths, __global const double *restrict source_mass,
                    __global double *restrict rows, __global double *restrict parts) {
    __local double cells[TILE * TEAMS * PITCH];
    const uint chunk = get_group_id(0), word = get_group_id(1), pack = word / WORDS, k = word % WORDS;
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    const size_t base = (size_t)pack * n;
    const double ours = source_mass[word * TEAM + lane];
    const uint began = starts[word * TEAM + lane];
    double got = 0, want = 0;
    for (uint start = chunk * CHUNK; start < min(n, (chunk + 1) * CHUNK); start += TILE * TEAMS) {
        double cell[TILE];
        #pragma unroll
        for (uint r = 0; r < TILE; r++) {
            const uint v = start + r * TEAMS + me;
            const size_t at = (base + v) * LANES + k * TEAM + lane;
            const uint level = v < n ? levels[at] : UNSEEN;
            cell[r] = 0;
            if (level != UNSEEN && level != began) {
                const double d = STRETCH((double)paths[at], level - began);
                if (kind >= REACHED) {
                    cell[r] = sees(kind, target_mass[v], shared(1.0, level - began), level - began, ours, &got, &want);
                    continue;
                }
                want += shared(target_mass[v], level - began) * (level - began - 1);
                got += d;
                cell[r] = d * ours * (kind == SQUARES ? d : 1.0);
            }
        }
        lane_sums(n, start, me, lane, lid, cell, cells, rows + (size_t)word * n);
    }
    team_sums(me, lane, got, want, cells, parts + ((size_t)word * chunks + chunk) * 2 * TEAM);
}

#ifdef FLOWS
// frontier_send restores S in paths, from c and D, and fills in depths: see flows.cl.
// The second sum is the target mass that a lane reaches.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void frontier_send(const uint n, const uint chunks, const uint planes, __global const double *restrict target_mass,
                   __global const double *restrict multiplicity, __global const ushort *restrict levels, __global const uint *restrict starts,
                   __global real *restrict paths, __global const real *restrict shares, __global uint *restrict depths,
                   __global double *restrict parts) {
    __local double cells[2 * TEAMS * TEAM];
    const uint chunk = get_group_id(0), word = get_group_id(1), pack = word / WORDS, k = word % WORDS;
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    const uint began = starts[word * TEAM + lane];
    double arrived = 0;
    for (uint v = chunk * CHUNK + me; v < min(n, (chunk + 1) * CHUNK); v += TEAMS) {
        const size_t row = (size_t)pack * n + v, first = row * LANES + k * TEAM, at = first + lane;
        if (lane < planes) {
            uint plane = 0;
            for (uint i = 0; i < TEAM; i++) {
                const uint level = levels[first + i];
                if (level != UNSEEN && (lane == 0 || level >> (lane - 1) & 1))
                    plane |= 1u << i;
            }
            depths[(row * planes + lane) * WORDS + k] = plane;
        }
        if (levels[at] == began)
            paths[at] = 1; // a source that starts late has D in it
        else if (levels[at] != UNSEEN) {
            arrived += target_mass[v];
            paths[at] = sent(target_mass[v], paths[at], multiplicity[v], shares[at]);
        }
    }
    team_sums(me, lane, 0, arrived, cells, parts + ((size_t)word * chunks + chunk) * 2 * TEAM);
}
#endif
