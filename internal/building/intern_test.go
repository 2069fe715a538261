package building

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

// numberAll numbers ids in batches of odd sizes.
func numberAll(in *interner, ids Keys) []uint32 {
	out := make([]uint32, ids.Len())
	for from, size := 0, 1; from < len(out); size = 3*size + 1 {
		to := min(from+size, len(out))
		in.number(ids.slice(from, to), Keys{}, out[from:to], nil)
		from = to
	}
	return out
}

func checkNumbers(t *testing.T, in *interner, ids Keys, got []uint32) {
	t.Helper()
	number := map[string]uint32{}
	listed := in.table.ids()
	for row := range got {
		id := ids.id(row)
		want, known := number[id]
		if !known {
			want = uint32(len(number))
			number[id] = want
			if listed.id(int(want)) != id {
				t.Fatalf("number %d is %q, want %q", want, listed.id(int(want)), id)
			}
		}
		if got[row] != want {
			t.Fatalf("row %d: %q has number %d, want %d", row, id, got[row], want)
		}
	}
	if in.table.count() != len(number) {
		t.Fatalf("%d numbers, want %d", in.table.count(), len(number))
	}
}

// By chance, a third of a million ids hold about ten pairs with equal hashes.
func TestInternEqualHashes(t *testing.T) {
	const count = 300_000
	ids := Keys{Ints: make([]uint64, count)}
	for i := range ids.Ints {
		ids.Ints[i] = scattered(uint32(i))
	}
	for name, c := range map[string]struct {
		table table
		ids   Keys
	}{"ints": {newIntTable(2), ids}, "strings": {newStringTable(manyThreads), named(ids)}} {
		t.Run(name, func(t *testing.T) {
			in := &interner{table: c.table, threads: 2}
			checkNumbers(t, in, c.ids, numberAll(in, c.ids))
			checkNumbers(t, in, c.ids, numberAll(in, c.ids))
		})
	}
}

// With a known seed, ids can be chosen that all probe from one slot, here the last, so that probes
// wrap around the end of the table.
func TestInternCollisions(t *testing.T) {
	table := newIntTable(2)
	var ids Keys
	for id := uint64(1) << 40; len(ids.Ints) < 2000; id += 1 << 21 {
		if table.hash(id)>>20 == 1<<12-1 {
			ids.Ints = append(ids.Ints, id)
		}
	}
	in := &interner{table: table, threads: 2}
	checkNumbers(t, in, ids, numberAll(in, ids))
	if !table.hashing() {
		t.Fatal("ids far apart are not hashed")
	}
}

func TestIntTableChoice(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	in := &interner{table: newIntTable(2), threads: 1}
	table := in.table.(*intTable)
	add := func(count int, id func() uint64) {
		ids := Keys{Ints: make([]uint64, count)}
		for i := range ids.Ints {
			ids.Ints[i] = id()
		}
		numberAll(in, ids)
	}
	const span = directFree * 3 / 2
	add(10, func() uint64 { return uint64(random.IntN(100)) })
	if table.hashing() {
		t.Fatal("hashes ids close together")
	}
	add(1000, func() uint64 { return uint64(random.IntN(span)) - span/2 })
	if !table.hashing() || table.direct != nil {
		t.Fatal("does not hash ids far apart")
	}
	add(2*span, func() uint64 { return uint64(random.IntN(span)) - span/2 })
	if table.hashing() || table.slots.slot != nil {
		t.Fatal("hashes ids that have come to lie close together")
	}
	add(10, func() uint64 { return 1<<63 + uint64(random.IntN(100)) })
	if !table.hashing() {
		t.Fatal("makes an array of the whole range")
	}
}

