// Command asm writes the AVX2 and AVX-512 kernels of package acyclic. Run it with go
// generate in that package; kernels.go there says in Go what is written here.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	_ "bcstage/preprocess" // the module whose types the signatures name
)

// lanes is that of package acyclic.
const lanes = 32

func main() {
	Package("bcstage/cpu/internal/acyclic")
	ConstraintExpr("!purego")
	for _, d := range []struct{ size, far uint64 }{{2, 1 << 14}, {4, 1 << 30}} { // farShort, farNarrow
		GLOBL(fmt.Sprintf("far%d", d.size), attr.RODATA|attr.NOPTR)
		DATA(0, U64(d.far))
	}
	GLOBL("bits", attr.RODATA|attr.NOPTR) // by lane of four: its bit
	for lane := range 4 {
		DATA(8*lane, U64(1<<lane))
	}
	for _, size := range []int{2, 4} {
		for _, set := range []instructions{avx2{}, avx512{}} {
			forward(set, size, false)
			forward(set, size, true)
			relax(set, size)
			backward(set, size, false)
			backward(set, size, true)
		}
	}
	Generate()
}

// instructions are those of one set.
type instructions interface {
	name() string
	// scratch is room for what registers do not hold.
	scratch(bytes int) Mem
	// within takes distances of the row beyond the limit for not reached, and keeps the row and the
	// lanes that reach the vertex.
	within(k *kernel)
	// finish is what forward does with the vertex itself.
	finish(k *kernel)
	finishMany(k *kernel)
	// offer offers the row to another, at a distance of length.
	offer(k *kernel, other Mem, length Mem) (old, fresh any)
	// count and countMany keep, of the other's path counts, or drop those that old says, and add the
	// vertex's where fresh says so.
	count(k *kernel, theirs Mem, old, fresh any)
	countMany(k *kernel, theirs Mem, old, fresh any)
	// begin gets ready for the arcs of a vertex on the way back; add adds the c of the end of one, and
	// end is what is left to do with the vertex.
	begin(k *kernel)
	add(k *kernel, other, c, length Mem)
	end(k *kernel)
}

// kernel is the function being written.
type kernel struct {
	gotypes.Component
	set   instructions
	size  int // bytes of a distance
	flows bool

	rows    reg.GPVirtual // of distances
	x       reg.GPVirtual // the vertex
	row     Mem           // its row of distances
	counts  Mem           // its path counts
	s       Mem           // its row of float64
	near    []reg.VecVirtual
	reached any
	sums    []reg.VecVirtual
	sent    []reg.VecVirtual
	scratch Mem
	arc     reg.GPVirtual
}

func field(size int) string { return map[int]string{2: "short", 4: "narrow"}[size] }

func typeName(size int) string { return map[int]string{2: "Short", 4: "Narrow"}[size] }

func start(set instructions, size int, name string) *kernel {
	TEXT(name+typeName(size)+set.name(), NOSPLIT, "func(f *frame, from, to int)")
	Pragma("noescape")
	k := &kernel{Component: Dereference(Param("f")), set: set, size: size}
	k.rows = k.base(field(size))
	return k
}

// base loads where a slice of the frame begins.
func (k *kernel) base(name string) reg.GPVirtual {
	return Load(k.Field(name).Base(), GP64()).(reg.GPVirtual)
}

// at is where a field of the frame is, or an element of an array.
func (k *kernel) at(name string) Mem { return address(k.Field(name)) }

func (k *kernel) inArray(name string, lane int) Mem { return address(k.Field(name).Index(lane)) }

func address(c gotypes.Component) Mem {
	place, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return place.Addr
}

// rowOf is the address of a vertex's row, whose numbers have so many bytes.
func rowOf(rows, vertex reg.GPVirtual, size int) Mem {
	offset := GP64()
	MOVQ(vertex, offset)
	shift := map[int]uint64{2: 6, 4: 7, 8: 8}[size]
	SHLQ(Imm(shift), offset)
	ADDQ(rows, offset)
	return Mem{Base: offset}
}

func part(row Mem, i, bytes int) Mem {
	row.Disp += i * bytes
	return row
}

// eachArc runs body for the arcs of the vertex.
func (k *kernel) eachArc(body func(y reg.GPVirtual, length Mem)) {
	offsets, first, end := k.base("offsets"), GP64(), GP64()
	MOVQ(Mem{Base: offsets, Index: k.x, Scale: 8}, first)
	MOVQ(Mem{Base: offsets, Index: k.x, Scale: 8, Disp: 8}, end)
	k.arc = first
	targets, lengths := k.base("targets"), k.base("lengths")
	CMPQ(first, end)
	JGE(LabelRef("arcsEnd"))
	Label("arc")
	y := GP64()
	MOVL(Mem{Base: targets, Index: first, Scale: 4}, y.As32())
	body(y, Mem{Base: lengths, Index: first, Scale: 8})
	INCQ(first)
	CMPQ(first, end)
	JLT(LabelRef("arc"))
	Label("arcsEnd")
}

// take makes x the i-th vertex of the list.
func (k *kernel) take(i reg.GPVirtual) {
	k.x = GP64()
	MOVL(Mem{Base: k.base("list"), Index: i, Scale: 4}, k.x.As32())
	k.row = rowOf(k.rows, k.x, k.size)
}

