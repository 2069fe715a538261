// Package question describes the question of a run: which shortest paths count, and which numbers are made of them.
// Only this package reads, writes, checks and compares a Question; all others take it as given.
//
//	text       Parse, Question.Set      key=value, the keys being flags without --
//	           Question.String          the same, in one order, defaults left out
//	identity   Question.Identity        the part that sums must share to be added
//	           Question.Differs         which part does not, by its flag
//	limits     Question.Check           contradictions
//	           Question.Answerable      what the program does not answer: package refusals
//	measures   Question.Asked, Sums     of those that package measures lists
//
// A new part of the question is a field of Question and a line of the table in fields.go. Its contradictions go to
// Check, and a row of package refusals refuses it until it is answered.
package question

import (
	"errors"
	"math/bits"
	"time"

	"bcstage/internal/measures"
	"bcstage/internal/wholes"
)

// ErrQuestion says that a question contradicts itself or cannot be read.
var ErrQuestion = errors.New("invalid question")

// ErrUnanswered says that a question makes sense but the program does not answer it, by itself or together with an option.
var ErrUnanswered = errors.New("not supported")

// Question is a question about a graph. The zero value asks for the exact betweenness of every vertex of an undirected
// graph, with paths measured in edges, between all pairs of vertices.
type Question struct {
	Directed  bool    // edges run one way, from source to destination
	Lengths   Lengths // of edges
	Sources   Set     // where paths begin
	Targets   Set     // where paths end
	Endpoints bool    // a path counts for its two ends, too

	// Origins and Destinations, if one has a column, are source and target masses. A path from s to t counts for the
	// product of the two, and the score of a vertex is the flow through it, over ordered pairs.
	Origins, Destinations Masses

	// Trips, if it has a column, are the trips from each vertex to each: a path from s to t counts for the trips from s
	// to t, over ordered pairs. Two questions with equal columns and totals may be about two tables; the fingerprint of
	// a plan distinguishes them.
	Trips Masses

	// Cutoff is the largest length that counts, a decimal number such as "3" or "2.5" without needless digits, in edges
	// or in the unit of the lengths' column. Empty: any length. Several, ascending and separated by commas, ask for
	// each: see Cutoffs.
	Cutoff string

	Decay   Decay   // share of a pair by the distance between its ends
	Gravity Gravity // whether the mass of a source is spread over what it reaches

	Measures []string // names of registered measures; rows are sorted by the first; none: betweenness
	Edges    bool     // the betweenness of every edge, beside that of vertices: measures.OfEdges
	Sample   Sample
}

// Exact returns the question whose scores are to be estimated, or the question itself.
func (q Question) Exact() Question {
	q.Sample = Sample{}
	return q
}

// BothWays reports whether every path that counts does so from both of its ends, and for vertices alone. Scores from drawn
// sources may then be weighted by nearness.
func (q Question) BothWays() bool {
	return !q.Directed && q.Sources == q.Targets && q.Lengths == (Lengths{}) && !q.HasMasses() && !q.Shares() && !q.Edges
}

// Ordered reports whether scores are of ordered pairs; with masses or trips they are in products of their units.
func (q Question) Ordered() bool { return q.Directed || q.HasMasses() }

// HasMasses reports whether scores are flows over ordered pairs. They are if vertices have masses, if the mass of a
// source is spread over what it reaches, or if a table lists trips.
func (q Question) HasMasses() bool {
	return q.Origins.Column != "" || q.Destinations.Column != "" || q.Gravity != Gravity{} || q.HasTrips()
}

// Parts reports whether pairs of an undirected graph count in part, by a share that is the product of the shares of the
// parts of a way. Where the mass of a source is spread over what it reaches, that may be 1.
func (q Question) Parts() bool {
	return !q.Directed && !q.HasTrips() && (q.Decay.exponential() || q.Decay == Decay{} && q.Gravity != Gravity{})
}

// EndsInPart reports whether pairs count in part for their ends.
func (q Question) EndsInPart() bool {
	return q.Endpoints && (q.Decay.Share != "" || q.Gravity.Constrained != "")
}

