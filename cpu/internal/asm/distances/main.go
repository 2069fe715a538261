// Command asm writes the AVX2 kernels of package distances. Run it with go generate
// in that package. Its kernels.go has the same kernels in Go.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	_ "bcstage/preprocess" // the module with the types of the signatures
)

// half is the bytes of a register, half of a row, and rowBytes those of a row.
const (
	half     = 32
	rowBytes = 64
	// looks is how many neighbours pull adds between two tests for missing sources.
	looks = 4
	// ahead is how many vertices ahead pull prefetches the rows of neighbours. 4 and 8 take the same
	// time.
	ahead = 6
)

func main() {
	Package("bcstage/cpu/internal/distances")
	ConstraintExpr("!purego")
	push()
	settle()
	pull()
	Generate()
}

// pair has the two registers that hold a row.
type pair [2]reg.VecVirtual

func load(from Mem) (p pair) {
	for j := range p {
		p[j] = YMM()
		from.Disp = half * j
		VMOVDQU(from, p[j])
	}
	return p
}

func pointer(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

func base(name string) reg.GPVirtual { return Load(Param(name).Base(), GP64()).(reg.GPVirtual) }

// span loads where a list of vertices begins and ends.
func span(name string) (at, end reg.GPVirtual) {
	at, end = base(name), Load(Param(name).Len(), GP64()).(reg.GPVirtual)
	LEAQ(Mem{Base: at, Index: end, Scale: 4}, end)
	return at, end
}

// place loads the offset, in bytes, of the row of the list's vertex at at.
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
	// A branch on whether the vertex is listed is not predictable: it is always written,
	// and the end of the list advances by arithmetic.
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
func size(of Mem) reg.GPVirtual {
	total, word := GP64(), GP64()
	POPCNTQ(of, total)
	for range rowBytes/8 - 1 {
		of.Disp += 8
		POPCNTQ(of, word)
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
	Store(size(Mem{Base: next}), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func pull() {
	TEXT("pullAVX2", NOSPLIT, "func(f *frame, list, left, coming, closed []uint32) (kept, fresh int)")
	Doc("See kernels.pull.")
	Pragma("noescape")
	frame := Dereference(Param("f"))
	word := func(name string) Mem { return address(frame.Field(name)) }
	slice := func(name string) reg.GPVirtual { return Load(frame.Field(name).Base(), GP64()).(reg.GPVirtual) }
	before := slice("before")
	all := address(frame.Field("all").Index(0))
	scratch := address(frame.Field("scratch").Index(0))
	kept, fresh, i := GP64(), GP64(), GP64()
	XORQ(kept, kept)
	XORQ(fresh, fresh)
	XORQ(i, i)
	Label("vertex")
	CMPQ(i, address(Param("list").Len()))
	JGE(LabelRef("done"))
	list := base("list")
	v := GP64()
	LEAQ(Mem{Base: i, Disp: ahead}, v)
	CMPQ(v, address(Param("list").Len()))
	JGE(LabelRef("near"))
	askFor(before, list, v, slice("offsets"), slice("targets"))
	Label("near")
	MOVL(Mem{Base: list, Index: i, Scale: 4}, v.As32())
	at, end, degree := GP64(), GP64(), GP64()
	offsets := slice("offsets")
	MOVQ(Mem{Base: offsets, Index: v, Scale: 8}, at)
	MOVQ(Mem{Base: offsets, Index: v, Scale: 8, Disp: 8}, end)
	MOVQ(end, degree)
	SUBQ(at, degree)
	targets := slice("targets")
	LEAQ(Mem{Base: targets, Index: at, Scale: 4}, at)
	LEAQ(Mem{Base: targets, Index: end, Scale: 4}, end)
	own := GP64()
	MOVQ(v, own)
	SHLQ(U8(6), own)
	had, missing, met := pair{YMM(), YMM()}, pair{YMM(), YMM()}, pair{YMM(), YMM()}
	for j := range missing {
		VMOVDQU(Mem{Base: before, Index: own, Scale: 1, Disp: half * j}, had[j])
		from := all
		from.Disp += half * j
		VPANDN(from, had[j], missing[j])
		VPXOR(met[j], met[j], met[j])
	}
	add := func() {
		u := place(at)
		for j := range met {
			VPOR(Mem{Base: before, Index: u, Scale: 1, Disp: half * j}, met[j], met[j])
		}
		ADDQ(U8(4), at)
	}
	// whole tests whether no source is missing.
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
	JMP(LabelRef("met"))
	Label("few")
	CMPQ(at, end)
	JGE(LabelRef("met"))
	add()
	JMP(LabelRef("few"))

	// A branch on the list of a vertex is not predictable: it is written to all lists, and
	// their ends advance by arithmetic.
	Label("met")
	flag, no := GP64(), GP64()
	whole()
	MOVL(U32(0), flag.As32())
	SETNE(flag.As8())
	MOVL(v.As32(), Mem{Base: base("left"), Index: kept, Scale: 4})
	MOVQ(i, no)
	SUBQ(kept, no)
	MOVL(v.As32(), Mem{Base: base("closed"), Index: no, Scale: 4})
	ADDQ(flag, kept)
	NEGQ(flag)
	ANDQ(degree, flag)
	ADDQ(flag, word("left"))
	seen := slice("seen")
	for j := range met {
		VPAND(missing[j], met[j], met[j])
		VPOR(met[j], had[j], had[j])
		VMOVDQU(had[j], Mem{Base: seen, Index: own, Scale: 1, Disp: half * j})
		to := scratch
		to.Disp += half * j
		VMOVDQU(met[j], to)
	}
	total := size(scratch)
	MOVL(v.As32(), Mem{Base: base("coming"), Index: fresh, Scale: 4})
	some := GP64()
	XORQ(some, some)
	NEGQ(total) // carry: it is not 0
	SBBQ(some, some)
	NEGQ(total)
	SUBQ(some, fresh)
	ANDQ(some, degree)
	ADDQ(degree, word("edges"))
	ADDQ(total, word("reached"))
	at3 := v
	LEAQ(Mem{Base: v, Index: v, Scale: 2}, at3)
	SHLQ(U8(4), at3)
	found := slice("found")
	ADDQ(at3, found)
	ADDQ(total, Mem{Base: found})
	level := Load(frame.Field("level"), GP64()).(reg.GPVirtual)
	ANDQ(level, some)
	product := GP64()
	MOVQ(level, product)
	IMULQ(total, product)
	ADDQ(product, Mem{Base: found, Disp: 8})
	IMULQ(word("inverse"), total)
	ADDQ(total, Mem{Base: found, Disp: 16})
	// Levels only grow.
	deepest := GP64()
	MOVQ(Mem{Base: found, Disp: 40}, deepest)
	CMPQ(some, deepest)
	CMOVQGT(some, deepest)
	MOVQ(deepest, Mem{Base: found, Disp: 40})
	INCQ(i)
	JMP(LabelRef("vertex"))
	Label("done")
	Store(kept, ReturnIndex(0))
	Store(fresh, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

// askFor prefetches the rows of the first and the last neighbour of a vertex of a list. Most vertices
// have few others, and a row that is not in cache delays the vertex and later ones.
func askFor(before, list, at, offsets, targets reg.GPVirtual) {
	v, first, last := GP64(), GP64(), GP64()
	MOVL(Mem{Base: list, Index: at, Scale: 4}, v.As32())
	MOVQ(Mem{Base: offsets, Index: v, Scale: 8}, first)
	MOVQ(Mem{Base: offsets, Index: v, Scale: 8, Disp: 8}, last)
	CMPQ(first, last)
	JGE(LabelRef("near")) // no neighbours
	MOVL(Mem{Base: targets, Index: first, Scale: 4}, first.As32())
	MOVL(Mem{Base: targets, Index: last, Scale: 4, Disp: -4}, last.As32())
	for _, u := range []reg.GPVirtual{first, last} {
		SHLQ(U8(6), u)
		PREFETCHT0(Mem{Base: before, Index: u, Scale: 1})
	}
}

// address returns the address of a parameter or a field.
func address(c gotypes.Component) Mem {
	place, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return place.Addr
}
