// Distances alone, from 256 sources at once. A row has a bit for each source, 32 bytes,
// and one launch advances every pack of the wave by one level, in pull form. A vertex
// looks at its neighbours until all lanes that it misses are met, which is soon where
// hubs come first among them; paths could not be counted so. A bit per vertex says
// which rows are worth reading. Most are not: rows of neighbours that no lane has just
// met, and of vertices that miss no lane.
//
//   here, next  [pack][vertex][word]  lanes that meet the vertex in this level, and in the next;
//                                     undefined outside the level's frontier
//   seen        [pack][vertex][word]  lanes that have met it; those not in use count
//   front       [level mod 3][pack][bit of a vertex]  some lane meets it in that level
//   touched     [level mod 3][pack][bit of a vertex]  a neighbour is in the frontier before; set only if
//                                     the one before that had fewer than `small` vertices
//   shut        [pack][bit of a vertex]  it misses no lane, since some earlier level
//   shuts       [pack][bit of a vertex]  since this level
//   counts      [vertex]              lanes of all packs that meet it in the level
//   totals      [5][vertex]           over lanes and levels, as bitlanes_settle says
//   met         [level mod 3][pack]   vertices of the frontier
//   done        [pack]                vertices that miss nothing
//   over        [pack]                1 when nothing is left to find
//
// A vertex of an undirected graph reaches the sources that meet it, at the same
// distance. So sums are kept by vertex, and no lane has a sum of its own. See
// engine.Found. The row of bits is that of M. Then et al., "The more the merrier:
// efficient multi-source graph traversal", VLDB 2014.

#define ROWS (GROUP / WORDS) // rows of a work-group

// bitlanes_clear empties the wave; used[pack] lanes are in use.
__kernel void bitlanes_clear(const uint n, const uint packs, __global const uint *restrict used,
                             __global uint *here, __global uint *seen, __global uint *front,
                             __global uint *touched, __global uint *shut, __global uint *shuts,
                             __global uint *met, __global uint *done, __global uint *over) {
    const uint pack = get_global_id(1), count = used[pack], bits = (n + TEAM - 1) / TEAM;
    const size_t size = (size_t)n * WORDS;
    here += pack * size;
    seen += pack * size;
    for (size_t i = get_global_id(0); i < size; i += get_global_size(0)) {
        const uint word = i % WORDS;
        here[i] = 0;
        seen[i] = word < count / TEAM ? 0 : word == count / TEAM ? ~0u << count % TEAM : ~0u;
    }
    for (size_t i = get_global_id(0); i < bits; i += get_global_size(0)) {
        for (uint level = 0; level < 3; level++) {
            const size_t at = ((size_t)level * packs + pack) * bits + i;
            front[at] = touched[at] = 0;
        }
        shut[(size_t)pack * bits + i] = shuts[(size_t)pack * bits + i] = 0;
    }
    if (get_global_id(0) == 0) {
        for (uint level = 0; level < 3; level++)
            met[level * packs + pack] = 0;
        done[pack] = over[pack] = 0;
    }
}

// bitlanes_seed sets the sources, source[pack*LANES + lane] or NONE, and finds level 1:
// a work-group takes the edges of each.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bitlanes_seed(const uint n, const uint packs, __global const uint *restrict source,
                   __global const uint *restrict ptr, __global const uint *restrict adj, __global uint *here,
                   __global uint *seen, __global uint *front, __global uint *counts, __global uint *met) {
    const uint lane = get_group_id(0), pack = get_group_id(1), s = source[pack * LANES + lane];
    if (s == NONE)
        return;
    const uint bits = (n + TEAM - 1) / TEAM, bit = 1u << lane % TEAM;
    const size_t base = (size_t)pack * n * WORDS + lane / TEAM;
    here += base;
    seen += base;
    front += ((size_t)packs + pack) * bits;
    if (get_local_id(0) == 0)
        atomic_or(&seen[(size_t)s * WORDS], bit);
    uint fresh = 0;
    for (uint e = ptr[s] + get_local_id(0); e < ptr[s + 1]; e += GROUP) {
        const uint v = adj[e];
        atomic_or(&here[(size_t)v * WORDS], bit);
        atomic_or(&seen[(size_t)v * WORDS], bit);
        atomic_add(&counts[v], 1);
        fresh += (~atomic_or(&front[v / TEAM], 1u << v % TEAM) >> v % TEAM) & 1;
    }
    if (fresh)
        atomic_add(&met[packs + pack], fresh);
}

