// Command asm writes the AVX-512 and AVX2 kernels of package lanes. Run it with
// go generate in that package. Its kernels_go.go has the same kernels in
// Go.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	_ "bcstage/preprocess" // the module with the types of the signatures
)

// number is the type of the numbers in a row.
type number struct {
	name string // in Go
	size int    // bytes
}

// vectors emits operations on rows by an instruction set.
type vectors interface {
	name() string
	// lanes returns the lanes of a row in kernels of whole rows; 0: any power of two.
	lanes() int
	// reach adds the listed rows, in their lanes. In the lanes of the mask it stores the sums as path
	// counts and adds the weight of the vertex to reached.
	reach(k *kernel, e entry)
	// depend adds the listed rows, in their lanes, and computes dependencies from
	// the sums, in the lanes of the mask.
	depend(k *kernel, e entry)
}

// kernel is the function being written.
type kernel struct {
	vectors
	number
	lanes int  // of a row; 0: any power of two, by frame.rowBytes
	drawn bool // the block may have Draws or Decay
	flows bool // the block has Flows

	frame gotypes.Component
	rows  reg.GPVirtual
	at    reg.GPVirtual // the entry
	count reg.GPVirtual // rows listed

	more   bool // rows are appended to the list
	pieces bool // rows of several entries are listed before they are added up: frame.parts has where each entry's end
	first  Mem  // with pieces: where the entry's begin, and count is where they end
	lookAt int  // with pieces: lines of a row that are added up at a time

	labels int
}

// entry is the frontier entry whose row is to be written.
type entry struct {
	vertex reg.GPVirtual
	at     reg.GPVirtual // of its mask
	all    reg.GPVirtual // on the backward pass: the lanes that some listed row has
}

func main() {
	Package("bcstage/cpu/internal/lanes")
	ConstraintExpr("!purego")
	wide := number{"float64", 8}
	for _, v := range []vectors{avx512{}, avx2{}} {
		for _, n := range []number{wide, {"float32", 4}} {
			forward(&kernel{vectors: v, number: n, lanes: v.lanes()})
			backward(&kernel{vectors: v, number: n, lanes: v.lanes()})
		}
		backwardInPieces(&kernel{vectors: v, number: wide, lanes: v.lanes(), drawn: true}, "backwardAny")
	}
	backwardInPieces(&kernel{vectors: avx2{}, number: wide, flows: true}, "backwardFlows") // not measured with AVX-512
	countEntries()
	countEntries512()
	forwardLine()
	backwardLine()
	lastLine()
	backwardLineByEntry()
	lastLineByEntry()
	listOut()
	listBack()
	sumFlows()
	addLine()
	keepRows()
	keepEntries()
	Generate()
}

func (k *kernel) begin(name, arguments string) {
	if k.pieces {
		name += k.vectors.name()
	} else {
		name += k.vectors.name() + k.number.name[:1] + k.number.name[5:]
	}
	TEXT(name, NOSPLIT, fmt.Sprintf("func(f *frame, rows []%s, from, to%s", k.number.name, arguments))
	Pragma("noescape")
	k.frame = Dereference(Param("f"))
	k.rows = Load(Param("rows").Base(), GP64()).(reg.GPVirtual)
	k.at = Load(Param("from"), GP64()).(reg.GPVirtual)
	k.count = GP64()
}

func forward(k *kernel) {
	k.begin("forward", ", out int) int")
	Doc("The forward pass: see kernels.forward.")
	out := Load(Param("out"), GP64()).(reg.GPVirtual)
	Label("entry")
	k.compareEnd()
	JGE(LabelRef("end"))
	all := k.takePart("inOffsets", "inTargets", "here")
	e := k.enter(all, out)
	k.reach(k, e)
	INCQ(out)

	Label("next")
	INCQ(k.at)
	JMP(LabelRef("entry"))
	Label("end")
	Store(out, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// enter makes the entry from the vertex and the lanes that reach it. Without such
// lanes it jumps to next.
func (k *kernel) enter(all, out reg.GPVirtual) entry {
	TESTQ(all, all)
	JZ(LabelRef("next"))
	v, base := k.vertex(), k.field("seen")
	ORQ(all, Mem{Base: base, Index: v, Scale: 8})
	base = k.field("next")
	MOVQ(all, Mem{Base: base, Index: v, Scale: 8})
	base = k.field("vertex")
	MOVL(v.As32(), Mem{Base: base, Index: out, Scale: 4})
	e := entry{vertex: v, at: out}
	MOVQ(all, k.mask(e))
	return e
}

func backward(k *kernel) {
	k.begin("backward", " int)")
	Doc("The backward pass: see kernels.backward.")
	Label("entry")
	k.compareEnd()
	JGE(LabelRef("end"))
	all := k.takePart("offsets", "targets", "next")
	e := k.mark()
	e.all = all
	k.depend(k, e)

	INCQ(k.at)
	JMP(LabelRef("entry"))
	Label("end")
	VZEROUPPER()
	RET()
}

// mark stores the mask of the entry in frame.here.
func (k *kernel) mark() entry {
	e := entry{vertex: k.vertex(), at: k.at}
	m, base := GP64(), k.field("here")
	MOVQ(k.mask(e), m)
	MOVQ(m, Mem{Base: base, Index: e.vertex, Scale: 8})
	return e
}

func (k *kernel) compareEnd() {
	CMPQ(k.at, address(Param("to")))
}

// ifMultiple runs body if vertices have multiplicities.
func (k *kernel) ifMultiple(body func(multiplicities reg.GPVirtual)) {
	m, single := k.field("multiplicity"), k.label("single")
	TESTQ(m, m)
	JZ(LabelRef(single))
	body(m)
	Label(single)
}

// multiply multiplies the sums by the vertex's multiplicity. register makes a register of
// their width.
func (k *kernel) multiply(e entry, register func() reg.VecVirtual, sums ...reg.VecVirtual) {
	k.ifMultiple(func(multiplicities reg.GPVirtual) {
		mu := k.broadcast(Mem{Base: multiplicities, Index: e.vertex, Scale: 8}, register())
		for _, sum := range sums {
			if k.size == 8 {
				VMULPD(mu, sum, sum)
			} else {
				VMULPS(mu, sum, sum)
			}
		}
	})
}

// broadcast fills a register with a float64 from memory, in the row's type.
func (k *kernel) broadcast(at Mem, v reg.VecVirtual) reg.VecVirtual {
	if k.size == 8 {
		VBROADCASTSD(at, v)
		return v
	}
	one := v.AsX()
	VXORPS(one, one, one)
	VCVTSD2SS(at, one, one)
	VBROADCASTSS(one, v)
	return v
}

// either emits two bodies, of which one runs: has if the frame has the slice. The second may be nil.
func (k *kernel) either(slice string, has, not func()) {
	without, done := k.label("without"), k.label("done")
	CMPQ(address(k.frame.Field(slice).Base()), Imm(0))
	JEQ(LabelRef(without))
	has()
	if not != nil {
		JMP(LabelRef(done))
	}
	Label(without)
	if not != nil {
		not()
		Label(done)
	}
}

// label returns the name with a number that makes it unique in the kernel.
func (k *kernel) label(name string) string {
	k.labels++
	return fmt.Sprint(name, k.labels)
}
