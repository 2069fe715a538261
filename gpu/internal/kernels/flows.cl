// Flows over edges: for every arc from v to u of the shortest paths from the lanes' sources, the sum of
// From(s) * S(v) * c(u). A lane uses an undirected edge in one direction at most, so one pass serves
// both. The method's kernel named send prepares its rows before.
//
//   edge_from, edge_to [edge]           its vertices; edges of one vertex are together
//   edge_of [edge]                      its number
//   depths  [pack][vertex][plane][word] lanes that have reached the vertex, then the bits of
//                                       their levels, the lowest first
//   paths   [pack][vertex][lane]        S
//   shares  [pack][vertex][lane]        c
//   flows   [number]

#define BESIDE 4u // edges of a team whose rows are read at once
#define DEPTHS(pack, n, v) (depths + ((size_t)(pack) * (n) + (v)) * planes * WORDS)

// joined finds the lanes in which b's vertex is one level after a's (on) and, where edges run both
// ways, one level before (back).
void joined(const uint planes, const uint arcs, __global const uint *a, __global const uint *b, uint *on, uint *back) {
    for (uint k = 0; k < WORDS; k++) {
        on[k] = a[k] & b[k];
        back[k] = arcs ? 0 : on[k];
        uint more = ~0u, less = ~0u; // carries of level + 1
        for (uint j = 1; j < planes; j++) {
            const uint x = a[j * WORDS + k], y = b[j * WORDS + k];
            on[k] &= ~(x ^ more ^ y);
            back[k] &= ~(y ^ less ^ x);
            more &= x;
            less &= y;
        }
    }
}

#ifdef WARP
// add_to adds x to a number that no other work-item of the launch touches, and does not wait for it.
// PTX ISA 8.x, "red": of doubles from compute capability 6.0 on (Pascal, 2016). For older devices the
// program does not build, which is an error of the device.
void add_to(__global double *number, const double x) {
    asm volatile("red.global.add.f64 [%0], %1;" :: "l"(number), "d"(x) : "memory");
}
#endif

