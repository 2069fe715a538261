package parquetfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/lengths"
	"bcstage/arrowio/internal/parquetpages"
	"bcstage/arrowio/internal/sources"
	"bcstage/internal/expression"
)

// An icebug-disk graph is compressed sparse rows in a folder of Parquet files
// (github.com/Ladybug-Memory/icebug-format, doc/spec.md):
//
//	schema.cypher          CREATE REL TABLE rel(FROM a TO b, ...)
//	nodes_a.parquet        the ids of vertices in the first column; a vertex is its row
//	indptr_rel.parquet     ptr: where the edges of row i of nodes_a begin; a row more than nodes_a
//	indices_rel.parquet    target: a row of nodes_b for each edge, and the edges' other columns
const (
	csrVersionKey = "icebug_disk_version"
	csrVersion    = "v1"
	csrEdges      = "indices_"
	csrOffsets    = "indptr_"
	csrVertices   = "nodes_"
	csrSchema     = "schema.cypher"
	csrSource     = "source" // names of the ends; the file has a column for the target only
	csrTarget     = "target"
	mostSchema    = 1 << 20 // bytes of it that are read, at most
)

// csrRelation matches the name of a table of edges, and of the tables of its ends.
var csrRelation = expression.Lazy("(?i)\\bCREATE\\s+REL\\s+TABLE\\s+(?:`([^`]+)`|(\\w+))\\s*\\(\\s*FROM\\s+(?:`([^`]+)`|(\\w+))\\s+TO\\s+(?:`([^`]+)`|(\\w+))")

// Beside lists the paths that are read with a path, if it is the edges of an icebug-disk graph.
func Beside(path string) []string {
	base := filepath.Base(path)
	name, ok := strings.CutPrefix(base, csrEdges)
	if !ok {
		return nil
	}
	folder := strings.TrimSuffix(path, base)
	return []string{folder + csrSchema, folder + csrOffsets + name, folder + csrVertices + "*.parquet"}
}

// isCSR says whether a file is part of an icebug-disk graph.
func (f *File) isCSR() (bool, error) {
	version := f.Footer.KeyValueMetadata().FindValue(csrVersionKey)
	if version != nil && *version != csrVersion {
		return false, faults.Rejected("icebug-disk of version %s; want %s", faults.Quote(*version), csrVersion)
	}
	return version != nil, nil
}

// csr is the graph of a file of edges.
type csr struct {
	offsets    []uint64
	from, to   ids.Keys // the ids of the vertices by row
	types      [2]arrow.DataType
	held       int64 // of the budget
	row        uint64
	vertex     int // the vertex with edge `row`, or one before it
	toVertices string
}

// readCSR reads the edges of an icebug-disk graph, and its vertices.
func (f *File) readCSR(ctx context.Context, in *sources.Input, out *edgetable.Funnel) (err error) {
	base := filepath.Base(out.Path)
	name, ok := strings.CutPrefix(base, csrEdges)
	if !ok {
		return faults.Advise(faults.Rejected("part of an icebug-disk graph, whose edges are in %sNAME.parquet", csrEdges), "name that file; it finds the others of its folder")
	}
	if src, dst := out.Opts.Src, out.Opts.Dst; src != "" && src != csrSource || dst != "" && dst != csrTarget {
		return faults.Usage("Options.Src and Options.Dst: the ends of icebug-disk's edges are %q and %q", csrSource, csrTarget)
	}
	folder := strings.TrimSuffix(out.Path, base)
	g := &csr{}
	defer func() { out.Opts.Budget.Hold(-g.held) }()
	from, to, err := csrEnds(ctx, in.From, folder, strings.TrimSuffix(name, filepath.Ext(name)))
	if err != nil {
		return err
	}
	if g.toVertices = csrVertices + to; from != to && !out.Opts.Bipartite {
		return faults.Advise(faults.Usage("edges lead from %q to %q, two sets of vertices", from, to), "Options.Bipartite keeps them apart")
	}
	if g.from, g.types[0], err = g.load(ctx, in.From, folder+csrVertices+from+".parquet", out); err != nil {
		return err
	}
	if g.to, g.types[1] = g.from, g.types[0]; to != from {
		if g.to, g.types[1], err = g.load(ctx, in.From, folder+csrVertices+to+".parquet", out); err != nil {
			return err
		}
	}
	offsets, _, err := g.load(ctx, in.From, folder+csrOffsets+name, out)
	if g.offsets = offsets.Ints; err != nil {
		return err
	}
	if err := g.check(f.Footer.GetNumRows()); err != nil {
		return fmt.Errorf("%s: %w", csrOffsets+name, err)
	}
	if !out.Opts.Directed {
		out.Note("icebug-disk's edges have a direction, and are read as undirected edges; Options.Directed keeps it")
	}
	if err := g.sendVertices(ctx, out); err != nil {
		return err
	}
	return f.readCSREdges(ctx, g, out)
}

