// Distances alone, from 256 sources at once: a row is a bit for each, 32 bytes, and
// one launch advances every pack of the wave by one level, in pull form. A vertex
// looks at its neighbours until all lanes that it misses are met, which is soon
// where hubs come first among them; paths could not be counted so.
//
//   here, next  [pack][vertex][word]  lanes that meet the vertex in this level, and in the next
//   seen        [pack][vertex][word]  lanes that have met it; those not in use count
//   counts      [vertex]              lanes of all packs that meet it in the level
//   totals      [5][vertex]           over lanes and levels, as bitlanes_settle says
//   met, open   [level mod 3][pack]   1 if in that level some vertex was met, and some misses
//                                     lanes; a pack goes on while both are
//
// In an undirected graph a distance has no direction, so that what a vertex is met
// by is what it reaches: no lane has a sum of its own. See preprocess.Found.
// The row of bits is that of M. Then et al., "The more the merrier: efficient
// multi-source graph traversal", VLDB 2014.

#define ROWS (GROUP / WORDS) // rows that a work-group has at hand

// bitlanes_clear empties the wave; used[pack] lanes are in use.
__kernel void bitlanes_clear(const uint n, __global const uint *restrict used, __global uint *here,
                             __global uint *seen) {
    const uint pack = get_global_id(1), count = used[pack];
    const size_t size = (size_t)n * WORDS;
    here += pack * size;
    seen += pack * size;
    for (size_t i = get_global_id(0); i < size; i += get_global_size(0)) {
        const uint word = i % WORDS;
        here[i] = 0;
        seen[i] = word < count / TEAM ? 0 : word == count / TEAM ? ~0u << count % TEAM : ~0u;
    }
}

// bitlanes_seed puts the sources in place: source[pack*LANES + lane], or NONE.
__kernel void bitlanes_seed(const uint n, const uint packs, __global const uint *restrict source,
                            __global uint *here, __global uint *seen, __global uint *met, __global uint *open) {
    const uint i = get_global_id(0), pack = i / LANES, lane = i % LANES;
    if (pack >= packs)
        return;
    if (lane == 0)
        for (uint level = 0; level < 3; level++)
            met[level * packs + pack] = open[level * packs + pack] = level == 0;
    if (source[i] == NONE)
        return;
    const size_t word = ((size_t)pack * n + source[i]) * WORDS + lane / TEAM;
    atomic_or(&here[word], 1u << lane % TEAM);
    atomic_or(&seen[word], 1u << lane % TEAM);
}

// bitlanes_level finds the level, which is 1 at least. Work-groups below `hubs` take
// one vertex of more than `most` edges each; the others ROWS vertices of at most so
// many. A work-item is for one word of a row, and the eight of a row read it
// together; each ends when its own word misses nothing.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bitlanes_level(const uint n, const uint packs, const uint level, const uint hubs, const uint most,
                    __global const uint *restrict ptr, __global const uint *restrict adj,
                    __global const uint *restrict hub, __global const uint *restrict here, __global uint *next,
                    __global uint *seen, __global uint *counts, __global uint *met, __global uint *open) {
    __local uint need[WORDS], got[WORDS]; // of a hub
    __local uint fresh[ROWS], some, more;
    const uint pack = get_group_id(1), group = get_group_id(0), lid = get_local_id(0);
    const uint word = lid % WORDS, row = lid / WORDS;
    const uint before = (level - 1) % 3 * packs + pack, now = level % 3 * packs + pack;
    if (met[before] == 0 || open[before] == 0)
        return;
    const size_t base = (size_t)pack * n * WORDS;
    here += base;
    next += base;
    seen += base;
    if (lid == 0)
        some = more = 0;
    if (word == 0)
        fresh[row] = 0;

    uint found = 0, missing = 0, v = NONE;
    if (group < hubs) {
        const uint of = hub[group], first = ptr[of], degree = ptr[of + 1] - first;
        const uint mine = ~seen[(size_t)of * WORDS + word];
        if (row == 0)
            need[word] = mine, got[word] = 0;
        for (uint e = 0;; e += 16 * ROWS) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint left = 0;
            for (uint k = 0; k < WORDS; k++)
                left |= need[k] & ~got[k];
            if (left == 0 || e >= degree)
                break;
            barrier(CLK_LOCAL_MEM_FENCE); // before anyone adds to it
            uint strip = 0;
            for (uint i = e + row; i < min(degree, e + 16 * ROWS); i += ROWS)
                strip |= here[(size_t)adj[first + i] * WORDS + word];
            if (strip & mine)
                atomic_or(&got[word], strip & mine);
        }
    } else {
        const uint of = (group - hubs) * ROWS + row;
        const uint first = of < n ? ptr[of] : 0, degree = of < n ? ptr[of + 1] - first : 0;
        if (of < n && degree <= most) {
            const size_t at = (size_t)of * WORDS + word;
            const uint have = seen[at];
            v = of;
            missing = ~have;
            for (uint e = 0; e < degree && (missing & ~found); e += 8) {
                uint strip[8];
                #pragma unroll
                for (uint i = 0; i < 8; i++)
                    strip[i] = here[(size_t)adj[first + min(e + i, degree - 1)] * WORDS + word];
                #pragma unroll
                for (uint i = 0; i < 8; i++)
                    found |= strip[i];
            }
            found &= missing;
            missing &= ~found;
            next[at] = found;
            if (found)
                seen[at] = have | found;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (group < hubs && row == 0) {
        v = hub[group];
        found = got[word];
        missing = need[word] & ~found;
        next[(size_t)v * WORDS + word] = found;
        if (found)
            seen[(size_t)v * WORDS + word] = ~need[word] | found;
    }
    if (found) {
        atomic_add(&fresh[row], popcount(found));
        atomic_or(&some, 1u);
    }
    if (missing)
        atomic_or(&more, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (word == 0 && v != NONE && fresh[row])
        atomic_add(&counts[v], fresh[row]);
    if (lid == 0 && some)
        atomic_or(&met[now], 1u);
    if (lid == 0 && more)
        atomic_or(&open[now], 1u);
}

// bitlanes_settle adds what a level has counted to the totals, and makes room for the
// next but one. inverse is 1/level in units of Found.Harmonic, in two halves, of
// which the totals have one each, so that none passes 64 bits:
//
//   totals[0]  lanes that have met the vertex
//   totals[1]  sum of their distances
//   totals[2]  sum of the low halves of their inverses
//   totals[3]  sum of the high halves
//   totals[4]  largest distance
__kernel void bitlanes_settle(const uint n, const uint packs, const uint level, const uint low, const uint high,
                              __global uint *counts, __global ulong *totals, __global uint *met,
                              __global uint *open) {
    for (size_t v = get_global_id(0); v < n; v += get_global_size(0)) {
        const ulong count = counts[v];
        if (count == 0)
            continue;
        counts[v] = 0;
        totals[v] += count;
        totals[(size_t)n + v] += count * level;
        totals[2 * (size_t)n + v] += count * low;
        totals[3 * (size_t)n + v] += count * high;
        totals[4 * (size_t)n + v] = max(totals[4 * (size_t)n + v], (ulong)level);
    }
    for (size_t pack = get_global_id(0); pack < packs; pack += get_global_size(0))
        met[(level + 1) % 3 * packs + pack] = open[(level + 1) % 3 * packs + pack] = 0;
}
