// Command asm writes the AVX2 kernels of package lengths. Run it with go generate in
// that package. Its kernels.go has the same kernels in Go.
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

// lanes and shortLanes are constants of package lengths.
const (
	lanes      = 16
	shortLanes = 32
)

func main() {
	Package("bcstage/cpu/internal/lengths")
	ConstraintExpr("!purego")
	data()
	relax(distance{"Short", "short", 2, shortLanes})
	for _, d := range []distance{{"Narrow", "narrow", 4, lanes}, {"Wide", "wide", 8, lanes}} {
		relax(d)
		link(d)
	}
	count()
	depend()
	send()
	enter()
	Generate()
}

// data emits the number 1.
func data() {
	GLOBL("one", attr.RODATA|attr.NOPTR)
	DATA(0, F64(1))
}

// frame is the first argument of the function being written.
type frame struct{ gotypes.Component }

func begin(name, arguments string) frame {
	TEXT(name, NOSPLIT, "func(f *frame, "+arguments)
	Pragma("noescape")
	return frame{Dereference(Param("f"))}
}

func (f frame) part(name string) frame { return frame{f.Field(name)} }

// base loads where a slice of the frame begins.
func (f frame) base(name string) reg.GPVirtual {
	return Load(f.Field(name).Base(), GP64()).(reg.GPVirtual)
}

// line returns the address of a quarter of an array of the frame by lane.
func (f frame) line(name string, quarter int) Mem {
	return address(f.Field("byLane").Field(name).Index(4 * quarter))
}

// bounds loads two consecutive numbers.
func bounds(base, i reg.GPVirtual) (first, end reg.GPVirtual) {
	first, end = GP64(), GP64()
	MOVQ(Mem{Base: base, Index: i, Scale: 8}, first)
	MOVQ(Mem{Base: base, Index: i, Scale: 8, Disp: 8}, end)
	return first, end
}

// each runs body for first, first+1, ..., end-1.
func each(name string, first, end reg.GPVirtual, body func()) {
	CMPQ(first, end)
	JGE(LabelRef(name + "End"))
	Label(name)
	body()
	INCQ(first)
	CMPQ(first, end)
	JLT(LabelRef(name))
	Label(name + "End")
}

func some(registers int) (all []reg.VecVirtual) {
	for range registers {
		all = append(all, YMM())
	}
	return all
}

// part returns the address of part i of a row, in steps of a register.
func part(row Mem, i int) Mem {
	row.Disp = 32 * i
	return row
}

// rowOf turns the number of a row of so many bytes into its address.
func rowOf(rows, number reg.GPVirtual, size int) Mem {
	offset := GP64()
	MOVQ(number, offset)
	shift := uint64(0)
	for 1<<shift < size {
		shift++
	}
	SHLQ(Imm(shift), offset)
	return Mem{Base: rows, Index: offset, Scale: 1}
}

// distance is the type of the numbers in a row of distances.
type distance struct {
	name, field string
	size        int
	lanes       int
}

func (d distance) registers() int { return d.lanes * d.size / 32 }

func (d distance) rowOf(rows, number reg.GPVirtual) Mem { return rowOf(rows, number, d.lanes*d.size) }

func (d distance) broadcast(at Mem) reg.VecVirtual {
	v := YMM()
	switch d.size { // the lower part
	case 2:
		VPBROADCASTW(at, v)
	case 4:
		VPBROADCASTD(at, v)
	default:
		VPBROADCASTQ(at, v)
	}
	return v
}

func (d distance) add(x, y, sum Op) {
	switch d.size {
	case 2:
		VPADDSW(x, y, sum) // saturates at farShort
	case 4:
		VPADDD(x, y, sum)
	default:
		VPADDQ(x, y, sum)
	}
}