// csrEnds are the tables of the ends of a table of edges.
func csrEnds(ctx context.Context, from *sources.Options, folder, name string) (src, dst string, err error) {
	in, err := sources.Open(ctx, folder+csrSchema, from)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", faults.Rejected("no file %s beside it, which names the vertex tables of icebug-disk edges", csrSchema)
	}
	if err != nil {
		return "", "", err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, mostSchema))
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", csrSchema, err)
	}
	for _, found := range csrRelation().FindAllSubmatch(text, -1) {
		if strings.EqualFold(string(found[1])+string(found[2]), name) {
			lower := func(i int) string { return strings.ToLower(string(found[i]) + string(found[i+1])) }
			return lower(3), lower(5), nil
		}
	}
	return "", "", faults.Rejected("%s has no table of edges %s", csrSchema, faults.Quote(name))
}

// load is the first column of a Parquet file, which has no nulls, and its type.
func (g *csr) load(ctx context.Context, from *sources.Options, path string, out *edgetable.Funnel) (all ids.Keys, typ arrow.DataType, err error) {
	defer func() {
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}()
	in, err := sources.Open(ctx, path, from)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil, faults.Rejected("no such file beside the edges")
	}
	if err != nil {
		return all, nil, err
	}
	defer in.Close()
	file, err := Open(ctx, in)
	if err != nil {
		return all, nil, err
	}
	if len(file.Columns.Names) == 0 {
		return all, nil, faults.Rejected("no columns")
	}
	typ, layout, err := file.Columns.IDType(0)
	if err != nil {
		return all, nil, err
	}
	if !layout.Integers {
		all.Offsets = []int64{0}
	}
	return all, typ, file.EachColumn(ctx, []int{0}, []parquetpages.Layout{layout}, func(_ int, piece *ids.Column) error {
		if len(piece.Null) > 0 {
			return faults.Rejected("column %q: a null", file.Columns.Names[0])
		}
		const growth = 2 // append may hold twice the memory it needs
		bytes := growth * int64(8*piece.Len()+len(piece.Bytes))
		if err := out.Opts.Budget.Hold(bytes); err != nil {
			return err
		}
		g.held += bytes
		ids.Append(&all, piece.Keys())
		return nil
	})
}

// check compares the offsets with the vertices and the number of edges.
func (g *csr) check(edges int64) error {
	if have, want := len(g.offsets), g.from.Len()+1; have != want {
		return faults.Corrupt("%d rows for %d vertices; want %d", have, want-1, want)
	}
	before := uint64(0)
	for i, offset := range g.offsets {
		if offset < before || offset > uint64(edges) || i == 0 && offset != 0 {
			return faults.Corrupt("row %d: offset %d after %d, but %d edges", i, int64(offset), before, edges)
		}
		before = offset
	}
	if before != uint64(edges) {
		return faults.Corrupt("the last offset is %d, but there are %d edges", before, edges)
	}
	return nil
}

