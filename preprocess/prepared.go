package preprocess

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
)

// ErrPrepared says that a file is not a prepared graph of this version, or that it is
// damaged or cut short.
var ErrPrepared = errors.New("prepared graph not readable")

// Prepared is a plan with the data that leads back to the input: the whole result of
// reading and reducing a graph. Write makes a file of it, OpenPrepared maps one.
//
// The file, all numbers little-endian:
//
//	0    magic, 8 bytes; then version and number of sections, 32 bits each
//	16   size of the file, 64 bits
//	24   place of the checksums, 64 bits
//	32   by section 32 bytes: name, padded with zeros to 16; place and length in bytes
//	...  the sections, each an array, at multiples of 64 bytes
//	...  CRC-32C of every MiB before this place, the last one shorter; then that of these sums
//
// Version 1 is for one graph, the zero question, and one mass. Version 2 adds the
// sections of withQuestion and withScopes. The sections are those of Prepared.sections.
// All blocks share one array of each kind, cut by the section "blocks". So a file can be
// mapped and searched in place, and a million small blocks are cheap. The file has no
// batches: they follow from sources and lanes.
type Prepared struct {
	*Plan                         // with ComponentSizes
	IDs             building.Keys // by graph vertex
	building.Scopes               // likewise
	Degrees         []uint32      // by graph vertex: its neighbours
	About           []byte        // data of the caller, kept unchanged
	Upward          *csr.Graph    // the edges, as Graph.Upward has them; nil: the file lacks them

	unmap func() error // nil: not from a file
}

// Close releases the memory of OpenPrepared. The arrays of Plan, IDs, Degrees and About
// must not be used any more.
func (p *Prepared) Close() error {
	if p.unmap == nil {
		return nil
	}
	unmap := p.unmap
	p.unmap = nil
	return unmap()
}

const (
	// preparedMagic is not text in any encoding, and any change of line ends breaks it
	// (the idea is PNG's).
	preparedMagic   = "\x89BCG\r\n\x1a\n"
	preparedVersion = 2
	preparedHeader  = 32
	sectionEntry    = 32
	sectionName     = 16
	sectionAlign    = 64      // a cache line, and more than any element needs
	checkedPiece    = 1 << 20 // bytes per checksum
)

// The section "plan": numbers about the whole graph, then the fingerprint.
const (
	planVertices = iota
	planEdges
	planComponents
	planFolded
	planTwins
	planBlockCount
	planLargestBlock
	planNumbers
)

// The section "blocks": blockNumbers numbers per block.
const (
	blockVertices  = iota
	blockTargets   // directed edges
	blockMembers   // graph vertices in classes of twins; 0: no twins
	blockLanes     // sources per batch
	blockFarness   // 1: measured
	blockEntries   // of a batch's frontiers
	blockJunctions // 0: no chains
	blockChains
	blockInner // vertices inside chains
	blockNumbers
)

// section is one array of the file while it is written.
type section struct {
	name string
	size int64
	each func(write func([]byte) error) error
}

// version of the format that the plan needs.
func (p *Prepared) version() uint32 {
	if p.Question.Identity() == "" && p.oneMass() && len(p.By) == 0 && p.Side == nil {
		return 1
	}
	return preparedVersion
}

// oneMass reports whether all blocks have one mass.
func (p *Plan) oneMass() bool {
	return !slices.ContainsFunc(p.Blocks, func(b Block) bool { return !b.OneMass() })
}

// withScopes lists the sections of several graphs, or of two sides: the graph of each
// vertex, the columns that name the graphs, in the form of ids, and the side of each
// vertex.
func (p *Prepared) withScopes() (sections []section) {
	if len(p.By) > 0 {
		sections = append(sections, whole("graphs", p.Of))
	}
	for i, column := range p.By {
		sections = append(sections, whole(byName(i, "ids"), column.Ints), whole(byName(i, "offsets"), column.Offsets), whole(byName(i, "bytes"), column.Bytes))
	}
	if p.Side != nil {
		sections = append(sections, whole("sides", p.Side))
	}
	return sections
}

// byName is the name of a section of a column that names graphs.
func byName(column int, of string) string { return fmt.Sprintf("by_%d_%s", column, of) }

// told maps sections to the arrays that a plan has only if its question asks for them.
// Degrees of an undirected graph are in every file.
func (p *Plan) told() map[string]*[]uint32 {
	told := map[string]*[]uint32{"components": &p.ComponentOf, "independent_set": &p.IndependentSet}
	if p.Question.Directed {
		told["out_degrees"], told["in_degrees"] = &p.Degrees, &p.InDegrees
	}
	return told
}

