package report

import (
	"cmp"
	"strings"

	"bcstage/preprocess/question"
)

// Asked is the question in plain words; "": unknown.
func (d Data) Asked() string {
	q, err := question.Parse(d.known("question"))
	if err != nil {
		return d.known("question") // from a later version
	}
	if d.known("fingerprint") == "" {
		return ""
	}
	return inWords(q, d.OfEdges)
}

func inWords(q question.Question, ofEdges bool) string {
	first := q.Asked()[0]
	lines := []string{strings.ToUpper(first.Help[:1]) + first.Help[1:] + "?"}
	switch name := cmp.Or(first.Of, first.Name); {
	case q.HasMasses() && ofEdges:
		lines[0] = "How much goes over each edge?"
	case q.HasMasses():
		lines[0] = "How much goes through each vertex?"
	case ofEdges:
		lines[0] = "How many shortest paths run over each edge?"
	case name == question.Betweenness:
		lines[0] = "How many shortest paths between others does each vertex lie on?"
	case name == question.Degree:
		lines[0] = "How many neighbours has each vertex?"
	case name == question.Reach:
		lines[0] = "How many vertices does each reach?"
	case first.Search == question.Distances, len(first.Sums) > 0:
		lines[0] = "How near is each vertex to the others?"
	}
	say := func(when bool, text string) {
		if when {
			lines = append(lines, text)
		}
	}
	say(q.Directed, "Edges run one way.")
	say(!q.Directed, "Edges run both ways.")
	say(q.Lengths.Column == "", "A path is as long as it has edges.")
	say(q.Lengths.Column != "", "A path is as long as the sum of "+q.Lengths.Column+" along it.")
	begin, end := q.Sources != question.Set{}, q.Targets != question.Set{}
	say(begin && end, "Paths begin and end at chosen vertices only.")
	say(begin && !end, "Paths begin at chosen vertices only.")
	say(end && !begin, "Paths end at chosen vertices only.")
	say(q.Endpoints, "A path counts for its two ends, too.")
	from, to := q.Origins.Column, q.Destinations.Column
	say(from != "" && to != "", "A path counts for "+from+" where it begins times "+to+" where it ends.")
	say(from != "" && to == "", "A path counts for "+from+" where it begins.")
	say(to != "" && from == "", "A path counts for "+to+" where it ends.")
	cutoffs := q.Cutoffs()
	say(len(cutoffs) == 1, "No longer paths count than "+strings.Join(cutoffs, "")+".")
	say(len(cutoffs) > 1, "No longer paths count than "+strings.Join(cutoffs, ", ")+", for a column each.")
	say(q.Decay.Share != "", "The farther apart two vertices are, the less they count: "+q.Decay.Share+".")
	return strings.Join(lines, " ")
}
