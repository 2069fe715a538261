// Blocks whose arcs have lengths: near-by sources share rows, but each has distances of its
// own. A work-group searches from all sources of its pack, to the end; packs do not wait for
// each other.
//
//   away     [pack][vertex][lane]  distance; `beyond`, larger than any, where not reached
//   before   [pack][arc in]        lanes that have the arc on a shortest path, by the vertex it leads to
//   after    [pack][arc out]       the same, by the vertex it leaves; in an undirected graph arcs in are
//                                  the arcs out, each seen from its other end
//   reached  [pack][vertex]        lanes that have a distance
//   settled  [pack][vertex]        lanes that are done: with the path count, or the backward pass
//   paths    [pack][vertex][lane]  S, and after the backward pass D
//   shares   [pack][vertex][lane]  c
//   broken   [pack]                lanes whose distances are proven wrong: see lengths_link
//   lists    [pack][3][vertex]     room for lists of vertices; no launch reads another's
//   marks    [pack][2][word]       which vertices are on lists, where local memory has no room for it
//
// Distances are found by correcting labels: a vertex whose distance falls in some lane is put
// on a list, and offers its row to the neighbours. Vertices beyond a window's end wait for
// the next window (U. Meyer, P. Sanders, "Delta-stepping", J. Algorithms 49, 2003; the two
// lists are those of A. Davidson et al., "Work-efficient parallel GPU methods for
// single-source shortest paths", IPDPS 2014). Path counts and the backward pass take a vertex
// when all terms of its sums are there, in all lanes if possible. Lanes may wait for each
// other crosswise; then they are taken apart. Each lane of a vertex is summed up once, in the
// order of the arcs.

#define ALL (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define TOGETHER 4u // arcs whose rows a team has on their way at a time

// far is a distance, or a length: neither passes 2^31, or if WIDE 2^62.
#ifdef WIDE
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
typedef ulong far;
#define join(low, high) ((far)(high) << 32 | (low))
#define lower atom_min
#define unchanged(at) atom_or(at, 0)
#else
typedef uint far;
#define join(low, high) (low)
#define lower atomic_min
#define unchanged(at) atomic_or(at, 0)
#endif

// MARKED is the number of words of marks, where they fit local memory; without it they are in
// global.
#ifdef MARKED
#define MARKS __local
#else
#define MARKS __global
#endif

// put puts a vertex on a list, unless its mark says that it is there.
void put(MARKS uint *marked, const uint v, __local uint *count, __global uint *list) {
    const uint bit = 1u << v % 32;
    if (!(atomic_or(&marked[v / 32], bit) & bit))
        list[atomic_inc(count)] = v;
}

// peek reads a number that other work-items may be lowering.
#ifdef WARP
#define peek(at) (*(at))
#else
#define peek(at) unchanged(at)
#endif

void unmark(MARKS uint *marked, const uint v) { atomic_and(&marked[v / 32], ~(1u << v % 32)); }

// taken returns a count and resets it.
uint taken(__local uint *kept) {
    barrier(ALL);
    const uint count = *kept;
    barrier(ALL);
    if (get_local_id(0) == 0)
        *kept = 0;
    barrier(ALL);
    return count;
}

#ifdef MARKED
#define MAKE_MARKS(words)                        \
    __local uint waiting[MARKED], late[MARKED];
#else
#define MAKE_MARKS(words)                                                         \
    __global uint *waiting = marks + (size_t)get_group_id(0) * 2 * (words), *late = waiting + (words);
#endif

// lengths_search finds all distances, each less than `beyond`, in windows of `width`.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lengths_search(const uint n, const uint beyond_low, const uint beyond_high,
                    const uint width_low, const uint width_high, __global const uint *restrict ptr,
                    __global const uint *restrict adj, __global const far *restrict length,
                    __global const uint *restrict source, __global far *away, __global uint *broken,
                    __global uint *lists, __global uint *marks) {
    const uint lid = get_local_id(0), lane = lid % TEAM, me = lid / TEAM, words = (n + 31) / 32;
    const uint pack = get_group_id(0);
    MAKE_MARKS(words)
    __local uint kept;
    const far beyond = join(beyond_low, beyond_high), width = join(width_low, width_high);
    __global far *d = away + (size_t)pack * n * TEAM;
    __global uint *here = lists + (size_t)pack * 3 * n, *then = here + n;
    for (uint i = lid; i < words; i += GROUP)
        waiting[i] = late[i] = 0;
    for (size_t i = lid; i < (size_t)n * TEAM; i += GROUP)
        d[i] = beyond;
    if (lid == 0)
        kept = broken[pack] = 0;
    barrier(ALL);
    if (lid < TEAM && source[pack * TEAM + lid] != NONE) {
        const uint s = source[pack * TEAM + lid];
        d[(size_t)s * TEAM + lid] = 0;
        put(waiting, s, &kept, here);
    }
    far end = min(width, beyond);
    for (uint count = taken(&kept); count;) {
        for (uint k = lid; k < count; k += GROUP) {
            unmark(waiting, here[k]);
            unmark(late, here[k]);
        }
        barrier(ALL);
        for (uint k = me; k < count; k += TEAMS) {
            const uint x = here[k], last = ptr[x + 1];
            const far from = peek(&d[(size_t)x * TEAM + lane]);
            for (uint e = ptr[x]; e < last; e += TOGETHER) {
                uint y[TOGETHER];
                far offer[TOGETHER], old[TOGETHER];
                #pragma unroll
                for (uint i = 0; i < TOGETHER; i++) {
                    const uint at = min(e + i, last - 1);
                    y[i] = adj[at];
                    offer[i] = from + length[at];
                }
                #pragma unroll
                for (uint i = 0; i < TOGETHER; i++)
                    old[i] = peek(&d[(size_t)y[i] * TEAM + lane]);
                #pragma unroll
                for (uint i = 0; i < TOGETHER; i++) {
                    const uint nearer = e + i < last && offer[i] < old[i];
                    if (nearer)
                        lower(&d[(size_t)y[i] * TEAM + lane], offer[i]);
#ifdef WARP
                    const uint some = ballot(nearer), soon = ballot(nearer && offer[i] < end);
                    if (lane == 0 && some) {
                        if (soon)
                            put(waiting, y[i], &kept, then);
                        else
                            atomic_or(&late[y[i] / 32], 1u << y[i] % 32);
                    }
#else
                    if (nearer) {
                        if (offer[i] < end)
                            put(waiting, y[i], &kept, then);
                        else
                            atomic_or(&late[y[i] / 32], 1u << y[i] % 32);
                    }
#endif
                }
            }
        }
        __global uint *other = here;
        here = then;
        then = other;
        count = taken(&kept);
        if (count == 0) { // the window is done
            end = min(end + width, beyond);
            for (uint i = lid; i < words; i += GROUP) {
                uint bits = late[i];
                if (bits) {
                    waiting[i] = bits;
                    for (uint at = atomic_add(&kept, popcount(bits)); bits; bits &= bits - 1)
                        here[at++] = i * 32 + lowest(bits);
                }
            }
            count = taken(&kept);
        }
    }
}

