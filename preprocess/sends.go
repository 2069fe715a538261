package preprocess

// toDraw readies a block for draws of its sources: From becomes what each source sends at most. It returns the largest
// dependency that a source can have for each unit of it.
//
//	masses          From, and the sum of all target masses, times the largest share of a Decay
//	spread masses   From, and 1: see Spread
//	trips           the trips of the source, and 1: its rows become shares of them
func (b *Block) toDraw() (largest float64) {
	if b.HasTrips() {
		b.From = make([]float64, b.Vertices())
		rows := make([]waiver, len(b.Waived))
		for _, x := range b.Waived {
			b.From[x.Source] -= x.Mass // whole numbers
		}
		for i, x := range b.Waived {
			x.Mass /= b.From[x.Source]
			rows[i] = x
		}
		b.Waived = rows
		return 1
	}
	for _, mass := range b.To {
		largest += mass
	}
	switch {
	case b.Decay == nil:
		return largest
	case b.Decay.spreading() || b.Decay.most == 0: // nothing counts, and any bound holds
		return 1
	}
	return largest * b.Decay.most
}

// Spread returns the factor of all seeds of a source that sees that much target mass, in a block with Draws: 1, or where
// the source's mass is spread over what it sees, its part for each unit.
func (b *Block) Spread(sees float64) float64 { return b.Decay.spread(1, sees) }
