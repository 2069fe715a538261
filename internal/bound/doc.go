// Package bound turns the sums of a sampling run into an interval per vertex. The intervals hold the truth at every
// vertex and at every stage at once, up to an agreed risk. The package knows neither graphs nor engines; whoever
// samples calls it.
//
//	New           state of one population, before anything is drawn
//	Bound.Add     a stage: sums over the draws
//	Bound.Eps     the largest distance of an end from its estimate; cheap, for every stage
//	Bound.At      one interval
//	Bound.Intervals   all intervals
//
// # What is sampled
//
// A population has N members. Member s has a value x_s(v) in [0, Range] for each vertex v. T(v), the number to
// estimate, is the mean of x_s(v) over the members:
//
//	sources, raw     members: the original vertices of a block; x = dependency of s on v, over N; Range 1
//	sources, linear  x = the same with each target's share times 2 d(s,v)/d(s,t); same T; Range 2 - 2/D
//	pairs            members: ordered pairs (drawn with replacement); x = 1 where v is inside the drawn path; Range 1
//
// D is any upper bound of distances, known before the first stage: a bound taken from the sample could depend on it.
// The score of v, over ordered pairs, is N^2 T(v) for sources and n(n-1) T(v) for n(n-1) pairs, plus closed forms,
// which the caller adds.
//
// A stage draws k members of those not settled yet, and settles some, at least the drawn ones. The exact part of T
// of a settled member is known from then on, and it is not drawn again. A stage may search them in any order,
// anywhere, in any lanes. Pairs settle nothing.
//
// # Differences
//
// With Options.Signed, x is in [-Range, Range], such as the difference between the shares of a pair's paths through v
// in two graphs. Its parts max(x, 0) and max(-x, 0) are in [0, Range]. Each is tested as a vertex of its own, with all
// others: 2 Vertices means, whose sum is the mean of sum |x|, which Longest and Length are then about. T(v) is the
// difference of the two means. If both are in their intervals, T(v) is between the differences of opposite ends. A
// part that is never met adds Range L/k to one end only, with L the log of the level.
//
// # Several populations
//
// A vertex in several sampled blocks has an interval of each. Scores add up, and so do both ends, times the square
// of each block's N, if every interval holds. If block b has risk r_b, some interval of some block fails with
// probability at most sum r_b. So a caller that wants a total risk r distributes it, for example in proportion to
// vertices. Blocks may be stopped together or one by one: each interval holds at all of its stages at once.
//
// # Why it holds
//
// docs/estimates.md has the proof with its sources. In short, for each hypothesis T there is a product of factors
// whose mean is at most 1 if T is the truth. The interval is where that product is still small. It stays small at
// all stages with the promised probability (J. Ville, 1939). The factors have mean at most 1 by two theorems. For
// one draw: X. Fan, I. Grama and Q. Liu, "Exponential inequalities for martingales with applications", 2015. For the
// draws of a stage, which are without replacement: W. Hoeffding, "Probability inequalities for sums of bounded
// random variables", 1963, theorem 4.
//
// # Numbers
//
// Everything is float64 in a fixed order per vertex, without fused operations, and with an exponential and a
// logarithm of its own. So equal stages give equal bits on every machine and for every number of threads, whatever
// other stages were looked at. Per vertex, a stage takes some nanoseconds, an interval a microsecond; memory is 48
// bytes (pairs: 32).
package bound
