// Strategy direction: rounds of workload (workload.cl), and rounds in pull direction while
// the list is long. BFS only.
//
// In pull rounds, the frontier is a bit per vertex, and so are the vertices with a
// distance. Two arrays of bits alternate by the parity of rounds: the frontier of this
// round, and of the next.

#define UP 1        // WAY, a bit: the round is in pull direction
#define BEFORE 2    // WAY, a bit: the last round was
#define LEFT OWN    // arcs that leave vertices not yet at hand

// BITS is the number of words for the bits of n vertices.
#define BITS(n) (((n) + 31) / 32)

// bit returns 1 if v's bit is set.
uint bit(__global const uint *bits, const uint v) { return bits[v / 32] >> v % 32 & 1; }

// crew does narrow rounds, and decides the direction of the next. Pull begins when more
// than one in `upward` of the arcs of vertices not yet at hand leave the list. It ends
// when fewer than one in `downward` of all vertices are at hand.
__kernel __attribute__((reqd_work_group_size(CREW, 1, 1))) void
crew(const uint n, const uint upward, const uint downward, __global const uint *ptr, __global const uint *adj,
     __global uint *offers, __global uint *dist, __global uint *queue, __global uint *starts, __global uint *bases,
     __global ulong *sizes, __global ulong *lots, __global uint *progress) {
    __local uint begins[NARROW], rows[NARROW], sums[2 * CREW], found;
    const uint i = get_local_id(0);
    const bool ended = !progress[PENDING], listed = !(progress[WAY] & UP);
    uint round = progress[ROUND] + 1, first = bases[1], left = progress[LEFT];
    uint count = sizes[1] >> 32, arcs = (uint)sizes[1];
    barrier(BOTH); // all have read it
    if (ended)
        return;
    for (uint turn = 0; listed && count > 0 && count <= NARROW && arcs <= FEW && turn < TURNS; turn++) {
        if (turn == 0) {
            take_over(first, count, ptr, queue, starts, begins, rows);
            for (uint k = i; k < count; k += CREW)
                dist[queue[first + k]] = round;
        }
        if (i == 0)
            found = 0;
        barrier(BOTH);
        const uint next = first + count;
        for (uint a = i; a < arcs; a += CREW) {
            const uint v = adj[rows[owner_here(a, begins, count)] + a];
            if (atomic_cmpxchg(&offers[v], NONE, round + 1) == NONE) {
                dist[v] = round + 1;
                queue[next + atomic_inc(&found)] = v;
            }
        }
        barrier(BOTH);
        round++;
        left -= arcs;
        first = next;
        count = found;
        arcs = lay_out(first, count, ptr, queue, starts, begins, rows, sums);
    }
    if (i > 0)
        return;
    const bool up = count > 0 && (listed ? arcs > left / upward : count >= n / downward);
    progress[ROUND] = round;
    progress[PENDING] = count;
    progress[COUNT] = count;
    progress[ARCS] = arcs;
    progress[FIRST] = first;
    progress[WAY] = (up ? UP : 0) | (listed ? 0 : BEFORE);
    progress[LEFT] = left - arcs;
    lots[0] = listed && !up ? (ulong)count << 32 | arcs : 0;
    sizes[1] = 0;
    bases[1] = up ? first : first + count;
}