// An array is made once a quarter as many ids as its span have been looked up, if it is cheap, and
// else once as many have been. Wherever the span is, numbers stay those of the first appearance. An
// id far from all others brings the hash table back.
func TestIntTableChangesOver(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct{ span, enough uint64 }{ // the largest id less the smallest
		{directFree - 1, 0}, {directFree, directFree/4 + 1}, {3*directFree + 1, 3*directFree/4 + 1},
		{directCheap - 1, directCheap / 4}, {directCheap, directCheap + 1}, {directCheap + 7, directCheap + 8},
	} {
		for _, lowest := range []uint64{0, -c.span / 2, 1 << 63, 1<<63 - 5, -c.span - 1, -c.span + 3} {
			if int64(lowest) > int64(lowest+c.span) {
				lowest += 1 << 62
			}
			table := newIntTable(2)
			in := &interner{table: table, threads: 2}
			ids, numbers := Keys{}, []uint32{}
			add := func(more ...uint64) {
				out := make([]uint32, len(more))
				in.number(Keys{Ints: more}, Keys{}, out, nil)
				ids.Ints, numbers = append(ids.Ints, more...), append(numbers, out...)
			}
			some := func() {
				for range 100 {
					add(lowest+random.Uint64N(c.span+1), lowest+random.Uint64N(100))
				}
			}
			add(lowest+c.span, lowest)
			some()
			if c.enough > 0 {
				table.prepare(int64(c.enough) - 1)
				if !table.hashing() {
					t.Fatalf("span %d from %d: an array after %d ids", c.span, int64(lowest), c.enough-1)
				}
			}
			table.prepare(int64(c.enough))
			if table.hashing() {
				t.Fatalf("span %d from %d: a hash table after %d ids", c.span, int64(lowest), c.enough)
			}
			some()
			add(lowest + 1<<62)
			if !table.hashing() {
				t.Fatalf("span %d from %d: an array of the whole range", c.span, int64(lowest))
			}
			some()
			checkNumbers(t, in, ids, numbers)
		}
	}
}

// A span beyond directCheap has an array early if a sixteenth of it are ids.
func TestIntTableOfManyNumbers(t *testing.T) {
	const span = 2 * directCheap
	table := newIntTable(2)
	in := &interner{table: table, threads: 2}
	ids := Keys{Ints: []uint64{0, span}}
	for id := uint64(directNumbers); id < span-2*directNumbers; id += directNumbers {
		ids.Ints = append(ids.Ints, id)
	}
	numbers := make([]uint32, ids.Len())
	in.number(ids, Keys{}, numbers, nil)
	add := func(id uint64) {
		ids.Ints, numbers = append(ids.Ints, id), append(numbers, 0)
		in.number(Keys{Ints: []uint64{id}}, Keys{}, numbers[len(numbers)-1:], nil)
	}
	table.prepare(span / directLooked)
	if !table.hashing() {
		t.Fatalf("%d ids have an array of %d", table.count(), span)
	}
	add(1)
	table.prepare(span / directLooked)
	if !table.hashing() {
		t.Fatalf("%d look-ups make an array of %d", span/directLooked, span)
	}
	add(2)
	table.prepare(span/directLooked + 1)
	if table.hashing() {
		t.Fatalf("%d of %d ids are hashed", table.count(), span)
	}
	add(3)
	checkNumbers(t, in, ids, numbers)
}

// Few ids, as far apart as possible, must not take memory by their range.
func TestIntTableMemory(t *testing.T) {
	in := &interner{table: newIntTable(2), threads: 1}
	table := in.table.(*intTable)
	ids := Keys{Ints: []uint64{0}}
	for shift := range 64 {
		ids.Ints = append(ids.Ints, 1<<shift, -(1 << shift), ^uint64(0)>>shift)
	}
	for row := range ids.Ints {
		numberAll(in, ids.slice(row, row+1))
		if size := len(table.direct) + len(table.slots.slot); size > 2*directFree {
			t.Fatalf("%d places for %d ids", size, table.count())
		}
	}
	checkNumbers(t, in, ids, numberAll(in, ids))
}

// The room at the low end of an array wraps around to the largest ids.
func TestIntTableWraps(t *testing.T) {
	for _, first := range []uint64{1<<63 + 3, 1<<63 - 3, 3, ^uint64(2)} {
		in := &interner{table: newIntTable(2), threads: 1}
		ids := ints(first, first-6, 0, first-10, 1, 1<<63, 1<<63-1)
		checkNumbers(t, in, ids, numberAll(in, ids))
	}
}

// Rounds with many new ids, and many repeats among them, are numbered as by a plain loop over the
// rows, whatever the number of goroutines.
func TestInsertTogether(t *testing.T) {
	for _, threads := range []int{manyThreads, 7, 100} {
		testInsertTogether(t, threads, newStringTable(threads), func(k *Keys, id int) {
			if id > 0 { // else the empty string
				k.Bytes = fmt.Append(k.Bytes, id)
			}
			k.Offsets = append(k.Offsets, int64(len(k.Bytes)))
		})
		// The range wraps around: ids have places on both sides of 0.
		testInsertTogether(t, threads, newIntTable(threads), func(k *Keys, id int) { k.Ints = append(k.Ints, uint64(id-70_000)) })
		// Ids far apart are hashed.
		testInsertTogether(t, threads, newIntTable(threads), func(k *Keys, id int) { k.Ints = append(k.Ints, uint64(id)<<40+uint64(id)) })
	}
}

