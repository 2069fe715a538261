// A maximal independent set: no two members are neighbours, and every other vertex has a
// member as a neighbour. By vertex:
//
//   state  UNDECIDED, OUT or IN, after the last round; fresh after this one
//
// M. Luby, "A simple parallel algorithm for the maximal independent set problem", SIAM J.
// Comput. 15, 1986, with fixed priorities: see preprocess.

#define UNDECIDED 0u
#define OUT 1u
#define IN 2u

// priority is the output of SplitMix64 for a vertex: G. Steele, D. Lea, C. Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014.
ulong priority(const uint v) {
    ulong x = ((ulong)v + 1) * 0x9e3779b97f4a7c15ul;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ul;
    x = (x ^ x >> 27) * 0x94d049bb133111ebul;
    return x ^ x >> 31;
}

// independent_round decides vertices. Undecided ones that come before all undecided
// neighbours join; those with a member beside them leave. open is not 0 if some stay
// undecided. No two vertices have one priority: it is a bijection of 64 bits.
__kernel void independent_round(const uint n, __global const uint *ptr, __global const uint *adj,
                                __global const uint *state, __global uint *fresh, __global uint *open) {
    __local uint some;
    if (get_local_id(0) == 0)
        some = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t v = get_global_id(0); v < n; v += get_global_size(0)) {
        uint now = state[v];
        if (now == UNDECIDED) {
            const ulong mine = priority(v);
            now = IN;
            for (uint e = ptr[v]; e < ptr[v + 1]; e++) {
                const uint u = adj[e], other = state[u];
                if (other == IN) {
                    now = OUT;
                    break;
                }
                if (other == UNDECIDED && priority(u) < mine)
                    now = UNDECIDED;
            }
            if (now == UNDECIDED)
                atomic_or(&some, 1u);
        }
        fresh[v] = now;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && some)
        atomic_or(open, 1u);
}
