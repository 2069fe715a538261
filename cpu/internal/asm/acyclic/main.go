// Command asm writes the AVX2 and AVX-512 kernels of package acyclic. Run it with go
// generate in that package. Its kernels.go has the same kernels in Go.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	_ "bcstage/preprocess" // the module with the types of the signatures
)

// lanes is lanes of package acyclic.
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
	for _, set := range []instructions{avx2{}, avx512{}} {
		write(set, "relax", 0, relax)
		write(set, "forward", 2*64, forward)
		write(set, "backward", 64+256, backward)
	}
	Generate()
}

// instructions emits operations on rows by an instruction set. An answer is a yes or no by lane.
type instructions interface {
	name() string
	// row makes registers for a row of distances of 32 bits.
	row() []reg.VecVirtual
	// answers makes registers for an answer.
	answers() []reg.Register
	// load loads a row of distances.
	load(k *kernel, row Mem, to []reg.VecVirtual)
	// limit marks distances of the vertex's row beyond the limit as unreached, in memory, too.
	limit(k *kernel)
	// answerReached answers which lanes reach the vertex.
	answerReached(k *kernel, to []reg.Register)
	// offer offers a row plus length to another row. If ask is set, it answers in which lanes path counts of
	// the other stay or are less (see count), and in which the vertex's are added.
	offer(k *kernel, other, length Mem, ask bool)
	// mask loads an answer as a bit per lane.
	mask(answer []reg.Register, to reg.GPVirtual)
	// finish completes the vertex in forward, with path counts of 16 bits.
	finish(k *kernel)
	// finishMany is finish for path counts of float64.
	finishMany(k *kernel)
	// count and countMany add the vertex's path counts to others.
	count(k *kernel, theirs Mem)
	countMany(k *kernel, theirs Mem)
	// begin prepares for the arcs of a vertex in backward, and sent for their flows.
	begin(k *kernel)
	sent(k *kernel)
	// tight answers in which lanes an arc is on a shortest path.
	tight(k *kernel, other, length Mem)
	// add adds, in these lanes, the c of an arc's end to the sums. addFlow adds to the arc's flow, too.
	add(k *kernel, c Mem)
	addFlow(k *kernel, c Mem) (four reg.VecVirtual)
	// end completes the vertex in backward.
	end(k *kernel)
}

// kernel is the function being written.
type kernel struct {
	gotypes.Component
	set  instructions
	size int // bytes of a distance, in bySize

	narrow  reg.GPVirtual    // 1 if distances have 32 bits
	rows    reg.GPVirtual    // of distances
	x       reg.GPVirtual    // the vertex
	row     Mem              // its row of distances
	counts  Mem              // its path counts
	s       Mem              // its row of float64
	near    []reg.VecVirtual // registers of row: distances of 16 bits need half of them
	reached []reg.Register   // answers: the lanes that reach the vertex
	less    []reg.Register   // less and some: answers of offer
	some    []reg.Register
	tight   []reg.Register
	sending []reg.VecVirtual // of avx512.sent
	sums    []reg.VecVirtual
	scratch Mem
	arc     reg.GPVirtual
	labels  int
}

// write writes a kernel.
func write(set instructions, name string, scratch int, body func(k *kernel)) {
	TEXT(name+set.name(), NOSPLIT, "func(f *frame, from, to int)")
	Pragma("noescape")
	Doc("See kernels." + name + ".")
	k := &kernel{Component: Dereference(Param("f")), set: set, scratch: AllocLocal(scratch), x: GP64(), row: Mem{Base: GP64()}}
	k.near, k.rows, k.narrow = set.row(), k.base("short"), GP32()
	MOVBLZX(k.at("isNarrow"), k.narrow)
	TESTL(k.narrow, k.narrow)
	CMOVQNE(address(k.Field("narrow").Base()), k.rows)
	body(k)
	VZEROUPPER()
	RET()
}

// bySize emits body for distances of 16 bits and of 32. The size in the frame decides which one runs.
func (k *kernel) bySize(body func()) {
	of := func(size int) func() {
		return func() {
			k.size = size
			body()
		}
	}
	TESTL(k.narrow, k.narrow)
	k.branch(of(2), of(4))
}

// either emits two bodies, of which one runs: zero if a number in memory is 0.
func (k *kernel) either(number Mem, zero, other func()) {
	CMPB(number, Imm(0))
	k.branch(zero, other)
}