func relax(d distance) {
	f := begin(fmt.Sprintf("relax%sAVX2", d.name), "x uint32) int")
	Doc("See kernels.relax" + d.name + ".")
	x := GP64()
	Load(Param("x"), x.As32())
	rows, changed, count := f.base(d.field), f.base("changed"), GP64()
	row, from := d.rowOf(rows, x), some(d.registers())
	for i, v := range from {
		VMOVDQU(part(row, i), v)
	}
	XORQ(count, count)
	out := f.part("out")
	e, end := bounds(out.base("offsets"), x)
	targets, lengths := out.base("targets"), out.base("lengths")
	each("arc", e, end, func() {
		y, any := GP64(), GP64()
		MOVL(Mem{Base: targets, Index: e, Scale: 4}, y.As32())
		length := d.broadcast(Mem{Base: lengths, Index: e, Scale: 8})
		row, offers, smaller := d.rowOf(rows, y), some(len(from)), some(len(from))
		for i, v := range from {
			d.add(v, length, offers[i])
			old := YMM()
			VMOVDQU(part(row, i), old)
			switch d.size {
			case 2:
				VPCMPGTW(offers[i], old, smaller[i])
				VPMINSW(offers[i], old, offers[i])
			case 4:
				VPCMPGTD(offers[i], old, smaller[i])
				VPMINSD(offers[i], old, offers[i])
			default:
				VPCMPGTQ(offers[i], old, smaller[i])
				VPBLENDVB(smaller[i], offers[i], old, offers[i])
			}
		}
		for i := len(smaller) / 2; i > 0; i /= 2 {
			for j := range i {
				VPOR(smaller[j], smaller[j+i], smaller[j])
			}
		}
		for i, v := range offers {
			VMOVDQU(v, part(row, i))
		}
		// No branch, which would be mispredicted.
		MOVL(y.As32(), Mem{Base: changed, Index: count, Scale: 4})
		XORL(any.As32(), any.As32())
		VPTEST(smaller[0], smaller[0])
		SETNE(any.As8())
		ADDQ(any, count)
	})
	Store(count, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// equal returns a mask of the lanes in which x+length is y.
func (d distance) equal(x, y []reg.VecVirtual, length reg.VecVirtual) reg.GPVirtual {
	mask := GP64()
	for i := len(x) - 1; i >= 0; i-- {
		sum, bits := YMM(), GP64()
		if i == len(x)-1 {
			bits = mask
		}
		d.add(x[i], length, sum)
		if d.size == 4 {
			VPCMPEQD(y[i], sum, sum)
			VMOVMSKPS(sum, bits.As32())
		} else {
			VPCMPEQQ(y[i], sum, sum)
			VMOVMSKPD(sum, bits.As32())
		}
		if bits != mask {
			SHLQ(Imm(uint64(32/d.size)), mask)
			ORQ(bits, mask)
		}
	}
	return mask
}

// writeLink writes a link, and advances at unless the mask is zero: the next link then
// overwrites it.
func writeLink(ranks, masks, at, rank, mask reg.GPVirtual) {
	MOVL(rank.As32(), Mem{Base: ranks, Index: at, Scale: 4})
	MOVW(mask.As16(), Mem{Base: masks, Index: at, Scale: 2})
	CMPQ(mask, Imm(1)) // carry if zero
	SBBQ(I8(-1), at)
}

func link(d distance) {
	f := begin(fmt.Sprintf("link%sAVX2", d.name), "x uint32, before, after int) (int, int)")
	Doc("See kernels.link" + d.name + ".")
	x := GP64()
	Load(Param("x"), x.As32())
	rows, own := f.base(d.field), some(d.registers())
	row := d.rowOf(rows, x)
	for i, v := range own {
		VMOVDQU(part(row, i), v)
	}
	read := func(row Mem) []reg.VecVirtual {
		other := some(len(own))
		for i, v := range other {
			VMOVDQU(part(row, i), v)
		}
		return other
	}
	neighbour := func(targets, lengths, e reg.GPVirtual) (y reg.GPVirtual, length reg.VecVirtual) {
		y = GP64()
		MOVL(Mem{Base: targets, Index: e, Scale: 4}, y.As32())
		return y, d.broadcast(Mem{Base: lengths, Index: e, Scale: 8})
	}
	rankOf := func(y reg.GPVirtual) reg.GPVirtual {
		rank, ranks := GP64(), f.base("rank")
		MOVL(Mem{Base: ranks, Index: y, Scale: 4}, rank.As32())
		return rank
	}
	out := f.part("out")
	e, end := bounds(out.base("offsets"), x)
	targets, lengths := out.base("targets"), out.base("lengths")
	before := Load(Param("before"), GP64()).(reg.GPVirtual)
	after := Load(Param("after"), GP64()).(reg.GPVirtual)
	write := func(side string, at, y, mask reg.GPVirtual) {
		links := f.part(side)
		writeLink(links.base("rank"), links.base("mask"), at, rankOf(y), mask)
	}
	each("after", e, end, func() {
		y, length := neighbour(targets, lengths, e)
		write("after", after, y, d.equal(own, read(d.rowOf(rows, y)), length))
	})
	in := f.part("in")
	e, end = bounds(in.base("offsets"), x)
	targets, lengths = in.base("targets"), in.base("lengths")
	each("before", e, end, func() {
		y, length := neighbour(targets, lengths, e)
		write("before", before, y, d.equal(read(d.rowOf(rows, y)), own, length))
	})
	Store(before, ReturnIndex(0))
	Store(after, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

// address returns the address of a parameter or a field.
func address(c gotypes.Component) Mem {
	place, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return place.Addr
}