// withTold lists the sections of these arrays, where they exist.
func (p *Plan) withTold() (sections []section) {
	told := p.told()
	for _, name := range slices.Sorted(maps.Keys(told)) {
		if values := *told[name]; values != nil {
			sections = append(sections, whole(name, values))
		}
	}
	return sections
}

// sections lists the sections in the order of the file.
func (p *Prepared) sections() []section {
	b := p.Blocks
	return slices.Concat([]section{
		whole("about", p.About),
		whole("plan", p.numbers()),
		whole("fingerprint", p.Fingerprint[:]),
		whole("closed_forms", p.ClosedForm(measures.Betweenness).Low),
		whole("component_sizes", p.ComponentSizes),
		whole("degrees", p.Degrees),
		whole("ids", p.IDs.Ints),
		whole("id_offsets", p.IDs.Offsets),
		whole("id_bytes", p.IDs.Bytes),
		whole("blocks", blockTable(b)),
		byBlock("offsets", b, func(b *Block) []int64 { return b.Offsets }),
		byBlock("targets", b, func(b *Block) []uint32 { return b.Targets }),
		byBlock("weights", b, func(b *Block) []float64 { return b.From }),
		byBlock("sources", b, func(b *Block) []uint32 { return b.Sources }),
		byBlock("vertices", b, func(b *Block) []uint32 { return b.vertices }),
		byBlock("farness", b, func(b *Block) []uint16 { return b.Farness }),
		byBlock("classes", b, func(b *Block) []uint32 { return b.classes }),
		byBlock("multiplicities", b, func(b *Block) []float64 { return b.Multiplicity }),
		byBlock("within", b, func(b *Block) []int64 { return converted[int64](b.within) }),
		byBlock("junctions", b, func(b *Block) []uint32 { return b.chains().Junctions }),
		byBlock("chain_ends", b, func(b *Block) []uint32 { return flat(b.chains().Ends) }),
		byBlock("chain_first", b, func(b *Block) []uint32 { return b.chains().First }),
		byBlock("chain_inner", b, func(b *Block) []uint32 { return b.chains().Inner }),
	}, p.withQuestion(), p.withScopes(), p.withTold(), p.withEdges())
}

func (p *Plan) numbers() []int64 {
	return []int64{
		planVertices:     int64(p.Vertices),
		planEdges:        p.Edges,
		planComponents:   int64(p.Components),
		planFolded:       int64(p.Folded),
		planTwins:        int64(p.Twins),
		planBlockCount:   int64(p.BlockCount),
		planLargestBlock: int64(p.LargestBlock),
	}
}

func blockTable(blocks []Block) []int64 {
	table := make([]int64, 0, blockNumbers*len(blocks))
	for i := range blocks {
		b := &blocks[i]
		numbers := [blockNumbers]int64{
			blockVertices:  int64(b.Vertices()),
			blockTargets:   int64(len(b.Targets)),
			blockLanes:     int64(b.Lanes),
			blockEntries:   int64(b.Entries),
			blockJunctions: int64(len(b.chains().Junctions)),
			blockChains:    int64(len(b.chains().Ends)),
			blockInner:     int64(len(b.chains().Inner)),
		}
		if b.classes != nil {
			numbers[blockMembers] = int64(len(b.vertices))
		}
		if b.Farness != nil {
			numbers[blockFarness] = 1
		}
		table = append(table, numbers[:]...)
	}
	return table
}

// chains returns the chains of the block, or of its roads, empty if it has none.
func (b *Block) chains() *csr.Chains {
	if !b.Kind().Chained() {
		return &b.roads().Chains
	}
	return b.Chains
}

func whole[T element](name string, x []T) section {
	data := littleEndian(x)
	return section{name, int64(len(data)), func(write func([]byte) error) error { return write(data) }}
}

func byBlock[T element](name string, blocks []Block, of func(*Block) []T) section {
	s := section{name: name, each: func(write func([]byte) error) error {
		for i := range blocks {
			if err := write(littleEndian(of(&blocks[i]))); err != nil {
				return err
			}
		}
		return nil
	}}
	for i := range blocks {
		s.size += int64(len(of(&blocks[i]))) * int64(unsafe.Sizeof(*new(T)))
	}
	return s
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrPrepared, fmt.Errorf(format, args...))
}
