package bound

import "math"

// The functions of package math may differ in their last bit from machine to
// machine, by assembly or by fused operations. These do not: the conversions keep
// compilers from fusing. Their relative error is about 1e-15.

// exp returns e^x for x < 700; below -700 it is 0.
func exp(x float64) float64 {
	const (
		perOctave = 1.44269504088896340735992468100189214
		octave    = 6.93147180369123816490e-01 // ln 2, its first 33 bits
		rest      = 1.90821492927058770002e-10
	)
	if x < -700 {
		return 0
	}
	k := math.Floor(float64(x*perOctave) + 0.5)
	r := x - float64(k*octave) - float64(k*rest)
	p := 1.0 / 479001600 // Taylor's series to r^12/12!, |r| <= ln 2 / 2
	p = float64(p*r) + 1.0/39916800
	p = float64(p*r) + 1.0/3628800
	p = float64(p*r) + 1.0/362880
	p = float64(p*r) + 1.0/40320
	p = float64(p*r) + 1.0/5040
	p = float64(p*r) + 1.0/720
	p = float64(p*r) + 1.0/120
	p = float64(p*r) + 1.0/24
	p = float64(p*r) + 1.0/6
	p = float64(p*r) + 0.5
	p = float64(p*r) + 1
	p = float64(p*r) + 1
	return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// log returns the natural logarithm of a normal x > 0.
func log(x float64) float64 {
	const octave = 0.693147180559945309417232121458176568
	fraction, exponent := math.Frexp(x) // exact
	if fraction < math.Sqrt2/2 {
		fraction, exponent = 2*fraction, exponent-1
	}
	// ln f = 2 artanh((f-1)/(f+1))
	f := (fraction - 1) / (fraction + 1)
	square := float64(f * f)
	p := 1.0 / 23
	p = float64(p*square) + 1.0/21
	p = float64(p*square) + 1.0/19
	p = float64(p*square) + 1.0/17
	p = float64(p*square) + 1.0/15
	p = float64(p*square) + 1.0/13
	p = float64(p*square) + 1.0/11
	p = float64(p*square) + 1.0/9
	p = float64(p*square) + 1.0/7
	p = float64(p*square) + 1.0/5
	p = float64(p*square) + 1.0/3
	p = float64(p * square)
	return float64(2*f*(1+p)) + float64(float64(exponent)*octave)
}
