// Hops from up to 32*words sources at once: a row of words has a bit for each. A launch
// advances all of them by one level, in pull form. As only distances are needed, a vertex looks
// at its neighbours until it has met all lanes that it misses.
//
//   here, next  [vertex][word]  lanes that meet the vertex in the last level, and in this one
//   seen        [vertex][word]  lanes that have met it; unused lanes count as met
//   far         [lane][vertex]  distances; NONE: not met
//   met         [level mod 3]   not 0 if a vertex was met in that level

// lanes_clear clears rows; count lanes are in use.
__kernel void lanes_clear(const uint n, const uint words, const uint count, __global uint *here, __global uint *seen,
                          __global uint *far, __global uint *met) {
    const size_t size = (size_t)n * words, all = (size_t)n * count;
    for (size_t i = get_global_id(0); i < size; i += get_global_size(0)) {
        const uint first = i % words * 32;
        here[i] = 0;
        seen[i] = count >= first + 32 ? 0 : count <= first ? NONE : NONE << (count - first);
    }
    for (size_t i = get_global_id(0); i < all; i += get_global_size(0))
        far[i] = NONE;
    if (get_global_id(0) < 3)
        met[get_global_id(0)] = get_global_id(0) == 0;
}

// lanes_seed enters the sources.
__kernel void lanes_seed(const uint n, const uint words, const uint count, __global const uint *sources,
                         __global uint *here, __global uint *seen, __global uint *far) {
    for (uint lane = get_global_id(0); lane < count; lane += get_global_size(0)) {
        const size_t at = (size_t)sources[lane] * words + lane / 32;
        atomic_or(&here[at], 1u << lane % 32);
        atomic_or(&seen[at], 1u << lane % 32);
        far[(size_t)lane * n + sources[lane]] = 0;
    }
}

// lanes_level finds the level, 1 or more, along the arcs that lead to a vertex.
__kernel void lanes_level(const uint n, const uint words, const uint level, __global const uint *in_ptr,
                          __global const uint *in_adj, __global const uint *here, __global uint *next,
                          __global uint *seen, __global uint *far, __global uint *met) {
    __local uint some;
    if (met[(level + 2) % 3] == 0) { // nothing can follow, nor in the levels launched after this
        if (get_global_id(0) == 0)
            met[(level + 1) % 3] = 0;
        return;
    }
    if (get_local_id(0) == 0)
        some = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t size = (size_t)n * words;
    for (size_t i = get_global_id(0); i < size; i += get_global_size(0)) {
        const uint have = seen[i], v = i / words, word = i % words;
        uint found = 0;
        if (~have) {
            const uint end = in_ptr[v + 1];
            for (uint e = in_ptr[v]; e < end && (~have & ~found); e += 4) {
                uint strip[4]; // loads that do not wait for each other
                for (uint k = 0; k < 4; k++)
                    strip[k] = here[(size_t)in_adj[min(e + k, end - 1)] * words + word];
                found |= strip[0] | strip[1] | strip[2] | strip[3];
            }
            found &= ~have;
        }
        next[i] = found;
        if (found == 0)
            continue;
        seen[i] = have | found;
        atomic_or(&some, 1u);
        for (uint left = found; left; left &= left - 1)
            far[((size_t)word * 32 + (31 - clz(left & -left))) * n + v] = level;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && some)
        atomic_or(&met[level % 3], 1u);
    if (get_global_id(0) == 0)
        met[(level + 1) % 3] = 0;
}