// tight gives the lanes in which an arc of this length from u to v is on a shortest path.
uint tight(__global const far *u, __global const far *v, const far length, const far beyond) {
    uint lanes = 0;
    for (uint lane = 0; lane < TEAM; lane++)
        lanes |= (uint)(v[lane] < beyond && u[lane] + length == v[lane]) << lane;
    return lanes;
}

// loose gives the lanes in which the arc would shorten the distance of v.
uint loose(__global const far *u, __global const far *v, const far length) {
    uint lanes = 0;
    for (uint lane = 0; lane < TEAM; lane++)
        lanes |= (uint)(u[lane] + length < v[lane]) << lane;
    return lanes;
}

// lengths_link finds the arcs on shortest paths. Columns of work-groups are packs. Distances
// are right if no arc shortens one and every vertex that is reached has a predecessor, which
// lengths_count checks.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lengths_link(const uint n, const uint beyond_low, const uint beyond_high, const uint arcs, __global const uint *restrict ptr,
                  __global const uint *restrict adj, __global const far *restrict length,
                  __global const uint *restrict in_ptr, __global const uint *restrict in_adj,
                  __global const far *restrict in_length, __global const far *restrict away,
                  __global uint *before, __global uint *after, __global uint *reached,
                  __global uint *broken) {
    const uint lane = get_local_id(0) % TEAM, me = get_local_id(0) / TEAM;
    const size_t pack = get_group_id(1);
    const far beyond = join(beyond_low, beyond_high);
    __global const far *d = away + pack * n * TEAM;
    before += pack * arcs;
    after += pack * arcs;
    reached += pack * n;
    uint wrong = 0;
    for (uint x = get_group_id(0) * TEAMS + me; x < n; x += get_num_groups(0) * TEAMS) {
#ifdef WARP
        const far here = d[(size_t)x * TEAM + lane];
        const uint some = ballot(here < beyond);
        if (lane == 0)
            reached[x] = some;
        for (uint first = ptr[x], last = ptr[x + 1]; first < last; first += TEAM) {
            const uint e = min(first + lane, last - 1), y = adj[e];
            uint ours = 0;
#ifndef DIRECTED
            uint theirs = 0;
#endif
            for (uint i = 0; i < min(TEAM, last - first); i++) {
                const far other = d[(size_t)take(y, i) * TEAM + lane], l = length[first + i];
                const uint out = ballot(other < beyond && here + l == other);
                wrong |= (uint)(here + l < other) << lane;
                ours = lane == i ? out : ours;
#ifndef DIRECTED
                const uint in = ballot(here < beyond && other + l == here);
                theirs = lane == i ? in : theirs;
#endif
            }
            if (first + lane < last) {
                after[e] = ours;
#ifndef DIRECTED
                before[e] = theirs;
#endif
            }
        }
#ifdef DIRECTED
        for (uint first = in_ptr[x], last = in_ptr[x + 1]; first < last; first += TEAM) {
            const uint e = min(first + lane, last - 1), y = in_adj[e];
            uint theirs = 0;
            for (uint i = 0; i < min(TEAM, last - first); i++) {
                const far other = d[(size_t)take(y, i) * TEAM + lane], l = in_length[first + i];
                const uint in = ballot(here < beyond && other + l == here);
                theirs = lane == i ? in : theirs;
            }
            if (first + lane < last)
                before[e] = theirs;
        }
#endif
#else
        __global const far *here = d + (size_t)x * TEAM;
        if (lane == 0) {
            uint some = 0;
            for (uint i = 0; i < TEAM; i++)
                some |= (uint)(here[i] < beyond) << i;
            reached[x] = some;
        }
        for (uint e = ptr[x] + lane; e < ptr[x + 1]; e += TEAM) {
            after[e] = tight(here, d + (size_t)adj[e] * TEAM, length[e], beyond);
            wrong |= loose(here, d + (size_t)adj[e] * TEAM, length[e]);
        }
        for (uint e = in_ptr[x] + lane; e < in_ptr[x + 1]; e += TEAM)
            before[e] = tight(d + (size_t)in_adj[e] * TEAM, here, in_length[e], beyond);
#endif
    }
    if (wrong)
        atomic_or(&broken[pack], wrong);
}