// Fraction is the number of fraction bits that leave room for the largest sum of a vertex or an edge. Of n vertices this
// is n^2 ordered pairs; with masses the product of all origins and all destinations, or all origins alone where these are
// spread over the reached destinations; with trips all trips. Flows below 2^-126 of that are lost: scores above 1e-26 of
// it have 12 digits.
func (q Question) Fraction(n int) int {
	if !q.HasMasses() {
		return wholes.Fraction(n)
	}
	if q.HasTrips() {
		return min(128-1-bits.Len64(uint64(q.Trips.Total)), wholes.MostFraction)
	}
	whole := 1 + q.Origins.Bits(n)
	if q.Gravity == (Gravity{}) {
		whole += q.Destinations.Bits(n)
	}
	return min(128-whole, wholes.MostFraction)
}

// Shares reports whether searches count a pair by its distance, or find what each source reaches, which is the same
// work.
func (q Question) Shares() bool {
	return q.Decay.Share != "" || q.Gravity != Gravity{} || q.Searches(measures.Reached)
}

// Gravity, if constrained, makes all mass of a source end somewhere. A path from s to t then counts for
//
//	origins(s) * destinations(t) * share(s,t) / (Stay + access(s))
//
// where access(s) is the sum of destinations(t) * share(s,t) over all t that s reaches (A. G. Wilson, "A statistical
// theory of spatial distribution models", Transportation Research 1 (1967)). A vertex that reaches nothing sends
// nothing.
type Gravity struct {
	Constrained string  // ConstrainedOrigins, or empty: a path counts for the product of its masses
	Stay        float64 // weight of staying at home, which competes with access(s), in numbers of the destinations' column
}

// ConstrainedOrigins is the side that can be constrained.
const ConstrainedOrigins = "origins"

// HasTrips reports whether pairs count for the trips that a table lists.
func (q Question) HasTrips() bool { return q.Trips.Column != "" }

// Masses says how much begins or ends at each vertex, or travels between two. The zero value is one each.
type Masses struct {
	Column string // of the table of vertices, or of trips, with the masses
	Unit   string // of the whole numbers that they become, as in Lengths; set by reading
	Total  int64  // of all rows, in that unit; set by reading
}

// Bits is the number of bits of the sum of n vertices' masses, in their units.
func (m Masses) Bits(n int) int {
	if m.Column != "" {
		return bits.Len64(uint64(m.Total))
	}
	return bits.Len(uint(n))
}

// Lengths are the lengths of edges. The zero value is one each.
type Lengths struct {
	Column  string // with the lengths
	Unit    string // of the integers that they become: "10^-6", "2^-46", "2^3", or empty for 1
	Repeats string // rule for repeated edges: RepeatsSum, RepeatsError, RepeatsKeep, or empty for the smallest length
}

// Rules for repeated edges.
const (
	RepeatsSum   = "sum"   // their sum
	RepeatsError = "error" // all must be equal; else it is an error
	RepeatsKeep  = "keep"  // each edge of the smallest length is a path of its own, also without lengths
)

// KeepsRepeats reports whether each of several edges between two vertices is a path of its own.
func (q Question) KeepsRepeats() bool { return q.Lengths.Repeats == RepeatsKeep }

// Sample says that scores are estimated, how, and how far to go. The zero value asks for exact scores. Of its parts
// only Way and Seed are identity: runs of different ways cannot be joined, runs that stop at different points can.
type Sample struct {
	Way  string // "auto", "sources", "sources-raw", "pairs", "exact"; empty: nothing is sampled
	Seed uint64 // of the draws

	Eps        float64       // until every score is certain to this share of all pairs, between 0 and 1; 0: no such goal
	Within     time.Duration // from the start of the process; 0: no such goal
	Samples    int           // number of draws; 0: no such goal
	Certain    int           // until that many highest scores are certain; 0: no such goal
	Confidence float64       // probability that the bounds hold, between 0 and 1; 0: 0.95

	CertainChange int // until that many largest changes of scores, up or down, are certain; 0: no such goal
}
