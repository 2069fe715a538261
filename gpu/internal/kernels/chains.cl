// Blocks of junctions joined by chains of vertices with two neighbours. Searches start at
// junctions, the roots, and cross a chain as an edge of its length. A work-group searches
// from one root after another. See cpu/internal/chains for words and proofs. Where that
// package sums over a chain in closed form, a work-item here goes from vertex to vertex.
//
// Vertices are numbered junctions first, then chain by chain those inside, from the
// chain's first end to its second. An arm is a chain seen from one of its ends: arm_chain
// is twice the chain's number, plus 1 from the second end. Each vertex inside a chain has
// in spots both ends, its position from the first, and the length. By root there are
//
//   away, ways    [root][junction]  distance, and number of shortest paths
//   order         [root][junction]  junctions by distance
//   level_at      [root][level]     where those of a distance begin in order, and an end
//   checks        [root][3]         flow to the root from all targets; flow that sources inside
//                                   its chains send through it; flow that these send to targets
//                                   with no root on the way
//
// and by work-group, of the present root, or (score) summed over its roots:
//
//   pending       [2][junction]     junctions with a distance, not settled
//   mass          [vertex]          of the sources whose paths to it pass the root
//   delta         [junction]        dependency on it
//   brought       [arm]             flow to its near end from the inside vertices reached from there
//   bins          [3][lead]         weight of the vertices of a lead; in fixed point, low and high
//                                   word, its share for the source with paths both ways
//   score         [vertex]

#define ALL (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

// span is a chain seen from one of its ends, position 0; the other end has position
// `length`.
typedef struct {
    uint first; // of the vertices inside
    int length;
    uint side; // 0 from the first end
} span;

span span_of(const uint arm, __global const uint *restrict chain_first) {
    const uint chain = arm / 2;
    span c;
    c.first = chain_first[chain];
    c.length = (int)(chain_first[chain + 1] - c.first) + 1;
    c.side = arm % 2;
    return c;
}

// place of position i among the vertices inside chains.
uint place(const span c, const int i) { return c.first + (c.side == 0 ? i : c.length - i) - 1; }

// up_to is the sum over positions 1..i inside the chain. sums has prefix sums by place,
// from each chain's first end.
double up_to(const span c, __global const double *restrict sums, const int position) {
    const int i = max(0, min(position, c.length - 1)), rest = c.length - 1 - i;
    if (c.side == 0)
        return i > 0 ? sums[c.first + i - 1] : 0;
    return (c.length > 1 ? sums[c.first + c.length - 2] : 0) - (rest > 0 ? sums[c.first + rest - 1] : 0);
}

double one(const span c, __global const double *restrict sums, const int i) {
    return up_to(c, sums, i) - up_to(c, sums, i - 1);
}

// Positions 1..near_of of a chain are reached from its near end alone: there 2i < twice.
// Position next_of, if another, is reached from both ends: there 2i = twice.
int near_of(const int twice) { return max(twice - 1, 0) / 2; }

int next_of(const int twice, const int length) { return min(twice / 2, length - 1); }

