// Command asm writes the AVX2 kernels of package meshes. Run it with go generate in that
// package; kernels.go there says in Go what is written here.
package main

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	_ "bcstage/preprocess" // the module whose types the signatures name
)

const (
	// lanes is that of package meshes.
	lanes = 64
	// quarters is the number of registers that hold a row of levels.
	quarters = lanes / 16
	// far is that of package meshes.
	far = 1<<15 - 1
	// fetchAhead is how many visits ahead of one the row of its vertex is asked for.
	fetchAhead = 4
)

func main() {
	Package("bcstage/cpu/internal/meshes")
	ConstraintExpr("!purego")
	data()
	relax()
	measure()
	for _, n := range []number{{"float64", 8}, {"float32", 4}} {
		count(n)
		depend(n)
	}
	Generate()
}

// data is, for each lane, how far its mask bit is from the sign bit of a number, and
// the level of what is not reached.
func data() {
	GLOBL("shifts64", attr.RODATA|attr.NOPTR)
	for lane := range lanes {
		DATA(8*lane, U64(63-lane))
	}
	GLOBL("shifts32", attr.RODATA|attr.NOPTR)
	for lane := range lanes / 2 {
		DATA(4*lane, U32(31-lane))
	}
	GLOBL("far", attr.RODATA|attr.NOPTR)
	DATA(0, U16(far))
}

// place is that of package meshes.
func place(lane int) int { return lane&^24 | lane>>1&8 | lane<<1&16 }

// number is the type of the numbers in a row.
type number struct {
	name string // in Go
	size int    // bytes
}

// kernel is the function being written.
type kernel struct {
	number
	frame  gotypes.Component
	labels int
}

func begin(name, arguments string) *kernel {
	TEXT(name+"AVX2", NOSPLIT, "func(f *frame, "+arguments)
	Doc("See kernels." + strings.TrimRight(name, "f0123456789") + ".")
	Pragma("noescape")
	return &kernel{frame: Dereference(Param("f"))}
}

// begin is for a kernel that works on rows of numbers.
func (n number) begin(name, arguments string) *kernel {
	k := begin(fmt.Sprint(name, n.name[:1], 8*n.size), fmt.Sprintf("rows []%s, %s", n.name, arguments))
	k.number = n
	return k
}

// registers is how many hold a row.
func (n number) registers() int { return lanes * n.size / 32 }

// inRegister is how many lanes one holds.
func (n number) inRegister() int { return 32 / n.size }

// rowOf is the address of the row of a rank.
func (k *kernel) rowOf(r reg.GPVirtual) Mem {
	return rowOf(Load(Param("rows").Base(), GP64()).(reg.GPVirtual), r, k.size)
}

// base loads where a slice of the frame begins.
func (k *kernel) base(name string) reg.GPVirtual {
	return Load(k.frame.Field(name).Base(), GP64()).(reg.GPVirtual)
}