// marks sets the touched bits of a vertex's neighbours: only these can be met in the
// next level. The work-item takes every `step`-th edge from `first` on.
void marks(const uint v, const uint first, const uint step, __global const uint *restrict ptr,
           __global const uint *restrict adj, __global uint *touched) {
    for (uint e = ptr[v] + first; e < ptr[v + 1]; e += step) {
        const uint u = adj[e];
#ifdef WARP
        if (touched[u / TEAM] >> u % TEAM & 1) // a stale read sets the bit twice
            continue;
#endif
        atomic_or(&touched[u / TEAM], 1u << u % TEAM);
    }
}

// bitlanes_level finds a level, from 2 on. Work-groups below `hubs` take one vertex of
// more than `most` edges each; the others take several vertices of at most `most`
// edges. A work-item computes one word of a row, and the eight of a row read it
// together. Under WARP 32 work-items take `span` vertices, a power of two up to 1024.
// After a frontier of fewer than `small` vertices the launch marks the neighbours of
// the vertices it finds, and the next launch looks only at these. Edges in_adj lead to
// the vertices that a vertex is met from, adj to those it leads to.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bitlanes_level(const uint n, const uint packs, const uint level, const uint small, const uint span,
                    const uint hubs, const uint most,
                    __global const uint *restrict ptr, __global const uint *restrict adj,
                    __global const uint *restrict in_ptr, __global const uint *restrict in_adj,
                    __global const uint *restrict hub, __global const uint *restrict here, __global uint *next,
                    __global uint *seen, __global uint *counts, __global uint *front, __global uint *touched,
                    __global const uint *restrict shut, __global uint *shuts, __global uint *met,
                    __global uint *done, __global const uint *restrict over) {
    __local uint need[WORDS], got[WORDS]; // of a hub
    __local uint fresh[ROWS], left[ROWS], some, full;
    const uint pack = get_group_id(1), group = get_group_id(0), lid = get_local_id(0);
    if (over[pack])
        return;
    const uint word = lid % WORDS, row = lid / WORDS, bits = (n + TEAM - 1) / TEAM;
    const uint now = level % 3 * packs + pack, before = (level + 2) % 3 * packs + pack;
    const uint earlier = (level + 1) % 3 * packs + pack;
    const bool narrow = level > 2 && met[earlier] < small; // then touched is known
    const bool mark = met[before] < small;
    const size_t base = (size_t)pack * n * WORDS;
    here += base;
    next += base;
    seen += base;
    __global const uint *lit = front + (size_t)before * bits;
    __global const uint *may = touched + (size_t)now * bits;
    __global uint *after = touched + (size_t)earlier * bits; // of the next level, modulo 3
    front += (size_t)now * bits;
    shut += (size_t)pack * bits;
    shuts += (size_t)pack * bits;

#ifdef WARP
    if (group >= hubs) {
        // A team has `span` vertices. Its work-items read their words of bits together,
        // and it takes four vertices worth a look at a time. Each gets eight
        // work-items, one per word of a row, which look at eight edges together.
        const uint lane = lid % TEAM, of = lane & ~(WORDS - 1); // the first of the eight
        const uint from = ((group - hubs) * TEAMS + lid / TEAM) * span;
        const uint mine = from / TEAM + lane;
        uint worth = 0;
        if (from < n && lane < (span + TEAM - 1) / TEAM && mine < bits)
            worth = ~shut[mine] & (narrow ? may[mine] : ~0u);
        if (span < TEAM)
            worth &= ~0u >> (TEAM - span) << from % TEAM;
        if (mine == n / TEAM)
            worth &= (1u << n % TEAM) - 1;
        for (uint rest = ballot(worth); rest; rest &= rest - 1) {
            const uint which = from / TEAM + lowest(rest);
            uint todo = take(worth, lowest(rest)), lights = 0, closed = 0;
            while (todo) {
                uint left = todo;
                for (uint k = 0; k < of; k += WORDS)
                    left &= left - 1;
                for (uint k = 0; k < TEAM / WORDS; k++)
                    todo &= todo - 1;
                uint v = left ? which * TEAM + lowest(left) : NONE, e = 0, end = 0;
                if (v != NONE) {
                    e = in_ptr[v], end = in_ptr[v + 1];
                    if (end - e > most)
                        v = NONE;
                }
                const size_t at = (size_t)v * WORDS + word;
                const uint have = v == NONE ? ~0u : seen[at];
                uint found = 0;
                for (;;) {
                    const uint opens = ballot(~(have | found) && e < end);
                    if (opens == 0)
                        break;
                    uint u = 0, hit = 0;
                    if ((opens >> of & 0xff) && e + word < end) {
                        u = in_adj[e + word];
                        hit = lit[u / TEAM] >> u % TEAM & 1;
                    }
                    for (uint hits = ballot(hit) >> of & 0xff; ballot(hits);) {
                        uint strip[4];
                        #pragma unroll
                        for (uint k = 0; k < 4; k++) {
                            const uint w = take(u, of + (hits ? lowest(hits) : 0));
                            strip[k] = 0;
                            if (hits)
                                strip[k] = here[(size_t)w * WORDS + word];
                            hits &= hits - 1;
                        }
                        found |= strip[0] | strip[1] | strip[2] | strip[3];
                    }
                    e += WORDS;
                }
                found &= ~have;
                const uint news = ballot(found) >> of & 0xff, misses = ballot(~(have | found)) >> of & 0xff;
                uint count = popcount(found);
                count += take(count, lane ^ 1);
                count += take(count, lane ^ 2);
                count += take(count, lane ^ 4);
                if (v != NONE && news) {
                    next[at] = found;
                    if (found)
                        seen[at] = have | found;
                    if (word == 0)
                        atomic_add(&counts[v], count);
                    lights |= 1u << v % TEAM;
                    if (mark)
                        marks(v, word, WORDS, ptr, adj, after);
                }
                if (v != NONE && misses == 0)
                    closed |= 1u << v % TEAM;
            }
            lights |= take(lights, lane ^ 8);
            lights |= take(lights, lane ^ 16);
            closed |= take(closed, lane ^ 8);
            closed |= take(closed, lane ^ 16);
            if (lane == 0 && lights) {
                atomic_or(&front[which], lights);
                atomic_add(&met[now], popcount(lights));
            }
            if (lane == 0 && closed) {
                atomic_or(&shuts[which], closed);
                atomic_add(&done[pack], popcount(closed));
            }
        }
        return;
    }
#endif
    if (lid == 0)
        some = full = 0;
    if (word == 0)
        fresh[row] = left[row] = 0;
    uint v = NONE, found = 0, have = ~0u;
    if (group < hubs) {
        const uint of = hub[group], first = in_ptr[of], degree = in_ptr[of + 1] - first;
        const bool idle = (shut[of / TEAM] | (narrow ? ~may[of / TEAM] : 0)) >> of % TEAM & 1;
        const uint mine = idle ? 0 : ~seen[(size_t)of * WORDS + word];
        if (row == 0)
            need[word] = mine, got[word] = 0;
        uint strip = 2 * ROWS;
        for (uint e = 0;; e += strip, strip = min(2 * strip, 16u * ROWS)) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint open = 0;
            for (uint k = 0; k < WORDS; k++)
                open |= need[k] & ~got[k];
            if (open == 0 || e >= degree)
                break;
            barrier(CLK_LOCAL_MEM_FENCE); // before anyone adds to it
            uint sum = 0;
            const uint end = min(degree, e + strip);
            for (uint i = e + row; i < end; i += ROWS) {
                const uint u = in_adj[first + i];
                if (lit[u / TEAM] >> u % TEAM & 1)
                    sum |= here[(size_t)u * WORDS + word];
            }
            if (sum & mine)
                atomic_or(&got[word], sum & mine);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row == 0 && !idle)
            v = of, found = got[word], have = ~mine;
    } else {
        v = (group - hubs) * ROWS + row;
        if (v >= n || in_ptr[v + 1] - in_ptr[v] > most || (shut[v / TEAM] | (narrow ? ~may[v / TEAM] : 0)) >> v % TEAM & 1)
            v = NONE;
        if (v != NONE) {
            have = seen[(size_t)v * WORDS + word];
            const uint end = in_ptr[v + 1];
            for (uint e = in_ptr[v]; e < end && ~(have | found); e += 8) {
                uint strip[8];
                #pragma unroll
                for (uint k = 0; k < 8; k++) {
                    const uint u = in_adj[min(e + k, end - 1)];
                    strip[k] = lit[u / TEAM] >> u % TEAM & 1 ? here[(size_t)u * WORDS + word] : 0;
                }
                #pragma unroll
                for (uint k = 0; k < 8; k++)
                    found |= strip[k];
            }
            found &= ~have;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (found)
        atomic_add(&fresh[row], popcount(found));
    if (~(have | found))
        atomic_or(&left[row], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v != NONE && fresh[row]) {
        next[(size_t)v * WORDS + word] = found;
        seen[(size_t)v * WORDS + word] = have | found;
    }
    if (mark && group < hubs && fresh[0])
        marks(hub[group], lid, GROUP, ptr, adj, after);
    else if (mark && fresh[row])
        marks(v, word, WORDS, ptr, adj, after);
    if (v != NONE && word == 0) {
        if (fresh[row]) {
            atomic_add(&counts[v], fresh[row]);
            atomic_or(&front[v / TEAM], 1u << v % TEAM);
            atomic_add(&some, 1u);
        }
        if (left[row] == 0) {
            atomic_or(&shuts[v / TEAM], 1u << v % TEAM);
            atomic_add(&full, 1u);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0 && some)
        atomic_add(&met[now], some);
    if (lid == 0 && full)
        atomic_add(&done[pack], full);
}

// bitlanes_settle adds the counts of a level to the totals, makes room for the levels
// to come, and says which packs have nothing left to find. Arguments low and high are
// the two halves of 1/level in units of Found.Harmonic. Each has a total of its own, so
// that none passes 64 bits:
//
//   totals[0]  lanes that have met the vertex
//   totals[1]  sum of their distances
//   totals[2]  sum of the low halves of their inverses
//   totals[3]  sum of the high halves
//   totals[4]  largest distance
__kernel void bitlanes_settle(const uint n, const uint packs, const uint level, const uint low, const uint high,
                              __global uint *counts, __global ulong *totals, __global uint *front,
                              __global uint *touched, __global uint *shut, __global uint *shuts,
                              __global uint *met, __global const uint *restrict done, __global uint *over) {
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
    const size_t size = (size_t)packs * ((n + TEAM - 1) / TEAM);
    for (size_t i = get_global_id(0); i < size; i += get_global_size(0)) {
        front[(level + 1) % 3 * size + i] = touched[(level + 2) % 3 * size + i] = 0;
        shut[i] |= shuts[i];
        shuts[i] = 0;
    }
    for (size_t pack = get_global_id(0); pack < packs; pack += get_global_size(0)) {
        if (met[level % 3 * packs + pack] == 0 || done[pack] == n)
            over[pack] = 1;
        met[(level + 1) % 3 * packs + pack] = 0;
    }
}
