// Command asm writes the AVX2 kernels of package meshes. Run it with go generate in that
// package. Its kernels.go has the same kernels in Go.
package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	_ "bcstage/preprocess" // the module with the types of the signatures
)

const (
	// lanes is lanes of package meshes.
	lanes = 64
	// quarters is the number of registers that hold a row of levels.
	quarters = lanes / 16
	// drawnLanes is DrawnLanes of package meshes: one register holds so many levels.
	drawnLanes = 16
	// far is far of package meshes.
	far = 1<<15 - 1
	// fetchAhead is how many visits ahead kernels prefetch the row of a vertex.
	fetchAhead = 4
)

func main() {
	Package("bcstage/cpu/internal/meshes")
	ConstraintExpr("!purego")
	data()
	relax("relax", false)
	relax("relaxShort", true)
	measure()
	collect()
	collectShort()
	count()
	depend()
	measureDrawn()
	countDrawn()
	dependDrawn()
	beginWide("count", "list, late []uint32) int").count()
	dependWide()
	Generate()
}

// data emits the level of unreached vertices, and 1.
func data() {
	GLOBL("far", attr.RODATA|attr.NOPTR)
	DATA(0, U16(far))
	GLOBL("one", attr.RODATA|attr.NOPTR)
	DATA(0, F64(1))
}

// shifts64 returns the address of shifts64 of package meshes.
func shifts64() Mem { return NewDataAddr(Symbol{Name: "·shifts64"}, 0) }

// kernel is the function being written.
type kernel struct {
	width  int  // numbers in a row
	wide   bool // registers have 512 bits
	frame  gotypes.Component
	labels int

	// For a half of a wide row, in the loop of gather:
	inFrame reg.GPVirtual // the frame plus the bytes of float64 before the half: addresses without an index take fewer steps
	rows    reg.GPVirtual // address of the half of rank 0
	shifts  reg.GPVirtual // address of its part of shifts64
}

func begin(name, arguments string) *kernel {
	return beginSet("AVX2", name, arguments)
}

func beginSet(set, name, arguments string) *kernel {
	TEXT(name+set, NOSPLIT, "func(f *frame, "+arguments)
	Doc("See kernels." + strings.TrimSuffix(name, "Drawn") + ".")
	Pragma("noescape")
	return &kernel{width: lanes, frame: Dereference(Param("f"))}
}

// beginWide begins a kernel with registers of 512 bits, which works on rows of numbers.
func beginWide(name, arguments string) *kernel {
	k := beginSet("AVX512", name, "rows []float64, "+arguments)
	k.wide = true
	return k
}

// beginRows begins a kernel that works on rows of numbers.
func beginRows(name, arguments string) *kernel { return begin(name, "rows []float64, "+arguments) }

// registers returns the number of registers that hold a row.
func (k *kernel) registers() int { return k.width / 4 }

// rowOf returns the address of the row of a rank.
func (k *kernel) rowOf(r reg.GPVirtual) Mem {
	if k.rows != nil {
		return rowOf(k.rows, r, k.width*8)
	}
	return rowOf(Load(Param("rows").Base(), GP64()).(reg.GPVirtual), r, k.width*8)
}

// base loads where a slice of the frame begins.
func (k *kernel) base(name string) reg.GPVirtual {
	return Load(k.frame.Field(name).Base(), GP64()).(reg.GPVirtual)
}

