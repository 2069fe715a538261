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
	for _, set := range []instructions{avx2{}, avx512{}} {
		write(set, "relax", 0, relax)
		write(set, "forward", 2*64, forward)
		write(set, "backward", 64+256, backward)
	}
	Generate()
}

// instructions are those of one set.
type instructions interface {
	name() string
	// row makes registers for a row of distances of 32 bits, and answers those for an answer by lane.
	row() []reg.VecVirtual
	answers() []reg.Register
	// load fills them with a row.
	load(k *kernel, row Mem, to []reg.VecVirtual)
	// limit takes distances of the vertex's row beyond the limit for not reached, in memory, too.
	limit(k *kernel)
	// answerReached answers which lanes reach the vertex.
	answerReached(k *kernel, to []reg.Register)
	// offer offers a row, at a distance of length, to another and answers, unless nobody asks, where path counts of
	// the other stay or are less (see count), and where the vertex's are added.
	offer(k *kernel, other, length Mem, ask bool)
	// finish is what forward does with the vertex itself where path counts have 16 bits, and finishMany where not.
	finish(k *kernel)
	finishMany(k *kernel)
	// count and countMany add the vertex's path counts to others.
	count(k *kernel, theirs Mem)
	countMany(k *kernel, theirs Mem)
	// begin gets ready for the arcs of a vertex on the way back, and sent for their flows.
	begin(k *kernel)
	sent(k *kernel)
	// tight answers in which lanes an arc is on a shortest path.
	tight(k *kernel, other, length Mem)
	// add adds, in those, the c of the end of an arc to the sums; addFlow adds to the arc's flow, too.
	add(k *kernel, c Mem)
	addFlow(k *kernel, c Mem) (four reg.VecVirtual)
	// end is what is left to do with the vertex on the way back.
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
	near    []reg.VecVirtual // and what holds that: those of 16 bits need half
	reached []reg.Register   // answers: the lanes that reach the vertex
	less    []reg.Register   // those of offer
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

// bySize runs body for distances of 16 bits and for those of 32, which the frame has.
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

// either runs one of two bodies, as a number in memory is 0 or not.
func (k *kernel) either(number Mem, zero, other func()) {
	CMPB(number, Imm(0))
	k.branch(zero, other)
}

// branch runs one of two bodies, as the last comparison found 0 or not.
func (k *kernel) branch(zero, other func()) {
	another, done := k.label("other"), k.label("done")
	JNE(LabelRef(another))
	zero()
	JMP(LabelRef(done))
	Label(another)
	other()
	Label(done)
}

// label is the name with a number that no other label of the kernel has.
func (k *kernel) label(name string) string {
	k.labels++
	return fmt.Sprint(name, k.labels)
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

// eachArc runs body for the arcs of the vertex, with the vertex that each leads to.
func (k *kernel) eachArc(body func(y reg.GPVirtual, length Mem)) {
	offsets, first, end := k.base("offsets"), GP64(), GP64()
	MOVQ(Mem{Base: offsets, Index: k.x, Scale: 8}, first)
	MOVQ(Mem{Base: offsets, Index: k.x, Scale: 8, Disp: 8}, end)
	k.arc = first
	targets, lengths := k.base("targets"), k.base("lengths")
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

// distances is the row of a vertex.
func (k *kernel) distances(y reg.GPVirtual) Mem { return rowOf(k.rows, y, k.size) }

// ahead runs body for from..to-1.
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
	k.ahead(func() {
		k.bySize(func() {
			k.take()
			k.set.limit(k)
			k.eachArc(func(y reg.GPVirtual, length Mem) { k.set.offer(k, k.distances(y), length, false) })
		})
	})
}

// forward has a loop over arcs for each size where path counts have 16 bits, and else, where an arc takes longer,
// one that asks for the size.
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

// backward has a loop over arcs for each size without flows, and else, where an arc takes longer, one that asks for
// the size.
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

// registers are so many.
func registers[V any](count int, one func() V) (all []V) {
	for range count {
		all = append(all, one())
	}
	return all
}

// eachEight runs body for eights of lanes, in a loop: i is the first lane, twice.
func (k *kernel) eachEight(body func(i reg.GPVirtual)) {
	label, i := k.label("eight"), GP64()
	XORQ(i, i)
	Label(label)
	body(i)
	ADDQ(Imm(16), i)
	CMPQ(i, Imm(2*lanes))
	JNE(LabelRef(label))
}
