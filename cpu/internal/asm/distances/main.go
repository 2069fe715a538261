// Command asm writes the AVX2 kernels of package distances. Run it with go generate
// in that package; kernels.go there says in Go what is written here.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	_ "bcstage/preprocess" // the module whose types the signatures name
)

// half of a row is a register, and a row is rowBytes.
const (
	half     = 32
	rowBytes = 64
	// looks is how many neighbours pull adds between two looks at what is missing.
	looks = 4
)

func main() {
	Package("bcstage/cpu/internal/distances")
	ConstraintExpr("!purego")
	push()
	settle()
	pull()
	Generate()
}

// pair is the two registers that hold a row.
type pair [2]reg.VecVirtual

func load(from Mem) (p pair) {
	for j := range p {
		p[j] = YMM()
		from.Disp = half * j
		VMOVDQU(from, p[j])
	}
	return p
}

func (p pair) store(to Mem) {
	for j := range p {
		to.Disp = half * j
		VMOVDQU(p[j], to)
	}
}

func pointer(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

func base(name string) reg.GPVirtual { return Load(Param(name).Base(), GP64()).(reg.GPVirtual) }

// span loads where a list of vertices begins and ends.
func span(name string) (at, end reg.GPVirtual) {
	at, end = base(name), Load(Param(name).Len(), GP64()).(reg.GPVirtual)
	LEAQ(Mem{Base: at, Index: end, Scale: 4}, end)
	return at, end
}

// place is where the row of the next vertex of a list is, in bytes.
func place(at reg.GPVirtual) reg.GPVirtual {
	v := GP64()
	MOVL(Mem{Base: at}, v.As32())
	SHLQ(U8(6), v)
	return v
}

func push() {
	TEXT("pushAVX2", NOSPLIT, "func(here *row, targets []uint32, seen, next []row, listed []bool, coming []uint32) int")
	Doc("See kernels.push.")
	Pragma("noescape")
	row := load(Mem{Base: pointer("here")})
	at, end := span("targets")
	seen, next, listed, coming := base("seen"), base("next"), base("listed"), base("coming")
	count := GP64()
	XORQ(count, count)
	CMPQ(at, end)
	JGE(LabelRef("end"))

	Label("neighbour")
	v := place(at)
	fresh, any := pair{YMM(), YMM()}, YMM()
	for j := range fresh {
		VMOVDQU(Mem{Base: seen, Index: v, Scale: 1, Disp: half * j}, fresh[j])
		VPANDN(row[j], fresh[j], fresh[j])
	}
	VPOR(fresh[0], fresh[1], any)
	VPTEST(any, any)
	JZ(LabelRef("next"))
	for j := range fresh {
		to := Mem{Base: next, Index: v, Scale: 1, Disp: half * j}
		VPOR(to, fresh[j], fresh[j])
		VMOVDQU(fresh[j], to)
	}
	// Whether the vertex is listed already is not predictable: it is written all the
	// same, and the end of the list moves on by arithmetic.
	SHRQ(U8(6), v)
	was := GP64()
	MOVBQZX(Mem{Base: listed, Index: v, Scale: 1}, was)
	MOVB(U8(1), Mem{Base: listed, Index: v, Scale: 1})
	MOVL(v.As32(), Mem{Base: coming, Index: count, Scale: 4})
	XORQ(U8(1), was)
	ADDQ(was, count)

	Label("next")
	ADDQ(U8(4), at)
	CMPQ(at, end)
	JLT(LabelRef("neighbour"))
	Label("end")
	Store(count, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// size counts the bits of a row in memory.
func size(of reg.GPVirtual) reg.GPVirtual {
	total, word := GP64(), GP64()
	POPCNTQ(Mem{Base: of}, total)
	for i := 1; i < rowBytes/8; i++ {
		POPCNTQ(Mem{Base: of, Disp: 8 * i}, word)
		ADDQ(word, total)
	}
	return total
}

func settle() {
	TEXT("settleAVX2", NOSPLIT, "func(seen, next *row) int")
	Doc("See kernels.settle.")
	Pragma("noescape")
	seen, next := pointer("seen"), pointer("next")
	row := load(Mem{Base: next})
	for j := range row {
		to := Mem{Base: seen, Disp: half * j}
		VPOR(to, row[j], row[j])
		VMOVDQU(row[j], to)
	}
	Store(size(next), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func pull() {
	TEXT("pullAVX2", NOSPLIT, "func(seen, all *row, targets []uint32, here []row, next *row) (fresh int, left bool)")
	Doc("See kernels.pull.")
	Pragma("noescape")
	seen := pointer("seen")
	missing := load(Mem{Base: pointer("all")})
	for j := range missing {
		had := YMM()
		VMOVDQU(Mem{Base: seen, Disp: half * j}, had)
		VPANDN(missing[j], had, missing[j])
	}
	at, end := span("targets")
	here := base("here")
	met := pair{YMM(), YMM()}
	for j := range met {
		VPXOR(met[j], met[j], met[j])
	}
	add := func() {
		v := place(at)
		for j := range met {
			VPOR(Mem{Base: here, Index: v, Scale: 1, Disp: half * j}, met[j], met[j])
		}
		ADDQ(U8(4), at)
	}
	// whole asks whether nothing is missing.
	whole := func() {
		rest, other := YMM(), YMM()
		VPANDN(missing[0], met[0], rest)
		VPANDN(missing[1], met[1], other)
		VPOR(rest, other, rest)
		VPTEST(rest, rest)
	}
	last := GP64()
	LEAQ(Mem{Base: end, Disp: -4 * (looks - 1)}, last)
	Label("several")
	CMPQ(at, last)
	JGE(LabelRef("few"))
	for range looks {
		add()
	}
	whole()
	JNZ(LabelRef("several"))
	JMP(LabelRef("end"))
	Label("few")
	CMPQ(at, end)
	JGE(LabelRef("end"))
	add()
	JMP(LabelRef("few"))

	Label("end")
	left := GP8()
	whole()
	SETNE(left)
	Store(left, ReturnIndex(1))
	any := YMM()
	for j := range met {
		VPAND(missing[j], met[j], met[j])
	}
	VPOR(met[0], met[1], any)
	VPTEST(any, any)
	JZ(LabelRef("nothing"))
	for j := range met {
		to := Mem{Base: seen, Disp: half * j}
		had := YMM()
		VPOR(to, met[j], had)
		VMOVDQU(had, to)
	}
	next := pointer("next")
	met.store(Mem{Base: next})
	Store(size(next), ReturnIndex(0))
	VZEROUPPER()
	RET()
	Label("nothing")
	zero := GP64()
	XORQ(zero, zero)
	Store(zero, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
