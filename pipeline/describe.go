package pipeline

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"bcstage/preprocess"
)

// describe records the results of the reductions.
func (s *Stats) describe(plan *preprocess.Plan) {
	s.Vertices = plan.Vertices
	s.Edges = plan.Edges
	s.Reductions = plan.Reductions
	s.Components = plan.Components
	s.Folded = plan.Folded
	s.Blocks = plan.BlockCount
	s.LargestBlock = plan.LargestBlock
	s.Batches = len(plan.Batches)
	s.Fingerprint = hex.EncodeToString(plan.Fingerprint[:])
}

// describe records the costs of computing.
func (c *computation) describe(stats *Stats) {
	figures := c.sharing.Figures()
	stats.SelfCheck = c.ledger.Check()
	for _, device := range c.devices {
		chosen := device.Choices()
		stats.DeviceChoices = append(stats.DeviceChoices, chosen...)
		stats.Choices = append(stats.Choices, deviceChoices(c.plan, chosen)...)
	}
	stats.FrontierEntriesPerVertexBatch = figures.FrontierEntriesPerVertexBatch
	stats.RowLoadsPerEdgeBatch = figures.RowLoadsPerEdgeBatch
	stats.Timeline = figures.Timeline
	stats.Engines = figures.Engines
	for _, e := range figures.Engines {
		if e.Failed != "" {
			stats.Warnings = append(stats.Warnings, e.Name+" failed, other engines finished its work: "+e.Failed)
		}
	}
}

// Version returns this module's version as the build recorded it, "0.0.0.dev0" without a record. A release is
// "0.1.0"; a commit before it is "0.1.0.dev20261123214452+89c9ec7", with time and commit, and ".dirty" where
// files had changed. Messages, files, archives and Python's wheels spell it so.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return spelled("")
	}
	path := strings.TrimSuffix(reflect.TypeFor[Stats]().PkgPath(), "/pipeline") // wherever the module is published
	if info.Main.Path == path {
		return spelled(info.Main.Version)
	}
	for _, dependency := range info.Deps {
		if dependency.Path == path {
			return spelled(dependency.Version)
		}
	}
	return spelled("")
}

// spelled converts a version of Go's to the only form that Python takes (PEP 440).
func spelled(version string) string {
	version, dirty := strings.CutSuffix(version, "+dirty")
	release, ok := strings.CutPrefix(version, "v")
	if !ok {
		return "0.0.0.dev0"
	}
	release, rest, _ := strings.Cut(release, "-")
	// The rest is TIME-COMMIT without a tag, 0.TIME-COMMIT after one, rc1 of a tag, rc1.0.TIME-COMMIT after
	// that.
	var local []string
	if before, commit, between := strings.Cut(rest, "-"); between {
		names := strings.Split(before, ".")
		time := names[len(names)-1]
		rest = strings.Join(names[:max(len(names)-2, 0)], "") + ".dev" + time
		local = append(local, commit)
	}
	if dirty {
		local = append(local, "dirty")
	}
	release += rest
	if len(local) > 0 {
		release += "+" + strings.Join(local, ".")
	}
	return release
}

// work is n·m, summed over the graphs if there are several.
func (s *Stats) work() float64 {
	if s.Graphs != nil {
		return s.Graphs.Work
	}
	return float64(s.Vertices) * float64(s.Edges)
}

// noteNulls notes how many rows with a null were left out of a list of ids or pairs.
func (s *Stats) noteNulls(rows int) {
	if rows > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("rows of a list with a null, which are left out: %d", rows))
	}
}

// left describes the rows that were left out of the graph; nil if there are none.
func (s *Stats) left() []string {
	var list []string
	for _, of := range []struct {
		rows      int64
		one, many string
	}{
		{s.NullsDropped, "row with a null", "rows with a null"},
		{s.Duplicates, "repeat of an edge", "repeats of edges"},
		{s.SelfLoops, "loop", "loops"},
	} {
		switch {
		case of.rows == 1:
			list = append(list, "1 "+of.one)
		case of.rows > 1:
			list = append(list, fmt.Sprintf("%d %s", of.rows, of.many))
		}
	}
	if list == nil {
		return nil
	}
	return []string{"left out: " + strings.Join(list, ", ")}
}
