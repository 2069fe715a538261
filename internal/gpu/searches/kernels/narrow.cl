// Strategies direction and near: the part with which the device itself goes from round to
// round. The state is in progress, whose words are:

#define ROUND 0   // the current round; NONE before the first
#define PENDING 1 // 0: the search has ended
#define COUNT 2   // vertices at hand
#define ARCS 3    // arcs that leave them
#define FIRST 4   // where their list begins
#define WAY 5     // method of the round: see each strategy
#define OWN 6     // and 7: private to each strategy

// A cycle of launches begins with one work-group, the crew. It takes over the vertices
// found in the last round, sizes[1] from bases[1] on. It does rounds by itself while few
// arcs leave the list, with barriers between them instead of launches. It leaves a wide
// round to the launches after it. Nothing else writes progress.

#define NARROW (3 * CREW) // largest number of vertices of a narrow round: they are in local memory
#define FEW (16 * CREW)   // largest number of arcs that leave them
#define TURNS 64          // largest number of rounds of the crew in one launch, so that the host can stop it

#define BOTH (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

// depart clears the last search, and puts the source into the list that the first cycle
// takes over.
__kernel void depart(const uint n, const uint source, const uint own, __global const uint *ptr,
                     __global uint *offers, __global uint *dist, __global uint *marks, __global uint *far,
                     __global uint *fault, __global uint *queue, __global uint *starts, __global uint *bases,
                     __global ulong *sizes, __global uint *progress) {
    for (size_t v = get_global_id(0); v < n; v += get_global_size(0)) {
        offers[v] = v == source ? 0 : NONE;
        dist[v] = NONE;
#if PROBLEM == SSSP
        marks[v] = NONE;
        far[v] = 0;
#endif
    }
    if (get_global_id(0) > 0)
        return;
    fault[0] = 0;
    queue[0] = source;
    starts[0] = 0;
    bases[1] = 0;
    sizes[1] = 1ul << 32 | (ptr[source + 1] - ptr[source]);
    progress[ROUND] = NONE;
    progress[PENDING] = 1;
    progress[WAY] = 0;
    progress[OWN] = own;
    progress[OWN + 1] = 0;
}

// owner_here is owner (workload.cl) for the crew's data in local memory.
uint owner_here(const uint i, __local const uint *begins, const uint count) {
    uint low = 0, high = count;
    while (high - low > 1) {
        const uint middle = low + (high - low) / 2;
        if (begins[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// take_over copies where the arcs of a list's vertices begin: begins among those of the
// list, and rows such that arc i of the list, of entry k, is rows[k] + i.
void take_over(const uint first, const uint count, __global const uint *ptr, __global const uint *queue,
               __global const uint *starts, __local uint *begins, __local uint *rows) {
    for (uint k = get_local_id(0); k < count; k += CREW) {
        begins[k] = starts[first + k];
        rows[k] = ptr[queue[first + k]] - begins[k];
    }
}

// lay_out computes these for a list without starts, of at most NARROW vertices. For any
// list it computes starts and the number of arcs. The crew calls it.
uint lay_out(const uint first, const uint count, __global const uint *ptr, __global const uint *queue,
             __global uint *starts, __local uint *begins, __local uint *rows, __local uint *sums) {
    const uint i = get_local_id(0);
    uint all = 0;
    for (uint base = 0; base < count; base += CREW) {
        const uint k = base + i;
        uint row = 0, degree = 0;
        if (k < count) {
            row = ptr[queue[first + k]];
            degree = ptr[queue[first + k] + 1] - row;
        }
        __local uint *from = sums, *to = sums + CREW;
        from[i] = degree;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint step = 1; step < CREW; step *= 2) {
            to[i] = from[i] + (i >= step ? from[i - step] : 0);
            barrier(CLK_LOCAL_MEM_FENCE);
            __local uint *other = from;
            from = to;
            to = other;
        }
        if (k < count)
            starts[first + k] = all + from[i] - degree;
        if (k < count && k < NARROW) {
            begins[k] = all + from[i] - degree;
            rows[k] = row - begins[k];
        }
        all += from[CREW - 1];
        barrier(BOTH);
    }
    barrier(BOTH); // also of an empty list: all know its length
    return all;
}
