package dial

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/cpu/internal/lengths"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// Distances alone have the bits of rows of lanes, within a cutoff, too.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 9))
	for i := range 200 / testgraphs.OneIn {
		b := either(r)
		b.Distances, b.Multiplicity = true, nil
		searches, rows := []*Search{New("go"), New("avx512")}, lengths.New(true)
		for _, batch := range testblocks.Plan(b).Batches {
			want, err := rows.RunDistances(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range searches {
				got, err := s.Run(t.Context(), b, batch)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Found, want.Found) || got.Got[0] != want.Got[0] || got.Want[0] != want.Want[0] {
					t.Fatalf("block %d: found %v of %v, %v, want %v of %v, %v", i, got.Got, got.Want, got.Found, want.Got, want.Want, want.Found)
				}
			}
		}
	}
}