// chains_search finds distances and paths from all roots.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void chains_search(const uint junctions, const uint roots, __global const uint *restrict arm_first,
                   __global const uint *restrict arm_to, __global const uint *restrict arm_length,
                   __global const uint *restrict root, __global uint *away, __global double *ways,
                   __global uint *order, __global uint *level_at, __global uint *levels, __global uint *pending) {
    __local uint settled, kept, soonest;
    const uint lid = get_local_id(0);
    __global uint *lists = pending + (size_t)get_group_id(0) * 2 * junctions;
    for (uint r = get_group_id(0); r < roots; r += get_num_groups(0)) {
        __global uint *d = away + (size_t)r * junctions, *o = order + (size_t)r * junctions;
        __global uint *begins = level_at + (size_t)r * (junctions + 1);
        __global double *s = ways + (size_t)r * junctions;
        for (uint t = lid; t < junctions; t += GROUP)
            d[t] = t == root[r] ? 0 : NONE;
        if (lid == 0) {
            lists[0] = root[r];
            settled = soonest = 0;
            kept = 1;
        }
        barrier(ALL);
        uint level = 0;
        for (uint waiting = 1; waiting;) {
            __global uint *here = lists + level % 2 * junctions, *then = lists + (level + 1) % 2 * junctions;
            const uint now = soonest, begin = settled, count = kept;
            barrier(ALL);
            if (lid == 0) {
                kept = 0;
                soonest = NONE;
                begins[level] = begin;
            }
            barrier(ALL);
            for (uint k = lid; k < count; k += GROUP) {
                const uint t = here[k];
                if (d[t] == now) {
                    o[atomic_inc(&settled)] = t;
                } else {
                    then[atomic_inc(&kept)] = t;
                    atomic_min(&soonest, d[t]);
                }
            }
            barrier(ALL);
            const uint end = settled;
            for (uint k = begin + lid; k < end; k += GROUP) {
                const uint t = o[k];
                double paths = now == 0;
                for (uint a = arm_first[t]; a < arm_first[t + 1]; a++)
                    if (d[arm_to[a]] < now && d[arm_to[a]] + arm_length[a] == now)
                        paths += s[arm_to[a]];
                s[t] = paths;
            }
            barrier(ALL);
            for (uint k = begin + lid; k < end; k += GROUP) {
                const uint t = o[k];
                for (uint a = arm_first[t]; a < arm_first[t + 1]; a++) {
                    const uint far = now + arm_length[a], before = atomic_min(&d[arm_to[a]], far);
                    if (before == NONE)
                        then[atomic_inc(&kept)] = arm_to[a];
                    if (far < before)
                        atomic_min(&soonest, far);
                }
            }
            barrier(ALL);
            waiting = kept;
            level++;
        }
        if (lid == 0) {
            begins[level] = settled;
            levels[r] = level;
        }
        barrier(ALL);
    }
}

// reach is how a root reaches a vertex.
typedef struct {
    int distance;
    double paths;
} reach;

// reach_of looks up a vertex; one inside a chain is at position i of `length`, between a
// and b.
reach reach_of(__global const uint *restrict d, __global const double *restrict s, const uint inside, const uint a,
           const uint b, const int i, const int length) {
    reach f;
    f.distance = d[a];
    f.paths = s[a];
    if (inside) {
        const int by_a = f.distance + i, by_b = (int)d[b] + length - i;
        f.distance = min(by_a, by_b);
        f.paths = (by_a <= by_b ? s[a] : 0) + (by_b <= by_a ? s[b] : 0);
    }
    return f;
}

// leaving is the share of the paths between two places of a chain that leave the chain.
// Their distance is along it; near is the largest at which no path leaves, and outside
// the share at near + 1.
double leaving(const int distance, const int near, const double outside) {
    return distance <= near ? 0 : distance == near + 1 ? outside : 1;
}

// behind is the sum over the vertices beyond position i whose paths to it leave the
// chain.
double behind(const span c, __global const double *restrict sums, const int i, const int near,
              const double outside) {
    const int from = i + near + 1;
    return up_to(c, sums, c.length) - up_to(c, sums, from) + outside * one(c, sums, from);
}