// field is the address of a number of the frame.
func (k *kernel) field(c gotypes.Component) Mem {
	b, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// lane is the address of an array of the frame, from a lane on.
func (k *kernel) lane(name string, lane int) Mem { return k.field(k.frame.Field(name).Index(lane)) }

func param(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// some are so many registers.
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

// part of a row, in steps of a register.
func part(row Mem, i int) Mem {
	row.Disp = 32 * i
	return row
}

// rowOf is the address of a row of numbers of so many bytes.
func rowOf(rows, r reg.GPVirtual, size int) Mem {
	offset := GP64()
	MOVQ(r, offset)
	shift := uint64(0)
	for 1<<shift < lanes*size {
		shift++
	}
	SHLQ(Imm(shift), offset)
	return Mem{Base: rows, Index: offset, Scale: 1}
}

// each runs body for i, i+1, ..., end-1, and leaves i at end, which may be in memory.
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

// eachNeighbour runs body for the neighbours of a rank.
func (k *kernel) eachNeighbour(r reg.GPVirtual, body func(u reg.GPVirtual)) {
	offsets, at, end := k.base("offsets"), GP64(), GP64()
	MOVL(Mem{Base: offsets, Index: r, Scale: 4}, at.As32())
	MOVL(Mem{Base: offsets, Index: r, Scale: 4, Disp: 4}, end.As32())
	targets := k.base("targets")
	LEAQ(Mem{Base: targets, Index: at, Scale: 4}, at)
	LEAQ(Mem{Base: targets, Index: end, Scale: 4}, end)
	CMPQ(at, end)
	JGE(LabelRef("neighbourEnd"))
	Label("neighbour")
	u := GP64()
	MOVL(Mem{Base: at}, u.As32())
	body(u)
	ADDQ(Imm(4), at)
	CMPQ(at, end)
	JLT(LabelRef("neighbour"))
	Label("neighbourEnd")
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

// fetch asks memory for the row of a rank that comes soon, and for the levels of one that
// comes later, in a list that goes on from an address in one direction or the other.
func (k *kernel) fetch(at reg.GPVirtual, direction int) {
	later, soon := GP64(), GP64()
	MOVQ(k.field(k.frame.Field("ahead")), later)
	if direction < 0 {
		NEGQ(later)
	}
	MOVL(Mem{Base: at, Index: later, Scale: 4}, later.As32())
	row := rowOf(k.base("levels"), later, 2)
	PREFETCHT0(row)
	row.Disp = 64
	PREFETCHT0(row)
	MOVL(Mem{Base: at, Disp: 4 * fetchAhead * direction}, soon.As32())
	row = k.rowOf(soon)
	for line := range lanes * k.size / 64 {
		row.Disp = 64 * line
		PREFETCHT0(row)
	}
}

// advance adds 1 to n unless x is 0, and spends x.
func advance(n, x reg.GPVirtual) {
	CMPQ(x, Imm(1)) // carry if zero
	SBBQ(I8(-1), n)
}

func relax() {
	k := begin("relax", "list, changed []uint32) int")
	levels, count, minus, unreached := k.base("levels"), GP64(), ones(), YMM()
	VPBROADCASTW(NewDataAddr(NewStaticSymbol("far"), 0), unreached)
	XORQ(count, count)
	k.eachListed(func(_, r reg.GPVirtual) {
		least := some(quarters)
		for _, x := range least {
			VMOVDQA(unreached, x)
		}
		k.eachNeighbour(r, func(u reg.GPVirtual) {
			row := rowOf(levels, u, 2)
			for i, x := range least {
				VPMINUW(part(row, i), x, x)
			}
		})
		row, same := rowOf(levels, r, 2), ones()
		for i, x := range least {
			old := YMM()
			VMOVDQU(part(row, i), old)
			VPSUBW(minus, x, x)
			VPMINUW(old, x, x)
			VMOVDQU(x, part(row, i))
			VPCMPEQW(old, x, x)
			VPAND(x, same, same)
		}
		bits, changed := GP64(), Load(Param("changed").Base(), GP64()).(reg.GPVirtual)
		VPMOVMSKB(same, bits.As32())
		NOTL(bits.As32())
		MOVL(r.As32(), Mem{Base: changed, Index: count, Scale: 4})
		advance(count, bits)
	})
	Store(count, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func measure() {
	k := begin("measure", "from, to int)")
	levels, sums, one, perLane := k.base("levels"), k.base("sums"), YMM(), some(quarters)
	VPSRLW(Imm(15), ones(), one)
	for i, x := range perLane {
		VMOVDQU(k.lane("perLane", 16*i), x)
	}
	r, end := param("from"), param("to")
	each("rank", r, end, func() {
		row, sum := rowOf(levels, r, 2), YMM()
		VPXOR(sum, sum, sum)
		for i, x := range perLane {
			level := YMM()
			VMOVDQU(part(row, i), level)
			VPADDW(level, x, x)
			VPMADDWD(one, level, level)
			VPADDD(level, sum, sum)
		}
		half, low := XMM(), sum.AsX()
		VEXTRACTI128(Imm(1), sum, half)
		VPADDD(half, low, low)
		VPSHUFD(Imm(0b01001110), low, half)
		VPADDD(half, low, low)
		VPSHUFD(Imm(0b10110001), low, half)
		VPADDD(half, low, low)
		VMOVD(low, Mem{Base: sums, Index: r, Scale: 4})
	})
	for i, x := range perLane {
		VMOVDQU(x, k.lane("perLane", 16*i))
	}
	VZEROUPPER()
	RET()
}

// equal is the mask of the lanes in which a row in memory has the given levels.
func equal(row Mem, levels []reg.VecVirtual) reg.GPVirtual {
	var halves [2]reg.GPVirtual
	for h := range halves {
		low, high := YMM(), YMM()
		VPCMPEQW(part(row, 2*h), levels[2*h], low)
		VPCMPEQW(part(row, 2*h+1), levels[2*h+1], high)
		VPACKSSWB(high, low, low)
		halves[h] = GP64()
		VPMOVMSKB(low, halves[h].As32())
	}
	SHLQ(Imm(32), halves[1])
	ORQ(halves[1], halves[0])
	return halves[0]
}

// keep writes a neighbour to the list, where it stays unless the mask is 0, and spends
// the mask.
func (k *kernel) keep(u, mask, count reg.GPVirtual) {
	MOVL(u.As32(), Mem{Base: k.base("list"), Index: count, Scale: 4})
	MOVQ(mask, Mem{Base: k.base("listMask"), Index: count, Scale: 8})
	advance(count, mask)
}

// spread is a mask in all parts of a register.
func spread(mask reg.GPVirtual) reg.VecVirtual {
	bits := YMM()
	VMOVQ(mask, bits.AsX())
	VPBROADCASTQ(bits.AsX(), bits)
	return bits
}

// spread loads a mask into all parts of a register or, for numbers of 32 bits, each half
// of the mask into one.
func (k *kernel) spread(mask Mem) (bits []reg.VecVirtual) {
	bits = some(8 / k.size)
	for i, b := range bits {
		if k.size == 8 {
			VPBROADCASTQ(mask, b)
		} else {
			mask.Disp += 4 * i
			VPBROADCASTD(mask, b)
		}
	}
	return bits
}

// signs moves the mask bits of the lanes of a register to their signs.
func (k *kernel) signs(bits []reg.VecVirtual, i int) reg.VecVirtual {
	signs := YMM()
	if k.size == 8 {
		VPSLLVQ(NewDataAddr(NewStaticSymbol("shifts64"), 32*i), bits[0], signs)
	} else {
		VPSLLVD(NewDataAddr(NewStaticSymbol("shifts32"), 32*(i%4)), bits[i/4], signs)
	}
	return signs
}

// gather adds the first count listed rows, in those of their lanes that are ready, and
// runs body with as many of the sums as eight registers hold, from one of them on.
func (k *kernel) gather(count reg.GPVirtual, ready []reg.VecVirtual, body func(first int, sums []reg.VecVirtual)) {
	for first := 0; first < k.registers(); first += 8 {
		list, masks := k.base("list"), k.base("listMask")
		sums, i := some(8), GP64()
		for _, sum := range sums {
			VXORPD(sum, sum, sum)
		}
		XORQ(i, i)
		each(fmt.Sprint("row", first), i, count, func() {
			u := GP64()
			MOVL(Mem{Base: list, Index: i, Scale: 4}, u.As32())
			bits := k.spread(Mem{Base: masks, Index: i, Scale: 8})
			for h, b := range bits {
				VPAND(ready[h], b, b)
			}
			row := k.rowOf(u)
			for j, sum := range sums {
				number, signs := YMM(), k.signs(bits, first+j)
				if k.size == 8 {
					VMASKMOVPD(part(row, first+j), signs, number)
					VADDPD(number, sum, sum)
				} else {
					VMASKMOVPS(part(row, first+j), signs, number)
					VADDPS(number, sum, sum)
				}
			}
		})
		body(first, sums)
	}
}

// broadcast loads a float64 as a number of the rows into all parts of a register.
func (k *kernel) broadcast(at Mem) reg.VecVirtual {
	v := YMM()
	if k.size == 8 {
		VBROADCASTSD(at, v)
	} else {
		VMOVSD(at, v.AsX())
		VCVTSD2SS(v.AsX(), v.AsX(), v.AsX())
		VBROADCASTSS(v.AsX(), v)
	}
	return v
}

// multiply multiplies the sums with the vertex's multiplicity, if vertices have some.
func (k *kernel) multiply(vertex reg.GPVirtual, sums []reg.VecVirtual) {
	k.labels++
	single, all := fmt.Sprint("single", k.labels), k.base("multiplicity")
	TESTQ(all, all)
	JZ(LabelRef(single))
	mu := k.broadcast(Mem{Base: all, Index: vertex, Scale: 8})
	for _, sum := range sums {
		if k.size == 8 {
			VMULPD(mu, sum, sum)
		} else {
			VMULPS(mu, sum, sum)
		}
	}
	Label(single)
}

// store writes sums to their part of a row: where the bits are set, unless that is
// everywhere, where the lanes are all that there are.
func (k *kernel) store(row Mem, first int, mask reg.GPVirtual, bits, sums []reg.VecVirtual) {
	k.labels++
	some, stored := fmt.Sprint("some", k.labels), fmt.Sprint("stored", k.labels)
	CMPQ(mask, k.field(k.frame.Field("everyLane")))
	JNE(LabelRef(some))
	for j, sum := range sums {
		VMOVUPD(sum, part(row, first+j))
	}
	JMP(LabelRef(stored))
	Label(some)
	for j, sum := range sums {
		old, signs := YMM(), k.signs(bits, first+j)
		VMOVUPD(part(row, first+j), old)
		if k.size == 8 {
			VBLENDVPD(signs, sum, old, old)
		} else {
			VBLENDVPS(signs, sum, old, old)
		}
		VMOVUPD(old, part(row, first+j))
	}
	Label(stored)
}

func (k *kernel) vertex(r reg.GPVirtual) reg.GPVirtual {
	v, order := GP64(), k.base("order")
	MOVL(Mem{Base: order, Index: r, Scale: 4}, v.As32())
	return v
}

func count(n number) {
	k, left := n.begin("count", "list, late []uint32) int"), GP64()
	XORQ(left, left)
	k.eachListed(func(at, r reg.GPVirtual) {
		k.fetch(at, 1)
		todo, behind, count := GP64(), GP64(), GP64()
		MOVQ(Mem{Base: k.base("done"), Index: r, Scale: 8}, todo)
		NOTQ(todo)
		ANDQ(k.field(k.frame.Field("everyLane")), todo)
		XORQ(behind, behind)
		XORQ(count, count)
		minus, wanted, row := ones(), some(quarters), rowOf(k.base("levels"), r, 2)
		for i, x := range wanted {
			VPADDW(part(row, i), minus, x)
		}
		k.eachNeighbour(r, func(u reg.GPVirtual) {
			mask, missing := equal(rowOf(k.base("levels"), u, 2), wanted), GP64()
			ANDQ(todo, mask)
			MOVQ(Mem{Base: k.base("done"), Index: u, Scale: 8}, missing)
			ANDNQ(mask, missing, missing)
			ORQ(missing, behind)
			k.keep(u, mask, count)
		})
		late, ready := Load(Param("late").Base(), GP64()).(reg.GPVirtual), GP64()
		MOVL(r.As32(), Mem{Base: late, Index: left, Scale: 4})
		MOVQ(behind, ready)
		advance(left, behind)
		ANDNQ(todo, ready, ready)
		JZ(LabelRef("next"))
		ORQ(ready, Mem{Base: k.base("done"), Index: r, Scale: 8})
		visits, visit := k.field(k.frame.Field("visits")), GP64()
		MOVQ(visits, visit)
		MOVL(r.As32(), Mem{Base: k.base("rank"), Index: visit, Scale: 4})
		mask := Mem{Base: k.base("mask"), Index: visit, Scale: 8}
		MOVQ(ready, mask)
		INCQ(visits)
		ADDQ(count, k.field(k.frame.Field("rowLoads")))
		bits, numbers, vertex := k.spread(mask), k.rowOf(r), k.vertex(r)
		k.gather(count, bits, func(first int, sums []reg.VecVirtual) {
			k.multiply(vertex, sums)
			k.store(numbers, first, ready, bits, sums)
		})
		Label("next")
	})
	Store(left, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func depend(n number) {
	k, visit := n.begin("depend", "from, to int)"), param("to")
	Label("visit")
	DECQ(visit)
	CMPQ(visit, k.field(Param("from")))
	JLT(LabelRef("end"))
	r, mask, count, at := GP64(), GP64(), GP64(), k.base("rank")
	LEAQ(Mem{Base: at, Index: visit, Scale: 4}, at)
	MOVL(Mem{Base: at}, r.As32())
	k.fetch(at, -1)
	MOVQ(Mem{Base: k.base("mask"), Index: visit, Scale: 8}, mask)
	XORQ(count, count)
	minus, wanted, row := ones(), some(quarters), rowOf(k.base("levels"), r, 2)
	for i, x := range wanted {
		VMOVDQU(part(row, i), x)
		VPSUBW(minus, x, x)
	}
	k.eachNeighbour(r, func(u reg.GPVirtual) {
		common := equal(rowOf(k.base("levels"), u, 2), wanted)
		ANDQ(mask, common)
		k.keep(u, common, count)
	})
	ADDQ(count, k.field(k.frame.Field("rowLoads")))

	sent := k.base("sent")
	vertex, numbers, bits := k.vertex(r), k.rowOf(r), k.spread(Mem{Base: k.base("mask"), Index: visit, Scale: 8})
	k.gather(count, bits, func(first int, sums []reg.VecVirtual) {
		weight := Mem{Base: k.base("weight"), Index: vertex, Scale: 8}
		for j, sum := range sums {
			i := first + j
			signs, s, d := k.signs(bits, i), YMM(), YMM()
			if k.size == 8 {
				VMASKMOVPD(part(numbers, i), signs, s)
				VMULPD(sum, s, d)
				k.account(sent, 4*i, d)
				ratio := k.broadcast(weight)
				VDIVPD(s, ratio, ratio)
				VADDPD(ratio, sum, sum)
				continue
			}
			VMASKMOVPS(part(numbers, i), signs, s)
			VMULPS(sum, s, d)
			for h := range 2 {
				half, wide := XMM(), YMM()
				VEXTRACTF128(Imm(uint64(h)), d, half)
				VCVTPS2PD(half, wide)
				k.account(sent, 8*i+4*h, wide)
			}
			ratio := k.broadcast(weight)
			VDIVPS(s, ratio, ratio)
			VADDPS(ratio, sum, sum)
		}
		k.multiply(vertex, sums)
		k.store(numbers, first, mask, bits, sums)
	})
	CMPQ(mask, k.field(k.frame.Field("everyLane")))
	JEQ(LabelRef("whole"))
	slot := GP64()
	MOVL(Mem{Base: k.base("slot"), Index: visit, Scale: 4}, slot.As32())
	k.gatherSent(sent, slot)
	TESTB(Imm(1), slot.As8())
	JZ(LabelRef("visit"))
	Label("whole")
	k.score(vertex, rowOf(k.base("levels"), r, 2), sent)
	JMP(LabelRef("visit"))
	Label("end")
	VZEROUPPER()
	RET()
}

// account adds dependencies of four lanes to got, and writes them down with the weights of
// the sources.
func (k *kernel) account(sent reg.GPVirtual, lane int, d reg.VecVirtual) {
	got := YMM()
	VADDPD(k.lane("got", lane), d, got)
	VMOVUPD(got, k.lane("got", lane))
	VMULPD(k.lane("source", lane), d, d)
	VMOVUPD(d, Mem{Base: sent, Disp: 8 * lane})
}

// gatherSent adds what a visit has sent to what others of the vertex have, in a slot, and
// goes on from there: no lane has been sent twice, and what has not is 0.
func (k *kernel) gatherSent(sent, slot reg.GPVirtual) {
	kept := GP64()
	MOVQ(slot, kept)
	SHRQ(Imm(1), kept)
	SHLQ(Imm(9), kept)
	ADDQ(sent, kept)
	for i := range lanes / 4 {
		x := YMM()
		VMOVUPD(part(Mem{Base: sent}, i), x)
		VADDPD(part(Mem{Base: kept}, i), x, x)
		VMOVUPD(x, part(Mem{Base: kept}, i))
	}
	MOVQ(kept, sent)
}

// score is frame.score in package meshes.
func (k *kernel) score(vertex reg.GPVirtual, row Mem, sent reg.GPVirtual) {
	least, most, buckets := GP64(), GP64(), k.base("buckets")
	lowest, highest := some(quarters), some(quarters)
	for i := range quarters {
		VMOVDQU(part(row, i), lowest[i])
		VMOVDQA(lowest[i], highest[i])
	}
	for n := quarters / 2; n > 0; n /= 2 {
		for i := range n {
			VPMINUW(lowest[i+n], lowest[i], lowest[i])
			VPMAXUW(highest[i+n], highest[i], highest[i])
		}
	}
	VPXOR(ones(), highest[0], highest[0])
	for i, to := range []reg.GPVirtual{least, most} {
		v, half := [][]reg.VecVirtual{lowest, highest}[i][0], XMM()
		VEXTRACTI128(Imm(1), v, half)
		VPMINUW(half, v.AsX(), half)
		VPHMINPOSUW(half, half)
		VPEXTRW(Imm(0), half, to.As32())
	}
	XORL(U32(0xffff), most.As32())
	for lane := range lanes {
		level, x := GP64(), XMM()
		row.Disp = 2 * place(lane)
		MOVWLZX(row, level.As32())
		SHLQ(Imm(6), level)
		bucket := Mem{Base: buckets, Index: level, Scale: 1, Disp: 8 * (lane % 8)}
		VMOVSD(Mem{Base: sent, Disp: 8 * lane}, x)
		VADDSD(bucket, x, x)
		VMOVSD(x, bucket)
	}
	score, zero, scores := XMM(), YMM(), k.base("scores")
	at := Mem{Base: scores, Index: vertex, Scale: 8}
	VMOVSD(at, score)
	VXORPD(zero, zero, zero)
	Label("level")
	level, sum, high, total := GP64(), YMM(), XMM(), XMM()
	MOVQ(most, level)
	SHLQ(Imm(6), level)
	bucket := Mem{Base: buckets, Index: level, Scale: 1}
	VMOVUPD(part(bucket, 0), sum)
	VADDPD(part(bucket, 1), sum, sum)
	VMOVUPD(zero, part(bucket, 0))
	VMOVUPD(zero, part(bucket, 1))
	VEXTRACTF128(Imm(1), sum, high)
	VADDPD(high, sum.AsX(), high)
	VUNPCKHPD(high, high, total)
	VADDSD(total, high, total)
	mu := k.base("multiplicity")
	TESTQ(mu, mu)
	JZ(LabelRef("alone"))
	VDIVSD(Mem{Base: mu, Index: vertex, Scale: 8}, total, total)
	Label("alone")
	VADDSD(total, score, score)
	DECQ(most)
	CMPQ(most, least)
	JGE(LabelRef("level"))
	VMOVSD(score, at)
}
