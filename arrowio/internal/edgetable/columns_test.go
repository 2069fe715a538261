package edgetable

import (
	"errors"
	"strings"
	"testing"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/tables"
)

func TestChooseColumns(t *testing.T) {
	for _, test := range []struct {
		names    string
		opts     tables.Options
		src, dst int
		err      error
		says     string
	}{
		{names: "src,dst", src: 0, dst: 1},
		{names: "id dst x src", src: 3, dst: 1},
		{names: "Source,Target,Type,Id", src: 0, dst: 1},
		{names: "source,destination", src: 0, dst: 1},
		{names: "from,to", src: 0, dst: 1},
		{names: "u,v", src: 0, dst: 1},
		{names: "id_1,id_2", src: 0, dst: 1},
		{names: "node_1,node_2", src: 0, dst: 1},
		{names: ":START_ID,:END_ID,:TYPE", src: 0, dst: 1},
		{names: "_graphArSrcIndex,_graphArDstIndex", src: 0, dst: 1},
		{names: "a,b", err: faults.ErrInput, says: `no source and destination among columns ["a", "b"]; give Options.Src "a" and Options.Dst "b" if these are the ends`},
		{names: "", err: faults.ErrInput, says: "no source"},
		{names: "src,to", err: faults.ErrInput, says: "no source"},
		{names: "src,dst,from,to", err: faults.ErrInput, says: "src,dst or from,to"},
		{names: "source,target,destination", err: faults.ErrInput, says: "source,target or source,destination"},
		{names: "src,src,dst", err: faults.ErrInput, says: "no source"},
		{names: "src,dst,Weight", err: faults.ErrInput, says: "is a weight"},
		{names: "src,dst,weight", opts: tables.Options{IgnoreWeight: true}, src: 0, dst: 1},
		{names: "src,dst,from,to", opts: tables.Options{Src: "to", Dst: "src"}, src: 3, dst: 0},
		{names: "a,b,weight", opts: tables.Options{Src: "a", Dst: "b"}, err: faults.ErrInput, says: "weight"},
		{names: "a,weight", opts: tables.Options{Src: "a", Dst: "weight"}, src: 0, dst: 1},
		{names: "a,b", opts: tables.Options{Src: "a", Dst: "c"}, err: faults.ErrInput, says: `no column "c"`},
		{names: "a,A,b", opts: tables.Options{Src: "A", Dst: "b"}, src: 1, dst: 2},
		{names: "a,b,b", opts: tables.Options{Src: "a", Dst: "b"}, err: faults.ErrInput, says: "more than once"},
	} {
		names := strings.FieldsFunc(test.names, func(r rune) bool { return r == ',' || r == ' ' })
		src, dst, err := (&Options{Options: test.opts}).ChooseColumns(names)
		if !errors.Is(err, test.err) || (err != nil && !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%q %+v: error %v, want %v saying %q", test.names, test.opts, err, test.err, test.says)
		}
		if err == nil && (src != test.src || dst != test.dst) {
			t.Errorf("%q %+v: %d, %d, want %d, %d", test.names, test.opts, src, dst, test.src, test.dst)
		}
	}
}
