// Package bound turns the sums of a sampling run into an interval per vertex
// that holds the truth at every vertex and at every stage at once, but for an
// agreed risk. It knows neither graphs nor engines; whoever samples calls it.
//
//	New           state of one population, before anything is drawn
//	Bound.Add     a stage: sums of what was drawn
//	Bound.Eps     the largest distance of an end from its estimate; cheap, for every stage
//	Bound.At      one interval
//	Bound.Intervals   all of them
//
// # What is sampled
//
// A population has N members. Member s has a value x_s(v) in [0, Range] for each
// vertex v, and T(v), what is asked for, is the mean of x_s(v) over the members:
//
//	sources, raw     members: the original vertices of a block; x = dependency of s on v, over N; Range 1
//	sources, linear  x = the same with each target's share times 2 d(s,v)/d(s,t); same T; Range 2 - 2/D
//	pairs            members: ordered pairs (drawn with replacement); x = 1 where v is inside the drawn path; Range 1
//
// D is any number that no distance passes, known before the first stage: one
// that came out of the sample could have been chosen by it. The score of v,
// over ordered pairs, is N^2 T(v) for sources and n(n-1) T(v) for n(n-1) pairs,
// besides closed forms, which are the caller's.
//
// A stage draws k members of those that are not settled yet, and settles some,
// at least the drawn ones: their exact part of T is known from then on, and they
// are not drawn again. The order in which a stage searches them, who does it and
// how they share lanes is free. Pairs settle nothing.
//
// # Several populations
//
// A vertex in several sampled blocks has an interval of each. Scores add up, so
// do both ends, times the square of each block's N, if every interval holds. If
// block b has risk r_b, some interval of some block fails with probability
// sum r_b at most, so a caller that wants risk r in all gives parts of it that
// sum to r, for example in proportion to vertices. Blocks are then stopped
// together or one by one: each interval holds at all of its stages at once.
//
// # Why it holds
//
// See docs/estimates.md for the proof with its sources. In short: for each
// hypothesis T there is a product of factors with mean at most 1 if T is the
// truth, and the interval is where that product is still small. It stays small
// at all stages with the promised probability (J. Ville, 1939). The factors have
// mean at most 1 by X. Fan, I. Grama and Q. Liu, "Exponential inequalities for
// martingales with applications", 2015, for one draw, and by W. Hoeffding,
// "Probability inequalities for sums of bounded random variables", 1963, theorem
// 4, for the draws of a stage, which are without replacement.
//
// # Numbers
//
// Everything is float64 in a fixed order per vertex, without fused operations
// and with an exponential and a logarithm of its own: equal stages give equal
// bits on every machine and for every number of threads, whenever else somebody
// looked. Per vertex, a stage takes some nanoseconds, an interval a microsecond,
// and memory is 48 bytes (pairs: 32).
package bound
