// From D rows to scores: per pack and vertex the sum over its lanes, per lane the
// two sums of the self-check, then both over all packs. Each method has a tally
// kernel, which knows where distances are; the rest is here.
//
//   rows     [word][vertex]          sum over the word's lanes of From(s)*D; words of all packs
//   parts    [word][chunk][2][lane]  the two check sums of a chunk of vertices
//   sums     [2][word][lane]         the two check sums
//   scores   [vertex]

#define TILE 4u     // rows that a team reads at once
#define CHUNK 256u  // vertices of a work-group
#define PITCH (TEAM + 1u)

// A kernel tally adds up one of these at a time.
#define SQUARES 1u // in rows of D; 0: D
#define REACHED 2u // with SHARES: what the lanes of a vertex send there, masses that they reach and shares of these
#define FAR 3u     // likewise, and masses times their distances and by them

// sees adds up masses that a lane reaches, and returns the lane's part of the row.
double sees(const uint kind, const double mass, const double share, const double distance, const double ours,
            double *got, double *want) {
    const double counts = share > 0 ? mass : 0;
    *got += kind == FAR ? counts * distance : counts;
    *want += kind == FAR ? counts / distance : mass * share;
    return ours * share;
}

// lane_sums stores, for each of the tile's rows, the sum over the lanes of the
// work-items' numbers. Rows of a team are TEAMS apart.
void lane_sums(const uint n, const uint start, const uint me, const uint lane, const uint lid,
                      const double *cell, __local double *cells, __global double *restrict rows) {
    for (uint r = 0; r < TILE; r++)
        cells[(r * TEAMS + me) * PITCH + lane] = cell[r];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = lid; r < TILE * TEAMS; r += GROUP)
        if (start + r < n) {
            double sum = 0;
            for (uint i = 0; i < TEAM; i++)
                sum += cells[r * PITCH + i];
            rows[start + r] = sum;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// team_sums adds up over the teams and stores the chunk's part.
void team_sums(const uint me, const uint lane, const double got, const double want, __local double *cells,
                      __global double *restrict part) {
    cells[me * TEAM + lane] = got;
    cells[(TEAMS + me) * TEAM + lane] = want;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        for (uint side = 0; side < 2; side++) {
            double sum = 0;
            for (uint t = 0; t < TEAMS; t++)
                sum += cells[(side * TEAMS + t) * TEAM + lane];
            part[side * TEAM + lane] = sum;
        }
}

// fold_parts adds the chunks' parts up: one work-group per word.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fold_parts(const uint words, const uint chunks, __global const double *restrict parts,
                __global double *restrict sums) {
    __local double cells[2 * TEAMS * TEAM];
    const uint word = get_group_id(0);
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM;
    for (uint side = 0; side < 2; side++) {
        double sum = 0;
        for (uint chunk = me; chunk < chunks; chunk += TEAMS)
            sum += parts[(((size_t)word * chunks + chunk) * 2 + side) * TEAM + lane];
        cells[(side * TEAMS + me) * TEAM + lane] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        for (uint side = 0; side < 2; side++) {
            double sum = 0;
            for (uint t = 0; t < TEAMS; t++)
                sum += cells[(side * TEAMS + t) * TEAM + lane];
            sums[((size_t)side * words + word) * TEAM + lane] = sum;
        }
}

// fold_rows adds the rows of words first..last-1 up: the scores.
__kernel void fold_rows(const uint n, const uint first, const uint last,
                        __global const double *restrict multiplicity, __global const double *restrict rows,
                        __global double *restrict scores) {
    for (uint v = get_global_id(0); v < n; v += get_global_size(0)) {
        double sum = 0;
        for (uint word = first; word < last; word++)
            sum += rows[(size_t)word * n + v];
        scores[v] = sum / multiplicity[v];
    }
}
