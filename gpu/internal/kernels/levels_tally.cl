// Strategy level: the sums of a wave after both passes. See levels.cl.

// how_far finds the levels at which the lane meets a tile's rows; 0 where it does not, or
// starts. It reads four levels at once, until all lanes have met all rows.
void how_far(const uint n, const size_t size, const uint levels, const uint start, const uint me, const uint lane,
             __global const uint *restrict masks, uint *distance) {
    uint met[TILE];
    for (uint r = 0; r < TILE; r++)
        distance[r] = met[r] = 0;
    for (uint level = 1; level < levels; level += 4) {
        uint here[4][TILE], all = ~0u;
        #pragma unroll
        for (uint i = 0; i < 4; i++)
            #pragma unroll
            for (uint r = 0; r < TILE; r++) {
                const uint v = min(start + r * (uint)TEAMS + me, n - 1);
                here[i][r] = masks[min(level + i, levels - 1) * size + (size_t)v * WORDS];
            }
        #pragma unroll
        for (uint r = 0; r < TILE; r++) {
            #pragma unroll
            for (uint i = 0; i < 4; i++) {
                if (here[i][r] >> lane & 1)
                    distance[r] = min(level + i, levels - 1);
                met[r] |= here[i][r];
            }
            all &= met[r];
        }
        if (all == ~0u)
            break;
    }
}

#ifdef WARP
#define PLANES 4u // bits of a level
#define EIGHT 8u

// tally_team sums a team's vertices of a chunk. A work-item reads the masks of one vertex as
// bits of levels; then all go through eight vertices at once. Levels of more bits than PLANES
// take another look.
void tally_team(const uint n, const size_t size, const uint levels, const uint start, const uint lane,
                __global const uint *restrict masks, __global const double *restrict target_mass,
                __global const real *restrict paths, const double ours, __global double *restrict rows, double *got,
                double *want) {
    const uint stop = min(n, start + CHUNK / TEAMS);
    for (uint first = start; first < stop; first += TEAM)
        for (uint low = 0; low == 0 || (levels - 1) >> low; low += PLANES) {
            const uint v = first + lane;
            const double mass = v < stop ? target_mass[v] : 0;
            uint reached = 0, plane[PLANES];
            for (uint j = 0; j < PLANES; j++)
                plane[j] = 0;
            #pragma unroll 4
            for (uint level = 1; level < levels; level++) {
                const uint m = v < stop ? masks[level * size + (size_t)v * WORDS] : 0;
                reached |= m;
                for (uint j = 0; j < PLANES; j++)
                    plane[j] |= m & -(level >> (low + j) & 1);
            }
            #pragma unroll 1
            for (uint r = 0; r < TEAM && first + r < stop; r += EIGHT) {
                double y[EIGHT];
                uint on[EIGHT];
                #pragma unroll
                for (uint i = 0; i < EIGHT; i++) {
                    on[i] = take(reached, r + i) >> lane & 1;
                    y[i] = fetch_real(paths + (size_t)(first + r + i) * LANES + lane, low == 0 && on[i]);
                }
                #pragma unroll
                for (uint i = 0; i < EIGHT; i++) {
                    uint distance = 0;
                    for (uint j = 0; j < PLANES; j++)
                        distance |= (take(plane[j], r + i) >> lane & 1) << (low + j);
                    const double of = other(mass, r + i);
                    *want += on[i] ? of * (low == 0 ? (double)distance - 1 : (double)distance) : 0;
                    *got += y[i];
                    y[i] *= ours;
                }
                if (low != 0)
                    continue;
                #pragma unroll
                for (uint i = 0; i < 4; i++)
                    y[i] = halve(y[i], y[i + 4], lane, 16);
                #pragma unroll
                for (uint i = 0; i < 2; i++)
                    y[i] = halve(y[i], y[i + 2], lane, 8);
                y[0] = halve(y[0], y[1], lane, 4);
                y[0] += other(y[0], lane ^ 2);
                y[0] += other(y[0], lane ^ 1);
                const uint to = first + r + (lane >> 4) * 4 + (lane >> 3 & 1) * 2 + (lane >> 2 & 1);
                if (lane % 4 == 0 && to < stop)
                    rows[to] = y[0];
            }
        }
}
#endif