// ahead runs body for from..to-1.
func (k *kernel) ahead(body func()) {
	i, to := GP64(), GP64()
	Load(Param("from"), i)
	Load(Param("to"), to)
	CMPQ(i, to)
	JGE(LabelRef("end"))
	Label("vertex")
	k.take(i)
	k.set.within(k)
	body()
	INCQ(i)
	CMPQ(i, to)
	JLT(LabelRef("vertex"))
	Label("end")
	VZEROUPPER()
	RET()
}

func forward(set instructions, size int, many bool) {
	name := "forward"
	if many {
		name = "forwardMany"
	}
	k := start(set, size, name)
	Doc("See kernels." + name + ".")
	k.scratch = set.scratch(128)
	k.ahead(func() {
		k.s = rowOf(k.base("rows"), k.x, 8)
		finish, count, rows, bytes := set.finishMany, set.countMany, "rows", 8
		if !many {
			k.counts = rowOf(k.base("counts"), k.x, 2)
			finish, count, rows, bytes = set.finish, set.count, "counts", 2
		}
		finish(k)
		theirs := k.base(rows)
		k.eachArc(func(y reg.GPVirtual, length Mem) {
			less, some := set.offer(k, rowOf(k.rows, y, size), length)
			count(k, rowOf(theirs, y, bytes), less, some)
		})
	})
}

func relax(set instructions, size int) {
	k := start(set, size, "relax")
	Doc("See kernels.relax.")
	k.ahead(func() {
		k.eachArc(func(y reg.GPVirtual, length Mem) { set.offer(k, rowOf(k.rows, y, size), length) })
	})
}

func backward(set instructions, size int, flows bool) {
	name := "backward"
	if flows {
		name = "backwardFlows"
	}
	k := start(set, size, name)
	Doc("See kernels." + name + ".")
	k.flows, k.scratch = flows, set.scratch(64+256)
	i, from := GP64(), GP64()
	Load(Param("from"), from)
	Load(Param("to"), i)
	Label("vertex")
	DECQ(i)
	CMPQ(i, from)
	JLT(LabelRef("end"))
	k.take(i)
	rows := k.base("rows")
	k.s = rowOf(rows, k.x, 8)
	set.begin(k)
	k.eachArc(func(y reg.GPVirtual, length Mem) {
		set.add(k, rowOf(k.rows, y, size), rowOf(rows, y, 8), length)
	})
	set.end(k)
	JMP(LabelRef("vertex"))
	Label("end")
	VZEROUPPER()
	RET()
}

// ifMultiple runs body with the vertex's multiplicity, if vertices have some.
func (k *kernel) ifMultiple(label string, body func(mu Mem)) {
	m := k.base("multiplicity")
	TESTQ(m, m)
	JZ(LabelRef(label))
	body(Mem{Base: m, Index: k.x, Scale: 8})
	Label(label)
}

// addScore adds the sum of four numbers to the vertex's score.
func (k *kernel) addScore(four reg.VecVirtual) {
	total := addFour(four)
	k.ifMultiple("alone", func(mu Mem) { VDIVSD(mu, total, total) })
	at := Mem{Base: k.base("scores"), Index: k.x, Scale: 8}
	VADDSD(at, total, total)
	VMOVSD(total, at)
}

// addFlow adds the sum of four numbers to what goes over the arc.
func (k *kernel) addFlow(four reg.VecVirtual, length Mem) {
	flow, edge, sum, long := addFour(four), GP64(), XMM(), XMM()
	MOVL(Mem{Base: k.base("arcFlow"), Index: k.arc, Scale: 4}, edge.As32())
	at := Mem{Base: k.base("flows"), Index: edge, Scale: 8}
	VADDSD(at, flow, sum)
	VMOVSD(sum, at)
	VXORPD(long, long, long)
	VCVTSI2SDQ(length, long, long)
	VMULSD(flow, long, long)
	VADDSD(k.at("flowGot"), long, long)
	VMOVSD(long, k.at("flowGot"))
}

// addFour gives (v[0]+v[2]) + (v[1]+v[3]), the order of scoreSum.
func addFour(v reg.VecVirtual) reg.VecVirtual {
	high, sum := XMM(), XMM()
	VEXTRACTF128(Imm(1), v.AsY(), high)
	VADDPD(high, v.AsX(), high)
	VUNPCKHPD(high, high, sum)
	VADDSD(sum, high, sum)
	return sum
}

// farOf loads what stands for what is not reached.
func (k *kernel) farOf(far reg.VecVirtual) reg.VecVirtual {
	broadcast(k.size, constant(fmt.Sprint("far", k.size)), far)
	return far
}

// broadcast a distance.
func broadcast(size int, at Mem, to reg.VecVirtual) {
	if size == 2 {
		VPBROADCASTW(at, to)
	} else {
		VPBROADCASTD(at, to)
	}
}

// add distances.
func add(size int, x, y, sum Op) {
	if size == 2 {
		VPADDW(x, y, sum)
	} else {
		VPADDD(x, y, sum)
	}
}

func constant(name string) Mem { return NewDataAddr(NewStaticSymbol(name), 0) }
