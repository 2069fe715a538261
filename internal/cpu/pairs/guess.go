package pairs

import "math/bits"

// perTry is the number of arcs that are scanned in the time of a try.
const perTry = 64

// guess draws a vertex of the last level of each side, by their path counts, repeatedly
// until an arc leads from one to the other. The result is one of the arcs between the
// levels, with probability proportional to its paths. In small worlds one try in twenty
// meets an arc, where thousands would have to be scanned. It does not begin where too
// many tries are expected, and stops when scanning would be no more work.
func (x *search) guess(near, far *side, r *random) bool {
	if near.arcs < perTry*together {
		return false
	}
	from, to := near.last(), far.last()
	work := min(float64(near.arcs), perStep*float64(len(from)*searchSteps(int(near.arcs)/len(from), len(to))))
	if work < perTry*together {
		return false
	}
	// Estimate, as if arcs were random: how many of near's lead to a vertex of the
	// others.
	arcs := float64(near.arcs) * float64(far.arcs) / float64(len(near.along.Targets))
	if float64(len(from))*float64(len(to))*perTry > work*arcs {
		return false
	}
	near.sum()
	far.sum()
	x.leave, x.lead = x.leave[:0], x.lead[:0]
	var number [together]int
	var ends [together]uint32
	var rows [together][]uint32
	var v [together]uint32
	for range int(work) / (perTry * together) {
		longest := 0
		for i := range together {
			number[i] = near.pick(r)
			u, w := from[number[i]], to[far.pick(r)]
			ends[i], rows[i], v[i] = w, near.along.Neighbours(u), w
			if others := far.along.Neighbours(w); len(others) < len(rows[i]) {
				rows[i], v[i] = others, u
			}
			longest = max(longest, len(rows[i]))
		}
		x.counts.Arcs += int64(together * bits.Len(uint(longest)))
		if in := among(&rows, &v); in != 0 {
			i := bits.TrailingZeros(in)
			x.leave, x.lead = append(x.leave, uint32(number[i])), append(x.lead, ends[i])
			return true
		}
	}
	return false
}
