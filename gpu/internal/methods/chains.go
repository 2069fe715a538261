package methods

import (
	"context"
	"math/bits"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/kernels"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
)

// Chains searches from junctions only: for blocks that have chains. It is the only method
// for these, whatever strategy is asked for.
const Chains wave.Strategy = "chains"

// chains is the method of kernels/chains.cl. A pack is a batch of the plan, or several if a
// batch has fewer sources than a word has bits.
type chains struct{}

func (chains) Name() wave.Strategy { return Chains }

func (chains) Source() string { return kernels.Text("chains") }

func (chains) suits(found survey.Findings) (bool, string) {
	return found.Chains.Junctions > 0, "most vertices lie inside chains between junctions"
}

func (chains) Fit(s wave.Shape, found survey.Findings) (wave.Shape, error) {
	s.Chains = found.Chains
	s.Words = (found.Chains.Lanes + driver.Team - 1) / driver.Team
	s.Group = chainGroup
	return s, nil
}

// chainGroup is the size of a work-group. A level has few junctions, and one work-item has
// the longest chain, so a work-group mostly waits; many small ones wait together.
const chainGroup = 64

// groupsFor is the number of work-groups for `roots` roots, `most` at most: as few as give
// each equally many roots in turn.
func groupsFor(roots, most int) int {
	turns := (roots + most - 1) / most
	return (roots + turns - 1) / turns
}

func (chains) Buffers(s wave.Shape) map[string]int64 {
	c := s.Chains
	n, junctions := int64(s.Vertices), int64(c.Junctions)
	roots := min(int64(s.Packs)*int64(c.Roots), junctions)
	groups := min(roots, int64(s.Groups))
	return map[string]int64{
		"Root":     roots * 4,
		"RootMass": roots * 8,
		"RootOf":   junctions * 4,
		"Sent":     int64(c.Inside) * 8,
		"Away":     roots * junctions * 4,
		"Ways":     roots * junctions * 8,
		"Order":    roots * junctions * 4,
		"LevelAt":  roots * (junctions + 1) * 4,
		"Levels":   roots * 4,
		"Checks":   roots * 3 * 8,
		"Pending":  groups * 2 * junctions * 4,
		"Mass":     groups * n * 8,
		"Delta":    groups * junctions * 8,
		"Brought":  groups * int64(c.Arms) * 8,
		"Bins":     groups * 3 * int64(c.Leads) * 4,
		"Score":    groups * n * 8,
		"Scores":   n * 8,
	}
}

// Calls of kernels/chains.cl.
type (
	ChainsSearch struct {
		Junctions, Roots           uint32
		ArmFirst, ArmTo, ArmLength driver.Buffer
		Root, Away, Ways           driver.Buffer
		Order, LevelAt, Levels     driver.Buffer
		Pending                    driver.Buffer
	}
	ChainsSend struct {
		N, Junctions, Leads, Roots, Unit uint32
		ArmFirst, ArmTo                  driver.Buffer
		ArmLength, ArmChain              driver.Buffer
		ChainFirst, ChainEnd, Spots      driver.Buffer
		Weight, Weights, Sent            driver.Buffer
		Root, RootMass, RootOf           driver.Buffer
		Away, Ways                       driver.Buffer
		Order, LevelAt, Levels           driver.Buffer
		Mass, Delta, Brought             driver.Buffer
		Bins, Score, Checks              driver.Buffer
	}
	ChainsClear struct {
		N, Groups uint32
		Score     driver.Buffer
	}
	ChainsFold struct {
		N, Groups     uint32
		Score, Scores driver.Buffer
	}
)

// Search runs over the wave's roots: see gpu/junctions.go.
func (chains) Search(ctx context.Context, s *wave.Wave) error {
	c, n := s.Shape.Chains, uint32(s.Shape.Vertices)
	groups := groupsFor(c.Roots, s.Shape.Groups)
	if err := s.Launch(ChainsClear{N: n, Groups: uint32(groups)}, s.Flat(groups*s.Shape.Vertices), 1); err != nil {
		return err
	}
	if err := s.Launch(ChainsSearch{Junctions: uint32(c.Junctions), Roots: uint32(c.Roots)}, groups, 1); err != nil {
		return err
	}
	if err := s.Pause(ctx); err != nil {
		return err
	}
	send := ChainsSend{N: n, Junctions: uint32(c.Junctions), Leads: uint32(c.Leads), Roots: uint32(c.Roots), Unit: uint32(bits.Len64(uint64(s.Block.Weight)))}
	if err := s.Launch(send, groups, 1); err != nil {
		return err
	}
	return s.Launch(ChainsFold{N: n, Groups: uint32(groups)}, s.Flat(s.Shape.Vertices), 1)
}