// branch emits two bodies, of which one runs: zero if the last comparison found 0.
func (k *kernel) branch(zero, other func()) {
	another, done := k.label("other"), k.label("done")
	JNE(LabelRef(another))
	zero()
	JMP(LabelRef(done))
	Label(another)
	other()
	Label(done)
}

// label returns the name with a number that makes it unique in the kernel.
func (k *kernel) label(name string) string {
	k.labels++
	return fmt.Sprint(name, k.labels)
}

// base loads where a slice of the frame begins.
func (k *kernel) base(name string) reg.GPVirtual {
	return Load(k.Field(name).Base(), GP64()).(reg.GPVirtual)
}

// part has the fields of a struct in the frame.
func (k *kernel) part(name string) *kernel { return &kernel{Component: k.Field(name)} }

// at returns the address of a field of the frame.
func (k *kernel) at(name string) Mem { return address(k.Field(name)) }

func (k *kernel) inArray(name string, lane int) Mem {
	return address(k.part("byLane").Field(name).Index(lane))
}

func address(c gotypes.Component) Mem {
	place, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return place.Addr
}

// rowOf returns the address of a vertex's row, whose numbers have so many bytes.
func rowOf(rows, vertex reg.GPVirtual, size int) Mem {
	row := GP64()
	MOVQ(vertex, row)
	SHLQ(Imm(map[int]uint64{2: 6, 4: 7, 8: 8}[size]), row)
	ADDQ(rows, row)
	return Mem{Base: row}
}

func part(row Mem, i, bytes int) Mem {
	row.Disp += i * bytes
	return row
}

// eachArc runs body for the arcs of the vertex, with the end and the length of each.
func (k *kernel) eachArc(body func(y reg.GPVirtual, length Mem)) {
	arcs := k.part("arcs")
	offsets, first, end := arcs.base("offsets"), GP64(), GP64()
	MOVQ(Mem{Base: offsets, Index: k.x, Scale: 8}, first)
	MOVQ(Mem{Base: offsets, Index: k.x, Scale: 8, Disp: 8}, end)
	k.arc = first
	targets, lengths := arcs.base("targets"), arcs.base("lengths")
	arc, done := k.label("arc"), k.label("arcsEnd")
	CMPQ(first, end)
	JGE(LabelRef(done))
	Label(arc)
	y := GP64()
	MOVL(Mem{Base: targets, Index: first, Scale: 4}, y.As32())
	body(y, Mem{Base: lengths, Index: first, Scale: 8})
	INCQ(first)
	CMPQ(first, end)
	JLT(LabelRef(arc))
	Label(done)
}

// vertex makes x the i-th vertex of the list.
func (k *kernel) vertex(i reg.GPVirtual) {
	MOVL(Mem{Base: k.base("list"), Index: i, Scale: 4}, k.x.As32())
}

// take loads the vertex's row.
func (k *kernel) take() {
	MOVQ(k.distances(k.x).Base, k.row.Base)
	k.set.load(k, k.row, k.near)
}

// distances returns the address of a vertex's row of distances.
func (k *kernel) distances(y reg.GPVirtual) Mem { return rowOf(k.rows, y, k.size) }

// ahead runs body for the vertices from..to-1 of the list.
func (k *kernel) ahead(body func()) {
	i, to, begin, end := GP64(), GP64(), k.label("vertex"), k.label("end")
	Load(Param("from"), i)
	Load(Param("to"), to)
	CMPQ(i, to)
	JGE(LabelRef(end))
	Label(begin)
	k.vertex(i)
	body()
	INCQ(i)
	CMPQ(i, to)
	JLT(LabelRef(begin))
	Label(end)
}

func relax(k *kernel) {
	met := k.base("met")
	k.ahead(func() {
		k.bySize(func() {
			k.take()
			k.set.limit(k)
			reached, bits := k.set.answers(), GP32()
			k.set.answerReached(k, reached)
			k.set.mask(reached, bits)
			MOVL(bits, Mem{Base: met, Index: k.x, Scale: 4})
			k.eachArc(func(y reg.GPVirtual, length Mem) { k.set.offer(k, k.distances(y), length, false) })
		})
	})
}

