// Solo searches: a work-group searches from one source, forward and back, and waits for no
// other. For undirected blocks of thin frontiers and few edges, of at most 65536 vertices,
// in which searches reach all.
//
//   near     [vertex][ROW]  its neighbours, filled up with itself; only itself where there are
//            more; ROW is 4 or 8
//   list     [source][vertex]  vertices in the order in which they were reached
//   ends     [source][level]   where a level begins in the list
//   paths    [source][vertex]  S, and after the backward pass c
//   deltas   [source][vertex]  D, as LINEAR makes it
//   sums     [2][source]       of D, and of the D that the self-check expects
//   kept     [source][word]    codes, where flows over edges are asked for
//   cells    [pack][arc]       sum over the pack's lanes of From(s) * S(v) * c(u), for an arc from v to u
//
// A vertex has a code of two bits in local memory: 0 if it was not reached, else 1 + its
// level mod 3. Neighbours are at most one level apart, so codes tell the level before from
// the same and the next.
//
// MARKED words of 16 codes are enough for the block.

#if ROW == 8
typedef ushort8 row;
#else
typedef ushort4 row;
#endif
#define CODE(level) (1u + (level) % 3u)
#define ALL (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

// With LINEAR, a target counts by its mass over its distance, and D is twice the distance
// times the sum over the targets beyond: see preprocess.Block.
#ifdef LINEAR
#define COUNTED(mass, distance) ((mass) / (distance))
#define STRETCH(d, distance) ((d) * (2 * (real)(distance)))
#else
#define COUNTED(mass, distance) shared(mass, distance)
#define STRETCH(d, distance) (d)
#endif

uint code_of(__local const uint *codes, const uint v) { return codes[v / 16] >> v % 16 * 2 & 3u; }

// code_now is code_of while others set codes: 0 or the final code.
#ifdef WARP
#define code_now code_of
#else
uint code_now(__local uint *codes, const uint v) { return atomic_or(&codes[v / 16], 0u) >> v % 16 * 2 & 3u; }
#endif

// reach puts a vertex without a code on the list of the next level.
void reach(const uint u, const uint code, const uint end, __local uint *codes, __local uint *count, __global ushort *list) {
    const uint shift = u % 16 * 2;
    if ((atomic_or(&codes[u / 16], code << shift) >> shift & 3u) == 0)
        list[end + atomic_inc(count)] = (ushort)u;
}

// row_of reads the first neighbours of a vertex.
void row_of(const uint v, __global const row *restrict near, uint *u) {
    const row all = near[v];
    u[0] = all.s0;
    u[1] = all.s1;
    u[2] = all.s2;
    u[3] = all.s3;
#if ROW == 8
    u[4] = all.s4;
    u[5] = all.s5;
    u[6] = all.s6;
    u[7] = all.s7;
#endif
}

// row_sum adds up the values of the first neighbours.
real row_sum(const real *x) {
    real sum = x[0];
    #pragma unroll
    for (uint k = 1; k < ROW; k++)
        sum += x[k];
    return sum;
}

