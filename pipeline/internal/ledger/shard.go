package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bcstage/preprocess"
)

// Shard is a share of a plan's batches: the parts Mine, when all batches are divided into Of parts
// of about equal cost. The zero value is everything.
type Shard struct {
	Mine []int // each 0..Of-1, once
	Of   int
}

// ParseShard reads "i/N" or "i,j,k/N", counting from 0.
func ParseShard(text string) (Shard, error) {
	parts, ofText, ok := strings.Cut(text, "/")
	of, err := strconv.Atoi(ofText)
	if !ok || err != nil {
		return Shard{}, fmt.Errorf("shard %q: want i/N, as 0/4, or several, as 0,2/4", text)
	}
	shard := Shard{Of: of}
	for part := range strings.SplitSeq(parts, ",") {
		i, err := strconv.Atoi(part)
		if err != nil {
			return Shard{}, fmt.Errorf("shard %q: want i/N, as 0/4, or several, as 0,2/4", text)
		}
		shard.Mine = append(shard.Mine, i)
	}
	return shard, shard.Check()
}

// String returns the form that ParseShard reads; "" for everything.
func (s Shard) String() string {
	if s.Whole() {
		return ""
	}
	return numbers(s.Mine) + "/" + strconv.Itoa(s.Of)
}

// numbers lists numbers in ascending order, with commas.
func numbers(list []int) string {
	var text strings.Builder
	for i, x := range slices.Sorted(slices.Values(list)) {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString(strconv.Itoa(x))
	}
	return text.String()
}

// with joins two shards if they have equal Of; otherwise the zero value.
func (s Shard) with(other Shard) Shard {
	if s.Of != other.Of {
		return Shard{}
	}
	both := Shard{Mine: slices.Clone(s.Mine), Of: s.Of}
	for _, part := range other.Mine {
		if !slices.Contains(both.Mine, part) {
			both.Mine = append(both.Mine, part)
		}
	}
	return both
}

// common names the parts that both have, for an error, as ": shards 1,2 of 8".
func (s Shard) common(other Shard) string {
	if s.Of != other.Of {
		return ""
	}
	return named(s.Of, func(part int) bool { return slices.Contains(s.Mine, part) && slices.Contains(other.Mine, part) })
}

// others names the parts that the shard lacks.
func (s Shard) others() string {
	return named(s.Of, func(part int) bool { return !slices.Contains(s.Mine, part) })
}

func named(of int, wanted func(part int) bool) string {
	if of > 1<<20 {
		return "" // too long a list to read, or a number from a damaged file
	}
	set := make([]bool, of)
	for part := range set {
		set[part] = wanted(part)
	}
	ranges := formatRanges(set)
	if ranges == "" {
		return ""
	}
	return fmt.Sprintf(": shard %s of %d", ranges, of)
}

// Whole reports whether nothing is left out on purpose.
func (s Shard) Whole() bool { return s.Of == 0 }

// Check says what is wrong with the shard, if anything.
func (s Shard) Check() error {
	if s.Whole() {
		if len(s.Mine) > 0 {
			return fmt.Errorf("shards %v of none", s.Mine)
		}
		return nil
	}
	if s.Of < 1 || len(s.Mine) == 0 {
		return fmt.Errorf("shards %v of %d", s.Mine, s.Of)
	}
	for i, part := range s.Mine {
		if part < 0 || part >= s.Of || slices.Contains(s.Mine[:i], part) {
			return fmt.Errorf("shard %d of %d: want 0 to %d, each once", part, s.Of, s.Of-1)
		}
	}
	return nil
}

// Batches lists the shard's batches in plan order. All batches are laid end to end by cost; a batch
// belongs to the part that contains its middle, so parts differ by at most one batch's cost. If
// sources are drawn in stages, every shard has its share of every stage.
func (s Shard) Batches(plan *preprocess.Plan) []int {
	list := make([]int, 0, len(plan.Batches))
	if s.Whole() {
		for i := range plan.Batches {
			list = append(list, i)
		}
		return list
	}
	if plan.Drawn == nil {
		return s.cut(plan, 0, len(plan.Batches), 0, list)
	}
	list = s.cut(plan, 0, plan.Drawn.Stages[0].First, 0, list)
	for i, stage := range plan.Drawn.Stages {
		list = s.cut(plan, stage.First, stage.End, i, list)
	}
	return list
}

// cut appends the shard's share of the batches first..end-1. turn rotates the parts, so that stages
// of few batches do not leave the same parts empty.
func (s Shard) cut(plan *preprocess.Plan, first, end, turn int, list []int) []int {
	total := 0.0
	for _, batch := range plan.Batches[first:end] {
		total += plan.Cost(batch)
	}
	before := 0.0
	for i, batch := range plan.Batches[first:end] {
		cost := plan.Cost(batch)
		part := min(int((before+cost/2)/total*float64(s.Of)), s.Of-1)
		before += cost
		if slices.Contains(s.Mine, (part+turn)%s.Of) {
			list = append(list, first+i)
		}
	}
	return list
}
