package preprocess

// Decay says how much a pair of a block's vertices counts by the distance between them: its share, from 0 to 1, which is worked
// out from the distance alone, never along a path, so that it is the same on every way. It is read only.
type Decay struct {
	at     func(x float64) float64
	one    float64   // of what lengths are multiples of, or edges
	shares []float64 // by distance: the first

	spreads bool    // what begins at a source is spread over what it reaches: question.Gravity
	stay    float64 // in units of target masses
}

// Seed is the target mass that a source at a distance sees of a vertex: To, of which Decay leaves a share.
func (b *Block) Seed(v uint32, distance int64) float64 {
	if b.Decay == nil {
		return b.To[v]
	}
	return b.To[v] * b.Decay.Share(distance)
}

// Sends is the source mass of a vertex that sees so much target mass in all, the sum of Seed over what it reaches: From,
// or, where all of that is spread over what it reaches, its part for each unit of target mass.
func (b *Block) Sends(source uint32, sees float64) float64 {
	switch {
	case b.Decay == nil || !b.Decay.spreads:
		return b.From[source]
	case sees == 0:
		return 0
	}
	return b.From[source] / (sees + b.Decay.stay)
}

// Share of a pair whose vertices are so far apart.
func (d *Decay) Share(distance int64) float64 {
	if distance < int64(len(d.shares)) {
		return d.shares[distance]
	}
	return d.at(float64(distance) * d.one)
}

// Near are the shares at distances from 0 on: all that were worked out once.
func (d *Decay) Near() []float64 { return d.shares }
