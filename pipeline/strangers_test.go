package pipeline

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
)

// Trips from or to ids that the graph lacks are counted and listed, and other trips flow as without them.
func TestTripsOfStrangers(t *testing.T) {
	for name, c := range map[string]struct{ edges, trips, by, flow, lost string }{
		"integers": {"src,dst\n1,2\n2,3\n", "1,3,2\n07,1,1\n7,1,2\n1,9,3\n1,7,0\n8,8,1.5\n2,2,1\n", "",
			"vertex,flow\n1,0\n2,2\n3,0\n", "origin,destination,trips\n2,2,1\n7,1,1\n7,1,2\n1,9,3\n8,8,1.5\n"},
		"text": {"src,dst\na,b\nb,c\n", "07,a,1\na,c,2\n7,a,2\n", "",
			"vertex,flow\na,0\nb,2\nc,0\n", "origin,destination,trips\n07,a,1\n7,a,2\n"},
		"graphs": {"src,dst,k\n1,2,a\n2,3,a\n2,3,b\n3,4,b\n", "1,3,2,a\n1,3,5,b\n1,4,5,b\n1,4,5,a\n4,2,2,b\n9,1,2,a\n1,9,2,b\n1,1,3,a\n", "k",
			"k,vertex,flow\na,1,0\na,2,2\na,3,0\nb,2,0\nb,3,2\nb,4,0\n", "k,origin,destination,trips\na,1,1,3\nb,1,3,5\nb,1,4,5\na,1,4,5\na,9,1,2\nb,1,9,2\n"},
		"no vertices": {"src,dst\n", "1,3,2\n", "", "vertex,flow\n", "origin,destination,trips\n1,3,2\n"},
	} {
		opts := Options{Compute: Compute{Engine: EngineCPU}}
		opts.Read, opts.Files.Stdin, opts.Files.Format = arrowio.Read, strings.NewReader(c.edges), tables.FormatCSV
		head := "origin,destination,trips\n"
		if c.by != "" {
			opts.Files.By, head = []string{c.by}, "origin,destination,trips,"+c.by+"\n"
		}
		path := filepath.Join(t.TempDir(), "trips.csv")
		if err := os.WriteFile(path, []byte(head+c.trips), 0o666); err != nil {
			t.Fatal(err)
		}
		var err error
		if opts.Trips, err = ReadTripTable(t.Context(), arrowio.ReadTrips, tables.Options{Paths: []string{path}, By: opts.Files.By}, TripColumns()); err != nil {
			t.Fatal(err)
		}
		var table, lost tables.Table
		opts.Unrouted = into(&lost)
		stats, err := Run(t.Context(), opts, into(&table))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for want, of := range map[string]tables.Table{c.flow: table, c.lost: lost} {
			var text bytes.Buffer
			if err := arrowio.Write(t.Context(), &text, tables.FormatCSV, of); err != nil {
				t.Fatal(err)
			}
			if text.String() != want {
				t.Errorf("%s: %s, want %s", name, text.String(), want)
			}
		}
		d := stats.Demand
		if d.Routed+d.NoPath+d.Self+d.Unknown != d.Trips.Sum || d.Unknown == 0 || len(stats.Warnings) == 0 {
			t.Errorf("%s: %+v, %+v, %q", name, d, d.Trips, stats.Warnings)
		}
	}
}
