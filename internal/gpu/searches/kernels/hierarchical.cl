// Strategy hierarchical: a round's list is processed in sub-rounds. In each, every
// vertex gives at most `most` arcs; those with more make the next sub-round's list.
// When few are left, their arcs are shared out as in workload.cl.

// part_expand lists the next arcs of entries first..first+count-1, which have given
// `skip` each, and the entries that have more. Upper half of *rest: how many have more;
// lower half: how many arcs were listed.
__kernel void part_expand(const uint most, const uint skip, const uint first, const uint count,
                          __global const uint *entries, __global const uint *ptr, __global uint *list,
                          __global uint *more, __global ulong *rest) {
    __local ulong sums[SUMS];
    for (size_t begin = (size_t)get_group_id(0) * GROUP; begin < count; begin += get_global_size(0)) {
        const size_t i = begin + get_local_id(0);
        uint v = 0, left = 0;
        if (i < count) {
            v = entries[first + i];
            left = ptr[v + 1] - ptr[v] - skip;
        }
        const uint taken = min(left, most);
        const ulong place = reserve((ulong)(left > most) << 32 | taken, rest, sums);
        const uint e = ptr[v] + skip, to = (uint)place;
        for (uint k = 0; k < taken; k++)
            list[to + k] = e + k;
        if (left > most)
            more[place >> 32] = v;
    }
}

// part_rest finds where the remaining arcs of each of count <= GROUP entries begin
// among those of all; one work-group.
__kernel void part_rest(const uint skip, const uint count, __global const uint *entries, __global const uint *ptr,
                        __global uint *begins, __global ulong *rest) {
    __local ulong sums[SUMS];
    const uint i = get_local_id(0);
    const uint left = i < count ? ptr[entries[i] + 1] - ptr[entries[i]] - skip : 0;
    const ulong place = reserve((ulong)(i < count) << 32 | left, rest, sums);
    if (i < count)
        begins[i] = (uint)place;
}
