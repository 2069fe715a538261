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

func base(name string) reg.GPVirtual { return Load(Param(name).Base(), GP64()).(reg.GPVirtual) }

// span loads where a list of vertices begins and ends.
func span(name string) (at, end reg.GPVirtual) {
	at, end = base(name), Load(Param(name).Len(), GP64()).(reg.GPVirtual)
	LEAQ(Mem{Base: at, Index: end, Scale: 4}, end)
	return at, end
}

// place loads the offset, in bytes, of the row of the vertex i places after the one at at.
func place(at reg.GPVirtual, i int) reg.GPVirtual {
	v := GP64()
	MOVL(Mem{Base: at, Disp: 4 * i}, v.As32())
	SHLQ(U8(6), v)
	return v
}

// frame is the frame that a kernel gets.
type frame struct{ gotypes.Component }

func loadFrame() frame { return frame{Dereference(Param("f"))} }

func (f frame) word(name string) Mem { return address(f.Field(name)) }

func (f frame) slice(name string) reg.GPVirtual {
	return Load(f.Field(name).Base(), GP64()).(reg.GPVirtual)
}

func push() {
	TEXT("pushAVX2", NOSPLIT, "func(f *frame, list, coming []uint32) (fresh int)")
	Doc("See kernels.push.")
	Pragma("noescape")
	f := loadFrame()
	heads, tips := f.slice("heads"), f.slice("tips")
	here, seen, next, listed := f.slice("here"), f.slice("seen"), f.slice("next"), f.slice("listed")
	vertex, last := span("list")
	coming, count, none := base("coming"), GP64(), YMM()
	XORQ(count, count)
	VPXOR(none, none, none)
	JMP(LabelRef("more"))

	Label("vertex")
	v, at, end := GP64(), GP64(), GP64()
	MOVL(Mem{Base: vertex}, v.As32())
	MOVQ(Mem{Base: heads, Index: v, Scale: 8}, at)
	MOVQ(Mem{Base: heads, Index: v, Scale: 8, Disp: 8}, end)
	LEAQ(Mem{Base: tips, Index: at, Scale: 4}, at)
	LEAQ(Mem{Base: tips, Index: end, Scale: 4}, end)
	SHLQ(U8(6), v)
	ADDQ(here, v)
	row := load(Mem{Base: v})
	for j := range row {
		VMOVDQU(none, Mem{Base: v, Disp: half * j})
	}
	ADDQ(U8(4), vertex)
	CMPQ(at, end)
	JGE(LabelRef("more"))

	Label("neighbour")
	u := place(at, 0)
	fresh, any := pair{YMM(), YMM()}, YMM()
	for j := range fresh {
		VMOVDQU(Mem{Base: seen, Index: u, Scale: 1, Disp: half * j}, fresh[j])
		VPANDN(row[j], fresh[j], fresh[j])
	}
	VPOR(fresh[0], fresh[1], any)
	VPTEST(any, any)
	JZ(LabelRef("next"))
	for j := range fresh {
		to := Mem{Base: next, Index: u, Scale: 1, Disp: half * j}
		VPOR(to, fresh[j], fresh[j])
		VMOVDQU(fresh[j], to)
	}
	// A branch on whether the vertex is listed is not predictable: it is always written,
	// and the end of the list advances by arithmetic.
	SHRQ(U8(6), u)
	was := GP64()
	MOVBQZX(Mem{Base: listed, Index: u, Scale: 1}, was)
	MOVB(U8(1), Mem{Base: listed, Index: u, Scale: 1})
	MOVL(u.As32(), Mem{Base: coming, Index: count, Scale: 4})
	XORQ(U8(1), was)
	ADDQ(was, count)

	Label("next")
	ADDQ(U8(4), at)
	CMPQ(at, end)
	JLT(LabelRef("neighbour"))

	Label("more")
	CMPQ(vertex, last)
	JLT(LabelRef("vertex"))
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
	TEXT("settleAVX2", NOSPLIT, "func(f *frame, list []uint32)")
	Doc("See kernels.settle.")
	Pragma("noescape")
	f := loadFrame()
	seen, next, listed := f.slice("seen"), f.slice("next"), f.slice("listed")
	vertex, last := span("list")
	JMP(LabelRef("more"))

	Label("vertex")
	v, at := GP64(), GP64()
	MOVL(Mem{Base: vertex}, v.As32())
	MOVB(U8(0), Mem{Base: listed, Index: v, Scale: 1})
	MOVQ(v, at)
	SHLQ(U8(6), at)
	fresh := Mem{Base: next, Index: at, Scale: 1}
	row := load(fresh)
	for j := range row {
		to := Mem{Base: seen, Index: at, Scale: 1, Disp: half * j}
		VPOR(to, row[j], row[j])
		VMOVDQU(row[j], to)
	}
	f.count(v, size(fresh), Load(f.Field("level"), GP64()).(reg.GPVirtual))
	ADDQ(U8(4), vertex)

	Label("more")
	CMPQ(vertex, last)
	JLT(LabelRef("vertex"))
	VZEROUPPER()
	RET()
}

// count adds, to the numbers of vertex v, that many sources which reach it at a level. It overwrites its arguments.
func (f frame) count(v, sources, level reg.GPVirtual) {
	ADDQ(sources, f.word("reached"))
	found := f.slice("found")
	LEAQ(Mem{Base: v, Index: v, Scale: 2}, v)
	SHLQ(U8(4), v)
	ADDQ(v, found)
	ADDQ(sources, Mem{Base: found})
	product := GP64()
	MOVQ(level, product)
	IMULQ(sources, product)
	ADDQ(product, Mem{Base: found, Disp: 8})
	IMULQ(f.word("inverse"), sources)
	ADDQ(sources, Mem{Base: found, Disp: 16})
	deepest := GP64()
	MOVQ(Mem{Base: found, Disp: 40}, deepest)
	CMPQ(level, deepest)
	CMOVQGT(level, deepest)
	MOVQ(deepest, Mem{Base: found, Disp: 40})
}

func pull() {
	TEXT("pullAVX2", NOSPLIT, "func(f *frame, list, left, coming, closed []uint32) (kept, fresh int)")
	Doc("See kernels.pull.")
	Pragma("noescape")
	f := loadFrame()
	word, slice := f.word, f.slice
	before := slice("before")
	all := address(f.Field("all").Index(0))
	scratch := address(f.Field("scratch").Index(0))
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
	add := func(several int) {
		for i := range several {
			u := place(at, i)
			for j := range met {
				VPOR(Mem{Base: before, Index: u, Scale: 1, Disp: half * j}, met[j], met[j])
			}
		}
		ADDQ(U8(4*uint8(several)), at)
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
	add(looks)
	whole()
	JNZ(LabelRef("several"))
	JMP(LabelRef("met"))
	Label("few")
	CMPQ(at, end)
	JGE(LabelRef("met"))
	add(1)
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
	ANDQ(word("level"), some) // 0 for no source
	f.count(v, total, some)
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