func testInsertTogether(t *testing.T, threads int, table interface {
	together
	table
}, add func(k *Keys, id int)) {
	random := rand.New(rand.NewPCG(uint64(threads), 6))
	in := &interner{table: table, threads: threads}
	want := map[string]uint32{}
	together := 0
	for round := range 30 {
		var columns [2]Keys
		rows := 1 + random.IntN(40_000)
		distinct := 1 + random.IntN(50_000)
		for c := range columns {
			if _, texts := table.(*stringTable); texts {
				columns[c].Offsets = []int64{0}
			}
		}
		for range rows {
			for c := range columns {
				add(&columns[c], random.IntN(distinct)*(1+round/10))
			}
		}
		outs := [2][]uint32{make([]uint32, rows), make([]uint32, rows)}
		before := table.count()
		in.number(columns[0], columns[1], outs[0], outs[1])
		if missed := table.count() - before; table.worthIt(threads, missed) {
			together++
		}
		for row := range rows {
			for c, k := range columns {
				id := k.id(row)
				number, known := want[id]
				if !known {
					number = uint32(len(want))
					want[id] = number
				}
				if outs[c][row] != number {
					t.Fatalf("%T, %d goroutines, round %d, row %d: %q has number %d, want %d", table, threads, round, row, id, outs[c][row], number)
				}
			}
		}
	}
	if table.count() != len(want) || together < 3 {
		t.Fatalf("%T: %d ids, want %d; %d rounds with many new ones", table, table.count(), len(want), together)
	}
	for id, number := range want {
		if got := table.ids().id(int(number)); got != id {
			t.Fatalf("%T: number %d is %q, want %q", table, number, got, id)
		}
	}
}

func TestSlotsGrow(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	s := newSlots(0)
	hashes := make([]uint32, 20_000)
	for number := range hashes {
		hashes[number] = random.Uint32() >> (number % 3) // the low end is crowded
		s.append(hashes[number], uint32(number))
	}
	if s.used != len(hashes) || 3*s.used > 2*len(s.slot)+3 {
		t.Fatalf("%d of %d slots used by %d numbers", s.used, len(s.slot), len(hashes))
	}
	for number, hash := range hashes {
		at := s.home(hash)
		for s.slot[at] != uint64(hash)<<32|uint64(number+1) {
			if s.slot[at] == 0 {
				t.Fatalf("number %d is not there", number)
			}
			at = s.after(at)
		}
	}
}

func FuzzIntern(f *testing.F) {
	f.Add([]byte("abacadabra"), uint8(1), false)
	f.Add(make([]byte, 300), uint8(7), true)
	f.Fuzz(func(t *testing.T, data []byte, stretch uint8, names bool) {
		ids := Keys{}
		for at := 0; at+2 <= len(data); at += 2 {
			id := uint64(binary.LittleEndian.Uint16(data[at:])) << (stretch % 64)
			ids.Ints = append(ids.Ints, id-uint64(stretch))
		}
		in := &interner{table: newIntTable(2), threads: 1 + int(stretch%3)}
		if names {
			in.table = newStringTable(manyThreads)
			text := Keys{Offsets: []int64{0}, Bytes: data}
			for at := range len(data) {
				if data[at]&7 == 0 {
					text.Offsets = append(text.Offsets, int64(at))
				}
			}
			ids = text
		}
		checkNumbers(t, in, ids, numberAll(in, ids))
	})
}

func BenchmarkIntern(b *testing.B) {
	src, _ := rmat(18, 4_000_000, same)
	sparse, _ := rmat(18, 4_000_000, scattered)
	distinct := Keys{Ints: make([]uint64, 4_000_000)}
	for i := range distinct.Ints {
		distinct.Ints[i] = scattered(uint32(i))
	}
	out := make([]uint32, src.Len())
	for _, c := range []struct {
		name string
		ids  Keys
	}{
		{"dense", src}, {"sparse", sparse}, {"distinct", distinct}, {"strings", named(src)}, {"distinct strings", named(distinct)},
	} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprint(c.name, "/threads=", threads), func(b *testing.B) {
				for b.Loop() {
					in := &interner{table: newIntTable(2), threads: threads}
					if c.ids.Offsets != nil {
						in.table = newStringTable(manyThreads)
					}
					in.number(c.ids, Keys{}, out, nil)
				}
				b.ReportMetric(float64(len(out))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mids/s")
			})
		}
	}
}