// levels_tally: one work-group per chunk of vertices and word. Distances are
// read off the frontiers.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void levels_tally(const uint n, const uint packs, const uint last_level, const uint chunks,
                  __global const double *restrict target_mass, __global const uint *restrict frontier,
                  __global const uint *restrict found, __global const real *restrict paths,
                  __global const double *restrict source_mass, __global double *restrict rows,
                  __global double *restrict parts) {
    __local double cells[TILE * TEAMS * PITCH];
    const uint chunk = get_group_id(0), word = get_group_id(1), pack = word / WORDS, k = word % WORDS;
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    if (found[(size_t)last_level * (packs + 1) + packs] != 0)
        return;
    const size_t size = (size_t)packs * n * WORDS, base = (size_t)pack * n;
    const double ours = source_mass[word * TEAM + lane];
    uint levels = 1;
    while (levels < last_level && found[(size_t)levels * (packs + 1) + pack])
        levels++;
    double got = 0, want = 0;
#ifdef WARP
    tally_team(n, size, levels, chunk * CHUNK + me * (CHUNK / TEAMS), lane, frontier + base * WORDS + k, target_mass,
               paths + base * LANES + k * TEAM, ours, rows + (size_t)word * n, &got, &want);
#else
    for (uint start = chunk * CHUNK; start < min(n, (chunk + 1) * CHUNK); start += TILE * TEAMS) {
        double cell[TILE];
        uint distance[TILE];
        how_far(n, size, levels, start, me, lane, frontier + base * WORDS + k, distance);
        #pragma unroll
        for (uint r = 0; r < TILE; r++) {
            const uint v = start + r * TEAMS + me;
            cell[r] = 0;
            if (v < n && distance[r]) {
                const double d = paths[(base + v) * LANES + k * TEAM + lane];
                want += target_mass[v] * (distance[r] - 1);
                got += d;
                cell[r] = d * ours;
            }
        }
        lane_sums(n, start, me, lane, lid, cell, cells, rows + (size_t)word * n);
    }
#endif
    team_sums(me, lane, got, want, cells, parts + ((size_t)word * chunks + chunk) * 2 * TEAM);
}

// levels_tally_drawn is levels_tally for blocks that have Draws or Decay: the kind of sums is
// one of sums.cl, and D is stretched if LINEAR.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void levels_tally_drawn(const uint n, const uint packs, const uint last_level, const uint chunks, const uint kind,
                  __global const double *restrict target_mass, __global const uint *restrict frontier,
                  __global const uint *restrict found, __global const real *restrict paths,
                  __global const double *restrict source_mass, __global double *restrict rows,
                  __global double *restrict parts) {
    __local double cells[TILE * TEAMS * PITCH];
    const uint chunk = get_group_id(0), word = get_group_id(1), pack = word / WORDS, k = word % WORDS;
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    if (found[(size_t)last_level * (packs + 1) + packs] != 0)
        return;
    const size_t size = (size_t)packs * n * WORDS, base = (size_t)pack * n;
    const double ours = source_mass[word * TEAM + lane];
    uint levels = 1;
    while (levels < last_level && found[(size_t)levels * (packs + 1) + pack])
        levels++;
    double got = 0, want = 0;
    for (uint start = chunk * CHUNK; start < min(n, (chunk + 1) * CHUNK); start += TILE * TEAMS) {
        double cell[TILE];
        uint distance[TILE];
        how_far(n, size, levels, start, me, lane, frontier + base * WORDS + k, distance);
        #pragma unroll
        for (uint r = 0; r < TILE; r++) {
            const uint v = start + r * TEAMS + me;
            cell[r] = 0;
            if (v < n && distance[r]) {
                const double d = STRETCH((double)paths[(base + v) * LANES + k * TEAM + lane], distance[r]);
                if (kind >= REACHED) {
                    cell[r] = sees(kind, target_mass[v], shared(1.0, distance[r]), distance[r], ours, &got, &want);
                    continue;
                }
                want += shared(target_mass[v], distance[r]) * (distance[r] - 1);
                got += d;
                cell[r] = d * ours * (kind == SQUARES ? d : 1.0);
            }
        }
        lane_sums(n, start, me, lane, lid, cell, cells, rows + (size_t)word * n);
    }
    team_sums(me, lane, got, want, cells, parts + ((size_t)word * chunks + chunk) * 2 * TEAM);
}
