package report

import (
	"cmp"
	"strings"

	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// Asked is the question in plain words; "": unknown.
func (d Data) Asked() string {
	q, err := question.Parse(d.Metadata.Value("question"))
	if err != nil {
		return d.Metadata.Value("question") // from a later version
	}
	if d.Metadata.Value("fingerprint") == "" {
		return ""
	}
	return inWords(q, d.OfEdges)
}

func inWords(q question.Question, ofEdges bool) string {
	first := q.Asked()[0]
	lines := []string{strings.ToUpper(first.Help[:1]) + first.Help[1:] + "?"}
	switch name := cmp.Or(first.Of, first.Name); {
	case q.HasMasses() && ofEdges:
		lines[0] = "How much flows over each edge?"
	case q.HasMasses():
		lines[0] = "How much flows through each vertex?"
	case ofEdges:
		lines[0] = "How many shortest paths run over each edge?"
	case name == measures.Betweenness:
		lines[0] = "How many shortest paths between other vertices pass each vertex?"
	case name == measures.Degree:
		lines[0] = "How many neighbours does each vertex have?"
	case name == measures.Reach:
		lines[0] = "How many vertices does each reach?"
	case first.Search == measures.Distances, len(first.Sums) > 0:
		lines[0] = "How near is each vertex to the others?"
	}
	say := func(when bool, text string) {
		if when {
			lines = append(lines, text)
		}
	}
	say(q.Directed, "Edges run one way.")
	say(!q.Directed, "Edges run both ways.")
	say(q.Lengths.Column == "", "The length of a path is its number of edges.")
	say(q.Lengths.Column != "", "The length of a path is the sum of "+q.Lengths.Column+" along it.")
	begin, end := q.Sources != question.Set{}, q.Targets != question.Set{}
	say(begin && end, "Paths begin and end at chosen vertices only.")
	say(begin && !end, "Paths begin at chosen vertices only.")
	say(end && !begin, "Paths end at chosen vertices only.")
	say(q.Endpoints, "A path counts for its two ends, too.")
	from, to := q.Origins.Column, q.Destinations.Column
	say(from != "" && to != "", "A path counts "+from+" at its source times "+to+" at its target.")
	say(from != "" && to == "", "A path counts "+from+" at its source.")
	say(to != "" && from == "", "A path counts "+to+" at its target.")
	cutoffs := q.Cutoffs()
	say(len(cutoffs) == 1, "Paths count up to length "+strings.Join(cutoffs, "")+".")
	say(len(cutoffs) > 1, "Paths count up to length "+strings.Join(cutoffs, ", ")+", with a column for each.")
	say(q.Decay.Share != "", "Pairs count less with distance: "+q.Decay.Share+".")
	return strings.Join(lines, " ")
}