// chains_send sends the flow of each root, from the root and from sources inside its
// chains, and takes dependencies back to it. weight is by vertex. Along chains, weights
// has its prefix sums, and sent those of the sources' masses. Targets together weigh less
// than 2^unit.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void chains_send(const uint n, const uint junctions, const uint leads, const uint roots, const uint unit,
                 __global const uint *restrict arm_first, __global const uint *restrict arm_to,
                 __global const uint *restrict arm_length, __global const uint *restrict arm_chain,
                 __global const uint *restrict chain_first, __global const uint *restrict chain_end, __global const uint4 *restrict spots,
                 __global const double *restrict weight, __global const double *restrict weights,
                 __global const double *restrict sent, __global const uint *restrict root,
                 __global const double *restrict root_mass, __global const uint *restrict root_of,
                 __global const uint *restrict away, __global const double *restrict ways,
                 __global const uint *restrict order, __global const uint *restrict level_at,
                 __global const uint *restrict levels, __global double *mass, __global double *delta,
                 __global double *brought, __global uint *bins, __global double *score, __global double *checks) {
    const uint lid = get_local_id(0);
    mass += (size_t)get_group_id(0) * n;
    score += (size_t)get_group_id(0) * n;
    delta += (size_t)get_group_id(0) * junctions;
    brought += (size_t)get_group_id(0) * arm_first[junctions];
    bins += (size_t)get_group_id(0) * 3 * leads;
    for (uint r = get_group_id(0); r < roots; r += get_num_groups(0)) {
        __global const uint *d = away + (size_t)r * junctions, *o = order + (size_t)r * junctions;
        __global const uint *begins = level_at + (size_t)r * (junctions + 1);
        __global const double *s = ways + (size_t)r * junctions;
        const uint u = root[r];
        for (uint x = lid; x < n; x += GROUP)
            mass[x] = root_mass[r];
        for (uint t = lid; t < junctions; t += GROUP)
            delta[t] = 0;
        double by_root = 0, direct = 0; // of the first work-item
        for (uint arm = arm_first[u]; arm < arm_first[u + 1]; arm++) {
            const span c = span_of(arm_chain[arm], chain_first);
            const uint v = arm_to[arm], open = up_to(c, sent, c.length) > 0;
            const size_t other = open ? root_of[v] : r;
            __global const uint *dv = away + other * junctions;
            __global const double *sv = ways + other * junctions;
            for (uint i = lid; i < 3 * leads; i += GROUP)
                bins[i] = 0;
            barrier(ALL);
            uint run = 0; // weight of successive vertices with the same lead, as most have
            int of = 0;   // that lead
            for (uint x = lid; x < (open ? n : 0); x += GROUP) {
                uint a = x, b = x;
                int i = 0, length = 0;
                const uint inside = x >= junctions;
                if (inside) {
                    if (x - junctions - c.first < (uint)c.length - 1)
                        continue; // of this chain
                    const uint4 spot = spots[x - junctions];
                    a = spot.x, b = spot.y;
                    i = (int)spot.z, length = (int)spot.w;
                }
                const reach from_u = reach_of(d, s, inside, a, b, i, length);
                const reach from_v = reach_of(dv, sv, inside, a, b, i, length);
                const int lead = c.length + from_u.distance - from_v.distance, twice = 2 * c.length - lead;
                const double alone = up_to(c, sent, near_of(twice));
                const double tied = up_to(c, sent, next_of(twice, c.length)) - alone;
                const bool counts = x != u && x != v;
                double all = alone;
                if (counts) {
                    if (lead != of && run > 0) {
                        atomic_add(&bins[of], run);
                        run = 0;
                    }
                    of = lead;
                    run += (uint)weight[x];
                }
                if (tied != 0) {
                    const double share = from_u.paths / (from_u.paths + from_v.paths);
                    all += tied * share;
                    if (counts) {
                        const ulong fixed = (ulong)ldexp(weight[x] * share, 62 - (int)unit);
                        const uint low = (uint)fixed, before = atomic_add(&bins[leads + lead], low);
                        atomic_add(&bins[2 * leads + lead], (uint)(fixed >> 32) + (before + low < low));
                    }
                }
                mass[x] += all;
            }
            if (run > 0)
                atomic_add(&bins[of], run);
            barrier(ALL);
            if (open && lid == 0) {
                const int near = (c.length + (int)d[v] - 1) / 2, opposite = near + 1;
                const double outside = (c.length + (int)d[v]) % 2 == 0 ? s[v] * (1 / (1 + s[v])) : 1;
                double reached = 0, flow = 0, around = 0;
                uint lead = 0;
                for (int i = c.length - 1; i > 0; i--) {
                    for (; lead < 2 * (uint)(c.length - i); lead++)
                        reached += bins[lead];
                    const ulong fixed = (ulong)bins[2 * leads + lead] << 32 | bins[leads + lead];
                    const double tied = ldexp((double)fixed, (int)unit - 62), source = one(c, sent, i);
                    const double home = source * (1 - leaving(i, near, outside)) * weight[u];
                    const double back = source * behind(c, weights, i, near, outside);
                    const double out = back + source * (reached + tied + leaving(c.length - i, near, outside) * weight[v]);
                    score[junctions + place(c, i)] += flow;
                    around += back;
                    by_root += out;
                    direct += home;
                    flow += out + home + behind(c, sent, i, near, outside) * one(c, weights, i);
                }
                delta[v] += around;
                // Pairs joined inside the chain: the flow past a vertex, in whole
                // numbers.
                long pass = 0, tie = 0;
                for (int i = 1; i < c.length; i++) {
                    const long source = (long)one(c, sent, i), target = (long)one(c, weights, i);
                    pass -= (long)(up_to(c, sent, i - 1) - up_to(c, sent, i - opposite)) * target;
                    tie -= (long)one(c, sent, i - opposite) * target;
                    score[junctions + place(c, i)] += (double)pass + (1 - outside) * (double)tie;
                    const long begin = source * (long)(up_to(c, weights, i + near) - up_to(c, weights, i));
                    const long halved = source * (long)one(c, weights, i + opposite);
                    pass += begin;
                    tie += halved;
                    direct += (double)begin + (1 - outside) * (double)halved;
                }
            }
            barrier(ALL);
        }
        barrier(ALL);
        // Flow to an arm's end from the vertices inside it; it does not depend on what
        // lies behind them.
        for (uint arm = lid; arm < arm_first[junctions]; arm += GROUP) {
            const span c = span_of(arm_chain[arm], chain_first);
            const uint x = arm_to[arm], y = chain_end[arm_chain[arm]];
            const int twice = c.length + (int)d[x] - (int)d[y];
            const int near = near_of(twice), next = next_of(twice, c.length);
            double flow = 0;
            if (next != near)
                flow = mass[junctions + place(c, next)] * weight[junctions + place(c, next)] * (s[y] / (s[x] + s[y]));
            for (int i = near; i > 0; i--)
                flow += mass[junctions + place(c, i)] * weight[junctions + place(c, i)];
            brought[arm] = flow;
        }
        barrier(ALL);
        // From the farthest junctions back, each takes the flow of its arms.
        for (uint level = levels[r]; level-- > 0;) {
            for (uint k = begins[level] + lid; k < begins[level + 1]; k += GROUP) {
                const uint y = o[k];
                double sum = delta[y];
                for (uint arm = arm_first[y]; arm < arm_first[y + 1]; arm++) {
                    const uint x = arm_to[arm];
                    if (d[x] == d[y] + arm_length[arm])
                        sum += (mass[x] * weight[x] + delta[x]) / s[x] * s[y];
                    sum += brought[arm];
                }
                if (level > 0) {
                    delta[y] = sum;
                    score[y] += sum;
                } else { // the root, by the first work-item
                    score[u] += by_root;
                    checks[3 * (size_t)r] = sum;
                    checks[3 * (size_t)r + 1] = by_root;
                    checks[3 * (size_t)r + 2] = direct;
                }
            }
            barrier(ALL);
        }
        // Vertices inside arms: flow from behind passes them.
        for (uint arm = lid; arm < arm_first[junctions]; arm += GROUP) {
            const span c = span_of(arm_chain[arm], chain_first);
            const uint x = arm_to[arm], y = chain_end[arm_chain[arm]];
            const int twice = c.length + (int)d[x] - (int)d[y];
            const int near = near_of(twice), next = next_of(twice, c.length);
            double flow = 0;
            if (twice == 2 * c.length)
                flow = (mass[x] * weight[x] + delta[x]) / s[x] * s[y];
            if (next != near)
                flow = mass[junctions + place(c, next)] * weight[junctions + place(c, next)] * (s[y] / (s[x] + s[y]));
            for (int i = near; i > 0; i--) {
                const uint at = junctions + place(c, i);
                if (flow != 0)
                    score[at] += flow;
                flow += mass[at] * weight[at];
            }
        }
        barrier(ALL);
    }
}

// chains_clear empties the scores of all work-groups.
__kernel void chains_clear(const uint n, const uint groups, __global double *score) {
    for (size_t i = get_global_id(0); i < (size_t)groups * n; i += get_global_size(0))
        score[i] = 0;
}

// chains_fold adds up the scores of all work-groups.
__kernel void chains_fold(const uint n, const uint groups, __global const double *restrict score,
                          __global double *scores) {
    for (size_t v = get_global_id(0); v < n; v += get_global_size(0)) {
        double sum = 0;
        for (size_t g = 0; g < groups; g++)
            sum += score[g * n + v];
        scores[v] = sum;
    }
}
