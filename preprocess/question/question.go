// Package question says what a run is asked: which shortest paths count, and
// which numbers are made of them. All other packages take a Question as it is;
// here alone it is read, written, checked and compared.
//
//	text       Parse, Question.Set      key=value, the keys being flags without --
//	           Question.String          the same, in one order, defaults left out
//	identity   Question.Identity        the part that sums must share to be added
//	           Question.Differs         which part does not, by its flag
//	limits     Question.Check           contradictions
//	           Question.Answerable      what the program cannot answer yet
//	measures   Measures                 the numbers that can be asked for
//
// A new part of the question is a field of Question and a line of the table in
// fields.go; what it contradicts goes to Check, and Answerable refuses it until
// it is answered.
package question

import (
	"errors"
	"time"
)

// ErrQuestion says that a question contradicts itself or cannot be read.
var ErrQuestion = errors.New("invalid question")

// ErrUnanswered says that a question makes sense and that the program cannot
// answer it yet.
var ErrUnanswered = errors.New("not supported yet")

// Question is what is asked about a graph. The zero value asks for the exact
// betweenness of every vertex of an undirected graph, paths being measured in
// edges, between all pairs of vertices.
type Question struct {
	Directed  bool    // edges run one way, from source to destination
	Lengths   Lengths // of edges
	Sources   Set     // where paths begin
	Targets   Set     // where paths end
	Endpoints bool    // a path counts for its two ends, too

	// Origins and Destinations, if one has a column, say how much begins at a vertex, and ends: a path from s to t
	// counts for the product of the two, and the score of a vertex is the flow through it, over ordered pairs.
	Origins, Destinations Masses

	// Trips, if it has a column, says how much goes from each vertex to each: a path from s to t counts for what goes
	// from s to t, over ordered pairs. Two questions with equal columns and totals may be about two tables; the
	// fingerprint of a plan tells them apart.
	Trips Masses

	// Cutoff is the longest length that counts, a decimal number such as "3" or
	// "2.5" without needless digits: edges, or the unit of the lengths' column.
	// Empty: any length. Several, ascending, with commas between them, ask for
	// each: see Cutoffs.
	Cutoff string

	Decay   Decay   // how much a pair counts by the distance between its ends
	Gravity Gravity // whether what begins at a vertex is spread over what it reaches

	Measures []string // names of registered measures, the first being what rows are sorted by; none: betweenness
	Edges    bool     // the betweenness of every edge, too, beside that of vertices: OfEdges
	Sample   Sample
}

// Exact is the question whose scores are to be estimated, or the question itself.
func (q Question) Exact() Question {
	q.Sample = Sample{}
	return q
}

// BothWays tells whether every path that counts does so from both of its ends: what
// sources that are drawn say may then be weighted by nearness.
func (q Question) BothWays() bool {
	return !q.Directed && q.Sources == q.Targets && q.Lengths == (Lengths{})
}

// HasMasses tells whether scores are flows over ordered pairs: vertices count for how much begins or ends at them, or all
// that begins at one is spread over what it reaches, or a table says what goes between two.
func (q Question) HasMasses() bool {
	return q.Origins.Column != "" || q.Destinations.Column != "" || q.Gravity != Gravity{} || q.HasTrips()
}

// Shares tells whether searches count a pair by its distance, or find what each source reaches, which is the same work.
func (q Question) Shares() bool {
	return q.Decay.Share != "" || q.Gravity != Gravity{} || q.Searches(Reached)
}

// Gravity, if constrained, has all that begins at a vertex end somewhere. A path from s to t then counts for
//
//	origins(s) * destinations(t) * share(s,t) / (Stay + access(s))
//
// access(s) being the sum of destinations(t) * share(s,t) over all t that s reaches (A. G. Wilson, "A statistical theory
// of spatial distribution models", Transportation Research 1 (1967)). A vertex that reaches nothing sends nothing.
type Gravity struct {
	Constrained string  // ConstrainedOrigins, or empty: a path counts for the product of its masses
	Stay        float64 // what stays at home competes with access(s) as so much does, in numbers of the destinations' column
}

// ConstrainedOrigins is the side that can be constrained.
const ConstrainedOrigins = "origins"

// HasTrips tells whether pairs count for how much a table says that goes between them.
func (q Question) HasTrips() bool { return q.Trips.Column != "" }

// Masses says how much begins at each vertex, or ends, or goes between two. The zero value is one each.
type Masses struct {
	Column string // of the table of vertices, or of trips, that they are read from
	Unit   string // of the whole numbers that they become, as of Lengths; found out by reading
	Total  int64  // of all rows, in that unit; found out by reading
}

// Lengths says how long edges are. The zero value is one each.
type Lengths struct {
	Column  string // that they are read from
	Unit    string // of the integers that they become: "10^-6", "2^-46", "2^3", or empty for 1
	Repeats string // what the length of a repeated edge is: RepeatsSum, RepeatsError, or empty for the smallest
}

// Rules for the lengths of repeated edges.
const (
	RepeatsSum   = "sum"   // all of them together
	RepeatsError = "error" // the one that all have; others are an error
)

// Sample says that scores are estimated, how, and how far to go. The zero
// value is exact scores. Of its parts only Way and Seed are identity: runs that
// go different ways cannot be joined, runs that go differently far can.
type Sample struct {
	Way  string // "auto", "sources", "sources-raw", "pairs", "exact"; empty: nothing is sampled
	Seed uint64 // of what is drawn

	Eps        float64       // until every score is certain to so much of all pairs, between 0 and 1; 0: no such goal
	Within     time.Duration // from the start of the process; 0: no such goal
	Samples    int           // that many draws; 0: no such goal
	Certain    int           // until so many highest scores are certain; 0: no such goal
	Confidence float64       // probability that the bounds hold, between 0 and 1; 0: 0.95
}