// solo_search: a work-group per source. With `even`, every vertex has multiplicity and
// target mass 1.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void solo_search(const uint n, const uint depth, const uint even, __global const uint *restrict ptr,
                  __global const uint *restrict adj, __global const row *restrict near,
                  __global const ushort *restrict order, __global const ushort *restrict place,
                  __global const double *restrict target_mass, __global const double *restrict multiplicity,
                  __global const uint *restrict source, __global ushort *list, __global uint *ends,
                  __global real *paths, __global real *restrict deltas, __global uint *restrict kept,
                  __global double *restrict sums) {
    __local uint codes[MARKED];
    __local uint counts[3];
    __local double cells[2 * TEAM];
    const uint lid = get_local_id(0), s = source[get_group_id(0)], words = (n + 15) / 16;
    list += (size_t)get_group_id(0) * n;
    paths += (size_t)get_group_id(0) * n;
    deltas += (size_t)get_group_id(0) * n;
    ends += (size_t)get_group_id(0) * depth;
    for (uint i = lid; i < words; i += GROUP)
        codes[i] = 0;
    if (lid < 3)
        counts[lid] = 0;
    barrier(ALL);
    if (lid == 0) {
        ends[0] = 0;
        if (s != NONE) {
            const uint v = place[s];
            codes[v / 16] = CODE(0) << v % 16 * 2;
            list[0] = (ushort)v;
            deltas[v] = 0;
        }
    }
    barrier(ALL);
    uint level = 0, begin = 0, end = s != NONE;
    for (; begin < end; level++) {
        const uint here = CODE(level + 2), next = CODE(level + 1); // codes of the level before, and of the next
        for (uint i = begin + lid; i < end; i += GROUP) {
            const uint v = list[i];
            uint u[ROW], code[ROW];
            real x[ROW];
            row_of(v, near, u);
            #pragma unroll
            for (uint k = 0; k < ROW; k++)
                code[k] = code_now(codes, u[k]);
            #pragma unroll
            for (uint k = 0; k < ROW; k++)
                x[k] = code[k] == here ? paths[u[k]] : 0;
            #pragma unroll
            for (uint k = 0; k < ROW; k++)
                if (code[k] == 0)
                    reach(u[k], next, end, codes, &counts[(level + 1) % 3], list);
            real sum = row_sum(x), lost = 0;
            if (u[0] == v)
                for (uint e = ptr[order[v]], last = ptr[order[v] + 1]; e < last; e++) {
                    const uint w = place[adj[e]], c = code_now(codes, w);
                    real piece = piece_from(sum);
                    if (c == 0)
                        reach(w, next, end, codes, &counts[(level + 1) % 3], list);
                    if (c == here)
                        piece += paths[w];
                    gain(&sum, &lost, piece);
                }
            const real times = even ? 1 : (real)multiplicity[order[v]];
            paths[v] = level ? divisor(times * sum) : 1;
        }
        barrier(ALL);
        begin = end;
        end += counts[(level + 1) % 3];
        if (lid == 0) {
            counts[level % 3] = 0; // of the level after the next
            ends[level + 1] = begin;
        }
    }
    barrier(ALL);
#ifdef FLOWS
    for (uint i = lid; i < words; i += GROUP)
        kept[(size_t)get_group_id(0) * words + i] = codes[i];
#endif
    double got = 0, want = 0;
    end = begin;
    for (uint back = level; back-- > 1;) {
        const uint first = ends[back], beyond = CODE(back + 1);
        for (uint i = first + lid; i < end; i += GROUP) {
            const uint v = list[i];
            uint u[ROW];
            real x[ROW];
            row_of(v, near, u);
            const real count = paths[v];
            #pragma unroll
            for (uint k = 0; k < ROW; k++)
                x[k] = code_of(codes, u[k]) == beyond ? paths[u[k]] : 0;
            real sum = row_sum(x), lost = 0;
            if (u[0] == v)
                for (uint e = ptr[order[v]], last = ptr[order[v] + 1]; e < last; e++) {
                    const uint w = place[adj[e]];
                    real piece = piece_from(sum);
                    if (code_of(codes, w) == beyond)
                        piece += paths[w];
                    gain(&sum, &lost, piece);
                }
            const real d = count * sum, mass = even ? 1 : (real)target_mass[order[v]];
            const real all = COUNTED(mass, back) + d, stretched = STRETCH(d, back);
            paths[v] = (even ? all : all * (real)multiplicity[order[v]]) / count;
            deltas[v] = stretched;
            got += stretched;
            want += shared((double)mass, back) * (back - 1);
        }
        barrier(ALL);
        end = first;
    }
    // One team adds up the sums of all work-items, in turns.
    for (uint turn = 0; turn < TEAMS; turn++) {
        if (lid / TEAM == turn) {
            cells[lid % TEAM] = got + (turn > 0 ? cells[lid % TEAM] : 0);
            cells[TEAM + lid % TEAM] = want + (turn > 0 ? cells[TEAM + lid % TEAM] : 0);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid < 2) {
        double sum = 0;
        for (uint i = 0; i < TEAM; i++)
            sum += cells[lid * TEAM + i];
        sums[(size_t)lid * get_num_groups(0) + get_group_id(0)] = sum;
    }
}

// solo_tally adds up D, or its squares, over the sources of a word of lanes: one
// work-group per chunk of vertices and word.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void solo_tally(const uint n, const uint squared, __global const ushort *restrict order,
                __global const uint *restrict source, __global const double *restrict source_mass,
                __global const real *restrict deltas, __global double *restrict rows) {
    const uint word = get_group_id(1);
    for (uint v = get_group_id(0) * CHUNK + get_local_id(0); v < min(n, ((uint)get_group_id(0) + 1) * CHUNK); v += GROUP) {
        double sum = 0;
        for (uint lane = word * TEAM; lane < (word + 1) * TEAM; lane++)
            if (source[lane] != NONE) {
                const double d = deltas[(size_t)lane * n + v];
                sum += d * source_mass[lane] * (squared ? d : 1.0);
            }
        rows[(size_t)word * n + order[v]] = sum;
    }
}

#ifdef FLOWS
uint kept_of(__global const uint *codes, const uint v) { return codes[v / 16] >> v % 16 * 2 & 3u; }

// solo_over adds up flows over arcs: one work-group per chunk of vertices and pack.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void solo_over(const uint n, const uint arcs, __global const uint *restrict ptr, __global const uint *restrict adj,
               __global const row *restrict near, __global const ushort *restrict order,
               __global const ushort *restrict place, __global const double *restrict target_mass,
               __global const double *restrict multiplicity, __global const uint *restrict source,
               __global const double *restrict source_mass, __global const uint *restrict kept,
               __global const real *restrict paths, __global const real *restrict deltas,
               __global double *restrict cells) {
    const uint words = (n + 15) / 16;
    cells += (size_t)get_group_id(1) * arcs;
    for (uint v = get_group_id(0) * CHUNK + get_local_id(0); v < min(n, ((uint)get_group_id(0) + 1) * CHUNK); v += GROUP) {
        const uint o = order[v], first = ptr[o], last = ptr[o + 1];
        const real mass = target_mass[o], times = multiplicity[o];
        uint u[ROW];
        double sums[ROW];
        row_of(v, near, u);
        const bool all = u[0] != v; // neighbours are in the row
        for (uint k = 0; k < ROW; k++)
            sums[k] = 0;
        for (uint e = first; e < last && !all; e++)
            cells[e] = 0;
        for (uint i = 0; i < LANES; i++) {
            const size_t lane = get_group_id(1) * LANES + i;
            const uint s = source[lane];
            if (s == NONE)
                continue;
            __global const uint *codes = kept + lane * words;
            __global const real *shares = paths + lane * n;
            const uint own = kept_of(codes, v), beyond = own % 3 + 1;
            const real ways = o == s ? 1 : sent(mass, deltas[lane * n + v], times, shares[v]);
            const double weight = own > 0 ? source_mass[lane] * (double)ways : 0;
            for (uint k = 0; k < ROW; k++)
                if (kept_of(codes, u[k]) == beyond)
                    sums[k] += weight * (double)shares[u[k]];
            for (uint e = first; e < last && !all; e++) {
                const uint w = place[adj[e]];
                if (kept_of(codes, w) == beyond)
                    cells[e] += weight * (double)shares[w];
            }
        }
        for (uint e = first; e < last && all; e++)
            cells[e] = sums[e - first];
    }
}
#endif
