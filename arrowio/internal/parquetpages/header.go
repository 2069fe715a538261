package parquetpages

import "bcstage/arrowio/internal/thrift"

// pageHeader is the part of a page's header that the reader needs.
type pageHeader struct {
	kind                     int64
	uncompressed, compressed int64 // bytes
	crc                      int64
	hasCRC                   bool
	values, encoding, levels int64 // levels: encoding of the definition levels of a data page
	definition, repetition   int64 // bytes of levels in front of a data page v2
	stored                   bool  // data page v2 whose values are not compressed
}

// parsePageHeader returns the header at the beginning of data and its length,
// or false if data ends first or holds none.
func parsePageHeader(data []byte) (h pageHeader, length int, ok bool) {
	c := thrift.NewReader(data)
	c.Structure(func(id int, kind byte) bool {
		integer := kind == thrift.Int32
		switch {
		case id == 1 && integer:
			h.kind = c.Integer()
		case id == 2 && integer:
			h.uncompressed = c.Integer()
		case id == 3 && integer:
			h.compressed = c.Integer()
		case id == 4 && integer:
			h.crc, h.hasCRC = c.Integer(), true
		case (id == 5 || id == 7 || id == 8) && kind == thrift.Struct:
			h.parse(c, id)
		default:
			return false
		}
		return true
	})
	return h, len(data) - len(c.Rest()), !c.Failed()
}

// parse reads the part of the header for one kind of page.
func (h *pageHeader) parse(c *thrift.Reader, part int) {
	const v1, dictionary, v2 = 5, 7, 8
	c.Structure(func(id int, kind byte) bool {
		integer := kind == thrift.Int32
		switch {
		case id == 1 && integer:
			h.values = c.Integer()
		case id == 2 && integer && part != v2, id == 4 && integer && part == v2:
			h.encoding = c.Integer()
		case id == 3 && integer && part == v1:
			h.levels = c.Integer()
		case id == 5 && integer && part == v2:
			h.definition = c.Integer()
		case id == 6 && integer && part == v2:
			h.repetition = c.Integer()
		case id == 7 && part == v2:
			h.stored = kind == thrift.False
			return kind == thrift.True || kind == thrift.False
		default:
			return false
		}
		return true
	})
}
