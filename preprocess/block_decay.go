package preprocess

import "bcstage/internal/engine"

// decayTable is the number of distances whose shares are kept in a table.
const decayTable = 1 << 20

// A decay is the share that a pair of a block's vertices counts for, from 0 to 1, by the distance between them. It
// depends on the distance alone, never on the path, so all walks compute the same share. It is read only.
type decay struct {
	at     func(x float64) float64
	one    float64   // unit of lengths, or of edges
	shares []float64 // by distance: the first shares
	ratio  float64   // Ratio

	most     float64 // the largest share at a distance of one or more
	products bool    // f(x + y) = f(x) f(y)
	alike    bool    // Alike
	spreads  bool    // the mass of a source is spread over what it reaches: question.Gravity
	stay     float64 // in units of target masses
}

// Seed is the target mass of a vertex as a source at a distance sees it: To times the share that Decay leaves.
func (b *Block) Seed(v uint32, distance int64) float64 {
	if b.Decay == nil {
		return b.To[v]
	}
	return b.To[v] * b.Decay.Share(distance)
}

// Sends returns the source mass of a vertex that sees that much target mass in all, the sum of Seed over what it
// reaches. It is From or, where all of it is spread over what the source reaches, its part for each unit of target
// mass. In a block with Draws it is From, and seeds are multiplied by Spread. For a class of twins whose masses are
// spread, it adds the pairs within the class to the scores, by local vertex.
func (b *Block) Sends(source uint32, sees float64, scores []float64) float64 {
	switch {
	case b.HasDraws():
		return b.From[source]
	case b.spread != nil:
		return b.spread.send(b, source, sees, scores)
	case b.hanging != nil && b.Decay.spreading():
		return b.hanging.send(b.vertices[source], sees)
	}
	return b.Decay.spread(b.From[source], sees)
}

// spread returns the part of a mass for each unit of the target mass that its source sees, or the mass where none is
// spread.
func (d *decay) spread(mass, sees float64) float64 {
	switch {
	case !d.spreading():
		return mass
	case sees == 0:
		return 0
	}
	return mass / (sees + d.stay)
}

// Spreads reports whether the mass of a source is spread over what it reaches.
func (p *Paths) Spreads() bool { return p.Decay.spreading() }

// spreading reports whether the mass of a source is spread over what it reaches.
func (d *decay) spreading() bool { return d != nil && d.spreads }

// Share returns the share of a pair at the given distance.
func (d *decay) Share(distance int64) float64 {
	if distance < int64(len(d.shares)) {
		return d.shares[distance]
	}
	return d.at(float64(distance) * d.one)
}

// Meet counts a target mass at a distance from a source: in want times the distance minus 1, in reached, and in access
// where the block has Access; each with the share of its distance. The source itself does not count.
func (b *Block) Meet(distance int64, mass float64, want, reached *float64, access *engine.Access) {
	if distance <= 0 {
		return
	}
	share := 1.0
	if b.Decay != nil {
		share = b.Decay.Share(distance)
	}
	*want += mass * (float64(distance-1) * share)
	*reached += float64(mass * share) // the conversion keeps arm64 from fusing
	if b.Access {
		access.Add(mass, share, distance)
	}
}

// Ratio returns the share of each unit of a path, where the share of a path is the product of those; 0: it is not.
func (d *decay) Ratio() float64 { return d.ratio }

// Alike reports whether every share is 1: the question has no --decay, and Gravity spreads masses, or sources tell what they
// reach.
func (d *decay) Alike() bool { return d.alike }

// Relative reports whether searches of a block keep c and D over the share q^d(v) of their vertex's distance. The block has
// Decay, and q is its Ratio. Seeds then have no shares, and c counts for q of itself one arc before:
//
//	c(v) / q^d(v) = To(v) / S(v) + q * sum of c(u) / q^d(u) over the successors u
//
// In the check each target counts for its mass. Each vertex on the way keeps 1 - q of its rest, and the source has the
// end of it:
//
//	sum of D(v) / q^(d(v) + 1) * (1 - q) + sum of c(u) / q over the successors u of the source + To(source) = all target mass
//
// Draws, Flows and Access need the share of each pair, and with a Cutoff the mass is unknown.
func (b *Block) Relative() bool {
	return b.Decay != nil && b.Decay.ratio > 0 && b.Cutoff == 0 && !b.HasLengths() && !b.HasDraws() && !b.HasFlows() && !b.Access
}

// Spreads reports whether the mass that a source sends depends on the masses that it sees.
func (d *decay) Spreads() bool { return d.spreads }

// ofHalves returns the shares where distances are counted in halves.
func (d *decay) ofHalves() *decay {
	if d == nil {
		return nil
	}
	of := *d
	of.one, of.shares = d.one/2, make([]float64, min(2*len(d.shares), decayTable))
	if d.ratio > 0 {
		of.ratio = d.at(of.one)
	}
	for x := range of.shares {
		if of.shares[x] = d.shares[x/2]; x%2 == 1 {
			of.shares[x] = d.at(float64(x) * of.one)
		}
	}
	return &of
}

// splitShares is the distance at which long tables of exponential shares are split.
const splitShares = 1 << 12

// Numbers returns how many numbers Table has for so many distances, from 0 on. Many exponential shares are split: the
// share at distance d is number d % split times number split + d / split. split is 1 where they are not.
func (d *decay) Numbers(distances int64) (count, split int64) {
	if !d.products || distances <= decayTable {
		return distances, 1
	}
	return splitShares + (distances-1)/splitShares + 1, splitShares
}

// Table returns the shares of so many distances for devices.
func (d *decay) Table(distances int64) []float64 {
	count, split := d.Numbers(distances)
	list := make([]float64, count)
	for i := range list {
		x := int64(i)
		if split > 1 && x >= split {
			x = (x - split) * split
		}
		list[i] = d.Share(x)
	}
	return list
}

// Near returns the shares at distances from 0 on that are in the table, and whether no path that counts is longer.
func (d *decay) Near() (shares []float64, all bool) { return d.shares, len(d.shares) < decayTable }
