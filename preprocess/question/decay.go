package question

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Decay is the share, from 0 to 1, that a pair of vertices counts for, by the distance x between them. Distances are in
// edges or in the numbers of the lengths' column. The zero value is 1 at any distance.
type Decay struct {
	// Share is the function of the distance:
	//
	//	exp:B               e^(-B x)
	//	power:A             x^(-A), and 1 up to a distance of 1
	//	gaussian:S          e^(-(x/S)^2 / 2)
	//	table:X=F,X=F,...   F at the distances X, which ascend, and in between along straight lines; the first F before
	//	                    the first X, and 0 beyond the last: pipeline.ReadDecay reads it from a file
	Share string
	Floor float64 // smaller shares count as 0, and end searches; 0: the limit is 2^-500
}

// leastShare is the smallest share, 3e-151: smaller ones count as 0. A share divided by a path count then has all its
// digits.
const leastShare = 0x1p-500

// MostShares is the largest number of rows of a table of shares.
const MostShares = 1024

// shares returns the text of Decay.Share in one spelling.
func shares(text string) (string, error) {
	f, err := parseShares(text)
	if err != nil || text == "" {
		return "", err
	}
	return f.String(), nil
}

// shareOf is Decay.Share, parsed.
type shareOf struct {
	kind   string
	number string      // of kinds that have one
	rows   [][2]string // of a table
	x, f   []float64   // likewise
}

func (s shareOf) String() string {
	if s.kind != "table" {
		return s.kind + ":" + s.number
	}
	rows := make([]string, len(s.rows))
	for i, row := range s.rows {
		rows[i] = row[0] + "=" + row[1]
	}
	return "table:" + strings.Join(rows, ",")
}

func parseShares(text string) (s shareOf, err error) {
	if text == "" {
		return s, nil
	}
	kind, of, _ := strings.Cut(text, ":")
	s.kind = kind
	switch kind {
	case "exp", "power", "gaussian":
		var x float64
		if s.number, x, err = decimalAndFloat(of); err != nil {
			return s, err
		}
		if s.x = []float64{x}; x == 0 && kind == "gaussian" {
			return s, errors.New("want a width of more than 0")
		}
		return s, nil
	case "table":
	default:
		return s, fmt.Errorf("%q: want exp:NUMBER, power:NUMBER, gaussian:NUMBER or table:DISTANCE=SHARE,...", text)
	}
	for _, row := range strings.Split(of, ",") {
		distance, share, found := strings.Cut(row, "=")
		if !found {
			return s, fmt.Errorf("%q: want DISTANCE=SHARE", row)
		}
		if err := s.add(distance, share); err != nil {
			return s, err
		}
	}
	return s, nil
}

// add adds a row to a table.
func (s *shareOf) add(distance, share string) error {
	if len(s.rows) == MostShares {
		return fmt.Errorf("a table of more than %d rows", MostShares)
	}
	distance, x, err := decimalAndFloat(distance)
	if err != nil {
		return err
	}
	share, f, err := decimalAndFloat(share)
	switch {
	case err != nil:
		return err
	case f > 1:
		return fmt.Errorf("a share of %s: want 0 to 1", share)
	case len(s.x) > 0 && x <= s.x[len(s.x)-1]:
		return fmt.Errorf("a distance of %s behind %s: want them to ascend", distance, s.rows[len(s.rows)-1][0])
	}
	s.rows, s.x, s.f = append(s.rows, [2]string{distance, share}), append(s.x, x), append(s.f, f)
	return nil
}

// decimalAndFloat returns a number of 0 or more in one spelling, and its value.
func decimalAndFloat(text string) (spelt string, x float64, err error) {
	spelt, err = decimal(strings.TrimSpace(text))
	if err == nil && spelt == "" {
		err = errors.New("want a decimal number of 0 or more")
	}
	if err != nil {
		return "", 0, fmt.Errorf("%q: %w", text, err)
	}
	x, err = strconv.ParseFloat(spelt, 64)
	return spelt, x, err
}

// DecayTable returns the Share of a Decay whose table has these rows, each a distance and a share in decimal. The error names
// the row, from 1.
func DecayTable(rows [][2]string) (string, error) {
	s := shareOf{kind: "table"}
	if len(rows) == 0 {
		return "", errors.New("a table of shares without rows")
	}
	for i, row := range rows {
		if err := s.add(row[0], row[1]); err != nil {
			return "", fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return s.String(), nil
}

// at returns the share at a distance.
func (s *shareOf) at(x float64) float64 {
	switch s.kind {
	case "exp":
		return math.Exp(-s.x[0] * x)
	case "power":
		return math.Pow(max(x, 1), -s.x[0])
	case "gaussian":
		x /= s.x[0]
		return math.Exp(-x * x / 2)
	case "table":
		i, met := slices.BinarySearch(s.x, x)
		switch {
		case met:
			return s.f[i]
		case i == 0:
			return s.f[0]
		case i == len(s.x):
			return 0
		}
		along := (x - s.x[i-1]) / (s.x[i] - s.x[i-1])
		return s.f[i-1]*(1-along) + float64(s.f[i]*along)
	}
	return 1
}

// At returns the function from distances to shares, of a Decay that Check has passed; nil for the zero value.
func (d Decay) At() func(x float64) float64 {
	s, err := parseShares(d.Share)
	if err != nil || d.Share == "" {
		return nil
	}
	return func(x float64) float64 {
		if share := s.at(x); share >= max(d.Floor, leastShare) {
			return share
		}
		return 0
	}
}

// exponential reports whether the share of a way is the product of the shares of its parts.
func (d Decay) exponential() bool { return strings.HasPrefix(d.Share, "exp:") && d.Floor == 0 }

// Most returns the largest share at distances of x or more.
func (d Decay) Most(x float64) float64 {
	s, err := parseShares(d.Share)
	if err != nil || d.Share == "" {
		return 1
	}
	most := s.at(x)
	for i, share := range s.f {
		if s.x[i] >= x {
			most = max(most, share)
		}
	}
	return most
}

// Last returns the distance beyond which all shares of a table are 0; false: there is no table.
func (d Decay) Last() (x float64, some bool) {
	s, err := parseShares(d.Share)
	if err != nil || s.kind != "table" {
		return 0, false
	}
	return s.x[len(s.x)-1], true
}