// flows_sum adds packs first..last-1 to flows, which start at 0 if `begin`. With WARP a team has 32
// edges, and takes eight at a time; else a work-item has one.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void flows_sum(const uint edges, const uint n, const uint planes, const uint first, const uint last, const uint begin,
               const uint arcs, __global const uint *restrict edge_from, __global const uint *restrict edge_to,
               __global const uint *restrict edge_of, __global const uint *restrict depths, __global const double *restrict source_mass,
               __global const number *restrict paths, __global const real *restrict shares, __global double *restrict flows) {
    const uint e = get_global_id(0);
#ifdef WARP
    __local uint4 masks[GROUP]; // of each edge: on, then back
    const uint lane = get_local_id(0) % TEAM, bit = 1u << lane;
    __local uint4 *mine = masks + get_local_id(0) - lane;
    const uint v = e < edges ? edge_from[e] : 0, u = e < edges ? edge_to[e] : 0;
    double sum[4] = {0, 0, 0, 0}; // [g]: the eight edges from 8g on, four work-items each
    for (uint pack = first; pack < last; pack++) {
        uint on[WORDS], back[WORDS], any = 0;
        double mass[WORDS];
        joined(planes, arcs, DEPTHS(pack, n, v), DEPTHS(pack, n, u), on, back);
        for (uint k = 0; k < WORDS; k++) {
            on[k] = e < edges ? on[k] : 0, back[k] = e < edges ? back[k] : 0;
            any |= on[k] | back[k];
            mass[k] = source_mass[(size_t)pack * LANES + k * TEAM + lane];
        }
        const uint active = ballot(any);
        in_step();
#if WORDS == 1
        mine[lane] = (uint4)(on[0], 0, back[0], 0);
#else
        mine[lane] = (uint4)(on[0], on[1], back[0], back[1]);
#endif
        in_step();
        __global const number *ways = paths + (size_t)pack * n * LANES + lane;
        __global const real *rest = shares + (size_t)pack * n * LANES + lane;
        #pragma unroll
        for (uint g = 0; g < 4; g++) {
            if (!(active >> 8 * g & 255))
                continue;
            double x[8];
            #pragma unroll
            for (uint i = 0; i < 8; i += BESIDE) {
                number near[BESIDE][WORDS]; // all loads overlap
                real far[BESIDE][WORDS];
                #pragma unroll
                for (uint j = 0; j < BESIDE; j++) {
                    const uint edge = 8 * g + i + j, at = take(v, edge), to = take(u, edge);
                    const uint4 m = mine[edge];
                    #pragma unroll
                    for (uint k = 0; k < WORDS; k++) {
                        const uint there = (k ? m.y : m.x) & bit, here = (k ? m.w : m.z) & bit;
                        near[j][k] = fetch_number((__global const number *)row_at(ways + k * TEAM, there ? at : to, LANES * sizeof(number)), there | here);
                        far[j][k] = fetch_real((__global const real *)row_at(rest + k * TEAM, there ? to : at, LANES * sizeof(real)), there | here);
                    }
                }
                #pragma unroll
                for (uint j = 0; j < BESIDE; j++) {
                    x[i + j] = mass[0] * (double)near[j][0] * (double)far[j][0];
                    #pragma unroll
                    for (uint k = 1; k < WORDS; k++)
                        x[i + j] = fma(mass[k] * (double)near[j][k], (double)far[j][k], x[i + j]);
                }
            }
            #pragma unroll
            for (uint i = 0; i < 4; i++)
                x[i] = halve(x[i], x[i + 4], lane, 16);
            #pragma unroll
            for (uint i = 0; i < 2; i++)
                x[i] = halve(x[i], x[i + 2], lane, 8);
            x[0] = halve(x[0], x[1], lane, 4);
            x[0] += other(x[0], lane ^ 2);
            sum[g] += x[0] + other(x[0], lane ^ 1);
        }
    }
    // Bits 16, 8 and 4 of `lane` are bits 4, 2 and 1 of the number of its edge.
    const uint strip = e - lane + (lane >> 4 & 1) * 4 + (lane >> 3 & 1) * 2 + (lane >> 2 & 1);
    #pragma unroll
    for (uint g = 0; g < 4; g++)
        if (lane % 4 == g && strip + 8 * g < edges) {
            __global double *flow = flows + edge_of[strip + 8 * g];
            *flow = (begin ? 0 : *flow) + sum[g];
        }
#else
    if (e >= edges)
        return;
    const uint v = edge_from[e], u = edge_to[e];
    double sum = 0;
    for (uint pack = first; pack < last; pack++) {
        uint on[WORDS], back[WORDS];
        joined(planes, arcs, DEPTHS(pack, n, v), DEPTHS(pack, n, u), on, back);
        for (uint lane = 0; lane < LANES; lane++) {
            const uint there = on[lane / TEAM] >> lane % TEAM & 1, here = back[lane / TEAM] >> lane % TEAM & 1;
            if (there | here) {
                const size_t at = ((size_t)pack * n + (there ? v : u)) * LANES + lane;
                const size_t to = ((size_t)pack * n + (there ? u : v)) * LANES + lane;
                sum += source_mass[(size_t)pack * LANES + lane] * (double)paths[at] * (double)shares[to];
            }
        }
    }
    flows[edge_of[e]] = (begin ? 0 : flows[edge_of[e]]) + sum;
#endif
}

// For methods that add up flows by arc, in cells [pack][arc]: these kernels turn the cells into flows.

// over_clear empties the cells.
__kernel void over_clear(const uint packs, const uint arcs, __global double *cells) {
    for (size_t i = get_global_id(0); i < (size_t)packs * arcs; i += get_global_size(0))
        cells[i] = 0;
}

// over_number finds the arc of every edge, and the reverse arc if there is one. At first edge_at holds
// NONE and edge_back 0.
__kernel void over_number(const uint arcs, __global const uint *restrict arc_edge, __global uint *edge_at, __global uint *edge_back) {
    for (uint e = get_global_id(0); e < arcs; e += get_global_size(0)) {
        atomic_min(&edge_at[arc_edge[e]], e);
        atomic_max(&edge_back[arc_edge[e]], e);
    }
}

// over_packs sums the cells of packs first..last-1 into those of pack `first`.
__kernel void over_packs(const uint arcs, const uint first, const uint last, __global double *cells) {
    for (uint e = get_global_id(0); e < arcs; e += get_global_size(0)) {
        double sum = 0;
        for (uint pack = first; pack < last; pack++)
            sum += cells[(size_t)pack * arcs + e];
        cells[(size_t)first * arcs + e] = sum;
    }
}

// over_join gives each edge its arc's cell, plus the reverse arc's unless `ways`.
__kernel void over_join(const uint edges, const uint arcs, const uint first, const uint ways, __global const uint *restrict edge_at,
                         __global const uint *restrict edge_back, __global const double *restrict cells, __global double *restrict flows) {
    cells += (size_t)first * arcs;
    for (uint number = get_global_id(0); number < edges; number += get_global_size(0))
        flows[number] = cells[edge_at[number]] + (ways ? 0 : cells[edge_back[number]]);
}
