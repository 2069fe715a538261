// Lists of frontiers: a mask has a bit for each lane of a pack.

#if WORDS == 1
typedef uint mask;
#define put(p, bits) atomic_or(p, bits)
#define count_below(m) (31u - clz(m))
#else
// 64 lanes need one atomic for the whole mask, to know who is first.
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
typedef ulong mask;
#define put(p, bits) atom_or(p, bits)
#define count_below(m) (63u - (uint)clz(m))
#endif

// without drops the lowest `count` lanes of m.
mask without(mask m, const uint count) {
    for (uint i = 0; i < count; i++)
        m &= m - 1;
    return m;
}

// least is the lowest lane of m, which is not 0.
uint least(const mask m) { return count_below(m & -m); }

// store puts a vertex into the list if there is room.
void store(const uint to, const uint row, const uint v, const uint capacity, __global uint *list_row,
           __global uint *list_vertex) {
    if (to < capacity) {
        list_row[to] = row;
        list_vertex[to] = v;
    }
}

// list_sources lists the sources that start at level 0, the first of seed[].
// seed[] holds pack*LANES+lane, source[pack*LANES+lane] the vertex. The sources
// of a pack differ.
__kernel void list_sources(const uint n, const uint first, __global const uint *restrict seed,
                           __global const uint *restrict source, __global mask *restrict marks,
                           __global uint *restrict list_row, __global uint *restrict list_vertex,
                           __global uint *restrict found, __global uint *restrict ends) {
    const uint i = get_global_id(0);
    if (i == 0) {
        ends[0] = 0;
        found[0] = first;
    }
    if (i >= first)
        return;
    const uint v = source[seed[i]], row = seed[i] / LANES * n + v;
    marks[(size_t)row * 4] = (mask)1 << seed[i] % LANES;
    list_row[i] = row;
    list_vertex[i] = v;
}