// sendVertices sends all vertices, also those without edges, unless more than the id is needed
// of a vertex.
func (g *csr) sendVertices(ctx context.Context, out *edgetable.Funnel) (err error) {
	if out.Opts.Bipartite || len(out.Opts.By) > 0 {
		return nil
	}
	defer faults.Recover(&err)
	plain := *out.Opts
	plain.Keep = nil
	defer func(all *edgetable.Options) { out.Opts, out.Vertices = all, false }(out.Opts)
	out.Opts, out.Vertices = &plain, true
	table, err := columnar.NewTable(out, []string{csrSource}, func(int) (arrow.DataType, error) { return g.types[0], nil }, nil)
	if err != nil {
		return err
	}
	line := table.Budget.Line()
	account := line.Account(ctx)
	for first, n := 0, g.from.Len(); first < n; first += columnar.BatchRows {
		line.Turn(account.Number)
		column, err := table.Column(0, account)
		if err != nil {
			return err
		}
		column.Reset(g.from.Offsets == nil)
		for vertex := first; vertex < min(first+columnar.BatchRows, n); vertex++ {
			if err := appendID(column, g.from, vertex); err != nil {
				return err
			}
		}
		if err := table.Send(ctx, "vertices", int64(first), column); err != nil {
			return err
		}
		account.Number++
	}
	return nil
}

// appendID appends a row of all to a column of its form.
func appendID(c *ids.Column, all ids.Keys, row int) error {
	if all.Offsets == nil {
		c.Grow(1)[0] = all.Ints[row]
		return nil
	}
	c.AppendText(ids.Text(all, row))
	if len(c.Bytes) > ids.MaxBytes {
		return ids.TooMuchText()
	}
	return nil
}

// readCSREdges reads a file of targets as a table with a column of sources before its own.
func (f *File) readCSREdges(ctx context.Context, g *csr, out *edgetable.Funnel) error {
	target, err := edgetable.OneColumn(f.Columns.Names, csrTarget)
	if err != nil {
		return err
	}
	_, rows, err := f.Columns.IDType(target)
	if err == nil && !rows.Integers {
		err = faults.Rejected("want integers, which are rows of %s", g.toVertices)
	}
	if err != nil {
		return fmt.Errorf("column %q: %w", csrTarget, err)
	}
	names := append([]string{csrSource}, f.Columns.Names...)
	table, err := columnar.NewTable(out, names, func(i int) (typ arrow.DataType, err error) {
		switch i {
		case 0:
			return g.types[0], nil
		case 1 + target:
			return g.types[1], nil
		}
		typ, _, err = f.Columns.IDType(i - 1)
		return typ, err
	}, func(i int) (lengths.Type, error) {
		typ, _, err := f.Columns.lengthType(i - 1)
		return typ, err
	})
	if err != nil {
		return err
	}
	// The column of sources is read like that of targets, and then overwritten.
	positions := table.Positions()
	positions[0] = 1 + target
	for i := range positions {
		positions[i]--
	}
	projection, err := f.project(positions, func(i int) (layout parquetpages.Layout, err error) {
		switch {
		case i == target:
			return rows, nil
		case table.Weight > 0 && i == positions[table.Weight]:
			_, layout, err = f.Columns.lengthType(i)
		default:
			_, layout, err = f.Columns.IDType(i)
		}
		return layout, err
	})
	if err != nil {
		return err
	}
	projection.rewrite = g.rewrite
	return projection.read(ctx, f.file, table, out.Opts.Threads)
}

// rewrite makes the ids of both ends of the next edges. Both columns hold the edges' targets,
// as rows of the table of vertices.
func (g *csr) rewrite(columns []*ids.Column) (err error) {
	defer faults.Recover(&err)
	src, dst := columns[0], columns[1]
	targets := dst.Ints // a row is read before an id is written in its place
	nulls := [2][]bool{src.Null, dst.Null}
	src.Reset(g.from.Offsets == nil)
	dst.Reset(g.to.Offsets == nil)
	for i, target := range targets {
		for g.offsets[g.vertex+1] <= g.row {
			g.vertex++
		}
		if len(nulls[1]) > 0 && nulls[1][i] {
			target = 0 // any vertex: the row is refused or dropped
		}
		if target >= uint64(g.to.Len()) {
			return faults.Corrupt("column %q: row %d: %d is not a row of %s, which has %d rows", csrTarget, g.row, int64(target), g.toVertices, g.to.Len())
		}
		if err := appendID(src, g.from, g.vertex); err != nil {
			return err
		}
		if err := appendID(dst, g.to, int(target)); err != nil {
			return err
		}
		g.row++
	}
	src.Null, dst.Null = nulls[0], nulls[1]
	return nil
}