// forward has a loop over arcs for each size if path counts have 16 bits. Otherwise an arc takes longer, and one loop
// tests the size for each arc.
func forward(k *kernel) {
	k.ahead(func() {
		k.reached, k.less, k.some = k.set.answers(), k.set.answers(), k.set.answers()
		k.bySize(func() {
			k.take()
			k.set.limit(k)
			k.set.answerReached(k, k.reached)
		})
		rows := k.base("rows")
		k.s = rowOf(rows, k.x, 8)
		k.either(k.at("many"), func() {
			counts := k.base("counts")
			k.counts = rowOf(counts, k.x, 2)
			k.set.finish(k)
			k.bySize(func() {
				k.eachArc(func(y reg.GPVirtual, length Mem) {
					k.set.offer(k, k.distances(y), length, true)
					k.set.count(k, rowOf(counts, y, 2))
				})
			})
		}, func() {
			k.set.finishMany(k)
			k.eachArc(func(y reg.GPVirtual, length Mem) {
				k.bySize(func() { k.set.offer(k, k.distances(y), length, true) })
				k.set.countMany(k, rowOf(rows, y, 8))
			})
		})
	})
}

// backward has a loop over arcs for each size without flows. With flows an arc takes longer, and one loop tests the
// size for each arc.
func backward(k *kernel) {
	i, from, begin, end := GP64(), GP64(), k.label("vertex"), k.label("end")
	Load(Param("from"), from)
	Load(Param("to"), i)
	Label(begin)
	DECQ(i)
	CMPQ(i, from)
	JLT(LabelRef(end))
	k.vertex(i)
	rows := k.base("rows")
	k.s, k.tight = rowOf(rows, k.x, 8), k.set.answers()
	k.bySize(k.take)
	k.set.begin(k)
	k.either(k.at("sends"), func() {
		k.bySize(func() {
			k.eachArc(func(y reg.GPVirtual, length Mem) {
				k.set.tight(k, k.distances(y), length)
				k.set.add(k, rowOf(rows, y, 8))
			})
		})
	}, func() {
		k.set.sent(k)
		k.eachArc(func(y reg.GPVirtual, length Mem) {
			k.bySize(func() { k.set.tight(k, k.distances(y), length) })
			k.addFlow(k.set.addFlow(k, rowOf(rows, y, 8)), length)
		})
	})
	k.set.end(k)
	JMP(LabelRef(begin))
	Label(end)
}

// ifMultiple runs body with the vertex's multiplicity, if vertices have some.
func (k *kernel) ifMultiple(body func(mu Mem)) {
	m, single := k.base("multiplicity"), k.label("single")
	TESTQ(m, m)
	JZ(LabelRef(single))
	body(Mem{Base: m, Index: k.x, Scale: 8})
	Label(single)
}

// addScore adds the sum of four numbers to the vertex's score.
func (k *kernel) addScore(four reg.VecVirtual) {
	total := addFour(four)
	k.ifMultiple(func(mu Mem) { VDIVSD(mu, total, total) })
	at := Mem{Base: k.base("scores"), Index: k.x, Scale: 8}
	VADDSD(at, total, total)
	VMOVSD(total, at)
}

// addFlow adds the sum of four numbers to the flow over the arc.
func (k *kernel) addFlow(four reg.VecVirtual, length Mem) {
	flow, edge, sum, long := addFour(four), GP64(), XMM(), XMM()
	MOVL(Mem{Base: k.part("flowing").base("arcFlow"), Index: k.arc, Scale: 4}, edge.As32())
	at := Mem{Base: k.part("flowing").base("flows"), Index: edge, Scale: 8}
	VADDSD(at, flow, sum)
	VMOVSD(sum, at)
	VXORPD(long, long, long)
	VCVTSI2SDQ(length, long, long)
	VMULSD(flow, long, long)
	VADDSD(k.part("flowing").at("flowGot"), long, long)
	VMOVSD(long, k.part("flowing").at("flowGot"))
}

// addFour returns (v[0]+v[2]) + (v[1]+v[3]), the order of scoreSum.
func addFour(v reg.VecVirtual) reg.VecVirtual {
	high, sum := XMM(), XMM()
	VEXTRACTF128(Imm(1), v.AsY(), high)
	VADDPD(high, v.AsX(), high)
	VUNPCKHPD(high, high, sum)
	VADDSD(sum, high, sum)
	return sum
}

// registers makes so many registers.
func registers[V any](count int, one func() V) (all []V) {
	for range count {
		all = append(all, one())
	}
	return all
}

// eachEight runs body for eights of lanes, in a loop. i is twice the first lane.
func (k *kernel) eachEight(body func(i reg.GPVirtual)) {
	label, i := k.label("eight"), GP64()
	XORQ(i, i)
	Label(label)
	body(i)
	ADDQ(Imm(16), i)
	CMPQ(i, Imm(2*lanes))
	JNE(LabelRef(label))
}
