// Definitions for all kernels. The host sets, by -D:
//
//   REAL   float or double: path counts and dependencies
//   WORDS  32-bit words of a row of mask bits in levels.cl; 32*WORDS lanes
//   GROUP  work-items of a work-group, a multiple of 32
//   WARP   only where the probe has shown that 32 work-items run as one and
//          can exchange registers
//   COPIES only under WARP: memory can be copied to local memory while work-items go on
//
// A "pack" is up to LANES sources that share rows; a wave is many packs. Lanes
// are the sources of a pack. All arrays of a wave are ordered by pack, then
// by vertex, then by lane, so that the rows of one pack lie together.
//
// Except under WARP, no kernel relies on work-items running in step. A barrier or an
// atomic separates a write by one work-item from a read by another in the same launch.
// Sums have a fixed order: equal input gives equal bits. Sums over neighbours are added
// up in pieces: see piece_from and gain.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef REAL real;

// Path counts are whole numbers. With COUNTS32 they are kept in 32 bits and added up in
// 64, which suffice for every sum over neighbours.
#ifdef COUNTS32
typedef uint number;
typedef ulong total;
#else
typedef real number;
typedef real total;
#endif

// With SHARES a target counts for a share of its mass, by its distance from the source:
// target_mass has the shares by distance behind the masses. With SHARES above 1 the table is
// split: a share is the product of one by distance % SHARES and one by distance / SHARES. A
// share divided by too many paths would lose digits. So such a count is not a number, and
// the self-check fails.
#ifdef SHARES
#if SHARES > 1
#define shared(mass, distance) ((mass) * (target_mass[n + (distance) % SHARES] * target_mass[n + SHARES + (distance) / SHARES]))
#else
#define shared(mass, distance) ((mass) * target_mass[n + (distance)])
#endif
#define divisor(s) ((s) <= 1e150 ? (s) : NAN)
#else
#define shared(mass, distance) (mass)
#define divisor(s) (s)
#endif

#define TEAM 32u // work-items that share a row of lanes, one word of mask bits
#define TEAMS (GROUP / TEAM)
#define LANES (TEAM * WORDS)
#define NONE 0xffffffffu

// lowest is the position of the lowest bit of x, which is not 0.
uint lowest(uint x) { return 31u - clz(x & -x); }

#ifdef COMPENSATED
// A vertex may have millions of neighbours with equal terms. Plain additions would all
// round the same way, and float32 be off by 1e-4. So a sum is added up in short pieces;
// gain adds a piece and keeps the rounding error in `lost` for the next. Compensated
// summation: W. Kahan, "Further remarks on reducing truncation errors", CACM 8(1),
// 1965.
real piece_from(const real sum) { return 0; }

void gain(real *sum, real *lost, const real piece) {
    const real x = piece - *lost, all = *sum + x;
    *lost = (all - *sum) - x;
    *sum = all;
}
#else
// Without it a piece continues the sum: float64 has bits to spare, and the registers
// and operations cost a seventh of its speed on an R-MAT graph.
#define piece_from(sum) (sum)
#define gain(sum, lost, piece) (*(sum) = (piece))
#endif

// less is c of a target that counts for `rest` instead of mass, which is more than 0: c
// is (mass + D) times a constant.
real less(const real c, const real d, const real mass, const real rest) { return c * ((rest + d) / (mass + d)); }

// sent is S of a vertex that is not a source, recovered after the backward pass; 0
// where no target is at the vertex or beyond it.
real sent(const real mass, const real d, const real mu, const real c) { return c > 0 ? (mass + d) * mu / c : 0; }

// copied waits for all copies to local memory. PTX ISA 8.x, "cp.async": from compute
// capability 8.0 on (Ampere, 2020).
#ifdef COPIES
#define copied() asm volatile("cp.async.wait_all;" ::: "memory")
#else
#define copied()
#endif

#ifdef WARP
// PTX ISA 8.x, "vote.sync" and "shfl.sync"; cl_nv_inline_ptx is not listed as
// an extension, so the host tries it.
uint ballot(uint x) {
    uint bits;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(bits) : "r"(x));
    return bits;
}

uint take(uint x, uint from) {
    uint value;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(value) : "r"(x), "r"(from));
    return value;
}

// other is the number of work-item `from` of the 32.
double other(const double x, const uint from) {
    const uint2 halves = as_uint2(x);
    return as_double((uint2)(take(halves.x, from), take(halves.y, from)));
}

// fetch_T begins to read a T that no kernel writes in the same launch; unless wanted,
// it is 0. A condition would make a branch of each of several such reads. Without
// volatile the compiler moves a read to where its result is needed.
#define FETCH(T, type, zero, letter) \
    T fetch_##T(__global const T *from, const uint wanted) { \
        T x; \
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov." type " %0, " zero "; @p ld.global." type " %0, [%1]; }" \
            : "=" letter(x) : "l"((ulong)from), "r"(wanted)); \
        return x; \
    }
FETCH(double, "f64", "0d0000000000000000", "d")
FETCH(float, "f32", "0f00000000", "f")
FETCH(uint, "u32", "0", "r")
#undef FETCH
#define FETCH_OF(T) FETCH_AS(T)
#define FETCH_AS(T) fetch_##T
#define fetch_real FETCH_OF(REAL)

// row_at is the row of vertex u, of `bytes` bytes; vertex 0 has it at `first`.
#define row_at(first, u, bytes) ((__global void *)((__global char *)(first) + (ulong)(u) * (uint)(bytes)))

// in_step makes writes to local memory visible to all 32 work-items.
void in_step(void) { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

// halve adds up pairs. The work-item keeps x or y, by the bit of its number, and adds
// that of its partner, whose number differs in this bit.
double halve(const double x, const double y, const uint lane, const uint bit) {
    const double kept = lane & bit ? y : x, given = lane & bit ? x : y;
    return kept + other(given, lane ^ bit);
}

// probe writes the values that each work-item gets from others; one work-group of 64.
__kernel void probe(__global uint *out) {
    const uint i = get_local_id(0);
    copied();
    out[2 * i] = ballot(i % 3 == 0 || i == 40);
    out[2 * i + 1] = take(7 * i, (i + 5) % TEAM);
}
#endif
#ifdef COUNTS32
#define fetch_number fetch_uint
#else
#define fetch_number fetch_real
#endif

// fill sets words to value.
__kernel void fill(const uint words, const uint value, __global uint *out) {
    for (uint i = get_global_id(0); i < words; i += get_global_size(0))
        out[i] = value;
}