// field returns the address of a number of the frame.
func (k *kernel) field(c gotypes.Component) Mem {
	b, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// lane returns the address of an array of the frame, from a lane of the current half on, if there is one.
func (k *kernel) lane(name string, lane int) Mem {
	at := k.field(k.frame.Field(name).Index(lane))
	if k.inFrame != nil {
		at.Base = k.inFrame
	}
	return at
}

// ofFrame returns the register with the address of the frame.
func (k *kernel) ofFrame() reg.Register { return k.field(k.frame.Field("visits")).Base }

// either emits two bodies, of which one runs: has if the frame has the slice.
func (k *kernel) either(slice string, has, not func()) {
	without, done := k.label("without"), k.label("done")
	CMPQ(k.field(k.frame.Field(slice).Base()), Imm(0))
	JEQ(LabelRef(without))
	has()
	JMP(LabelRef(done))
	Label(without)
	not()
	Label(done)
}

// label returns the name with a number that makes it unique in the kernel.
func (k *kernel) label(name string) string {
	k.labels++
	return fmt.Sprint(name, k.labels)
}

func param(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// some returns so many registers.
func some(count int) (all []reg.VecVirtual) {
	for range count {
		all = append(all, YMM())
	}
	return all
}

// ones sets all bits.
func ones() reg.VecVirtual {
	v := YMM()
	VPXOR(v, v, v)
	VPCMPEQD(v, v, v)
	return v
}

// part returns the address of part i of a row, in steps of a register.
func part(row Mem, i int) Mem {
	row.Disp += 32 * i
	return row
}

// levelsOf returns the address of the levels of a rank.
func levelsOf(levels, r reg.GPVirtual) Mem { return rowOf(levels, r, 2*lanes) }

// rowOf returns the address of a row of so many bytes.
func rowOf(rows, r reg.GPVirtual, bytes int) Mem {
	offset := GP64()
	MOVQ(r, offset)
	shift := uint64(0)
	for 1<<shift < bytes {
		shift++
	}
	SHLQ(Imm(shift), offset)
	return Mem{Base: rows, Index: offset, Scale: 1}
}

// each runs body for i, i+1, ..., end-1, and leaves i at end. end may be in memory.
func each(name string, i reg.GPVirtual, end Op, body func()) {
	CMPQ(i, end)
	JGE(LabelRef(name + "End"))
	Label(name)
	body()
	INCQ(i)
	CMPQ(i, end)
	JLT(LabelRef(name))
	Label(name + "End")
}

// eachNeighbour runs body for the neighbours of a rank, with their addresses in targets.
func (k *kernel) eachNeighbour(r reg.GPVirtual, body func(at, u reg.GPVirtual)) {
	offsets, at, end := k.base("offsets"), GP64(), GP64()
	MOVL(Mem{Base: offsets, Index: r, Scale: 4}, at.As32())
	MOVL(Mem{Base: offsets, Index: r, Scale: 4, Disp: 4}, end.As32())
	targets := k.base("targets")
	LEAQ(Mem{Base: targets, Index: at, Scale: 4}, at)
	LEAQ(Mem{Base: targets, Index: end, Scale: 4}, end)
	begin, done := k.label("neighbour"), k.label("neighbourEnd")
	CMPQ(at, end)
	JGE(LabelRef(done))
	Label(begin)
	u := GP64()
	MOVL(Mem{Base: at}, u.As32())
	body(at, u)
	ADDQ(Imm(4), at)
	CMPQ(at, end)
	JLT(LabelRef(begin))
	Label(done)
}

// eachListed runs body for the ranks of the parameter list.
func (k *kernel) eachListed(body func(at, r reg.GPVirtual)) {
	i := GP64()
	XORQ(i, i)
	each("listed", i, k.field(Param("list").Len()), func() {
		r, at := GP64(), Load(Param("list").Base(), GP64()).(reg.GPVirtual)
		LEAQ(Mem{Base: at, Index: i, Scale: 4}, at)
		MOVL(Mem{Base: at}, r.As32())
		body(at, r)
	})
}

// fetch prefetches the row of a rank that comes soon in a list, and the levels of one that
// comes later. The list continues from at in the given direction.
func (k *kernel) fetch(at reg.GPVirtual, direction int) {
	later, soon := GP64(), GP64()
	MOVQ(k.field(k.frame.Field("ahead")), later)
	if direction < 0 {
		NEGQ(later)
	}
	MOVL(Mem{Base: at, Index: later, Scale: 4}, later.As32())
	row := levelsOf(k.base("levels"), later)
	for line := range max(k.width*2/64, 1) {
		row.Disp = 64 * line
		PREFETCHT0(row)
	}
	MOVL(Mem{Base: at, Disp: 4 * fetchAhead * direction}, soon.As32())
	row = k.rowOf(soon)
	for line := range k.width / 8 {
		row.Disp = 64 * line
		PREFETCHT0(row)
	}
}

// advance adds 1 to n unless x is 0. It overwrites x.
func advance(n, x reg.GPVirtual) {
	CMPQ(x, Imm(1)) // carry if zero
	SBBQ(I8(-1), n)
}
