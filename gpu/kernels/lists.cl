// What lists of frontiers are made of: a mask has a bit for each lane of a pack.

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