// arrive makes distances of the offers to a list's vertices, and converts the list to the
// form that the round needs: bits of a list, or a list of bits; lots[0] then counts these.
__kernel void arrive(const uint n, __global const uint *ptr, __global const uint *offers, __global uint *dist,
                     __global uint *queue, __global uint *starts, __global ulong *lots, __global const uint *progress,
                     __global uint *bits, __global uint *seen) {
    __local ulong sums[SUMS];
    const uint round = progress[ROUND], first = progress[FIRST];
    const bool up = progress[WAY] & UP, before = progress[WAY] & BEFORE;
    if (progress[COUNT] == 0)
        return;
    __global uint *now = bits + round % 2 * BITS(n), *next = bits + (1 - round % 2) * BITS(n);
    if (!before)
        for (size_t i = get_global_id(0); i < progress[COUNT]; i += get_global_size(0))
            dist[queue[first + i]] = round;
    if (up)
        for (size_t w = get_global_id(0); w < BITS(n); w += get_global_size(0)) {
            next[w] = 0;
            if (before) {
                seen[w] |= now[w];
                continue;
            }
            uint here = 0, ever = 0; // from offers: vertices at hand may not have their distance yet
            for (uint i = 0; i < 32 && w * 32 + i < n; i++) {
                const uint offer = offers[w * 32 + i];
                here |= (uint)(offer == round) << i;
                ever |= (uint)(offer != NONE) << i;
            }
            now[w] = here;
            seen[w] = ever;
        }
    if (before && !up)
        for (size_t begin = (size_t)get_group_id(0) * GROUP; begin < n; begin += get_global_size(0)) {
            const size_t v = begin + get_local_id(0);
            const bool here = v < n && bit(now, v);
            const uint degree = here ? ptr[v + 1] - ptr[v] : 0;
            const ulong place = reserve((ulong)here << 32 | degree, &lots[0], sums);
            if (here) {
                queue[first + (uint)(place >> 32)] = v;
                starts[first + (uint)(place >> 32)] = (uint)place;
            }
        }
}

// wide_step goes along the arcs of the list, shared out as by workload. In pull direction,
// a work-item per vertex without a distance looks for a predecessor at hand. It tests the
// first by itself, which often is one, then four at a time, whose loads overlap, until one
// is.
__kernel void wide_step(const uint n, __global const uint *ptr, __global const uint *adj,
                        __global const uint *in_ptr, __global const uint *in_adj, __global const uint *firsts,
                        __global uint *dist, __global uint *offers, __global const uint *bases,
                        __global const ulong *lots, __global ulong *sizes, __global uint *queue,
                        __global uint *starts, __global uint *bits, __global const uint *seen,
                        __global const uint *progress) {
    __local ulong sums[SUMS];
    __local uint window[GROUP + 1];
    const uint round = progress[ROUND], from = progress[FIRST], count = lots[0] >> 32;
    size_t first;
    const size_t end = share((uint)lots[0], &first); // no arcs in pull direction
    uint low = first < end ? owner(first, starts + from, count) : 0;
    for (; first < end; first += GROUP) {
        const size_t i = first + get_local_id(0);
        const uint j = from + owner_of(min(i, end - 1), starts + from, count, &low, window);
        bool fresh = false;
        uint v = 0;
        if (i < end) {
            v = adj[ptr[queue[j]] + ((uint)i - starts[j])];
            fresh = dist[v] == NONE && atomic_cmpxchg(&offers[v], NONE, round + 1) == NONE;
        }
        append(fresh, v, n, NONE, 0, ptr, firsts, bases, sizes, queue, starts, sums);
    }
    __global const uint *now = bits + round % 2 * BITS(n);
    __global uint *next = bits + (1 - round % 2) * BITS(n);
    ulong found = 0;
    for (size_t v = get_global_id(0); progress[WAY] & UP && v < n; v += get_global_size(0)) {
        uint e = in_ptr[v];
        const uint last = in_ptr[v + 1];
        if (bit(seen, v) || e == last)
            continue;
        uint hit = bit(now, in_adj[e]);
        for (e++; e < last && !hit; e += 4) {
            uint asked[4];
            for (uint k = 0; k < 4; k++)
                asked[k] = in_adj[min(e + k, last - 1)];
            for (uint k = 0; k < 4; k++)
                hit |= bit(now, asked[k]);
        }
        if (!hit)
            continue;
        offers[v] = round + 1;
        dist[v] = round + 1;
        atomic_or(&next[v / 32], 1u << v % 32);
        found += 1ul << 32 | (ptr[v + 1] - ptr[v]);
    }
    reserve(found, &sizes[1], sums);
}
