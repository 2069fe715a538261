package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"

	"bcstage/arrowio/tables"
)

// checksum hashes ids, columns and metadata of a table, without the metadata "checksum". It is
// SHA-256, which runs at memory's speed and detects any change.
func checksum(table tables.Table) string {
	h := sha256.New()
	for _, entry := range table.Metadata {
		if entry.Key != "checksum" {
			fmt.Fprintf(h, "%q=%q\n", entry.Key, entry.Value)
		}
	}
	fmt.Fprintf(h, "ids %d %d %d\n", len(table.IDs.Ints), len(table.IDs.Offsets), len(table.IDs.Bytes))
	hashNumbers(h, table.IDs.Ints)
	hashNumbers(h, table.IDs.Offsets)
	h.Write(table.IDs.Bytes)
	names := NamesIn(&table)
	names.hashTo(h)
	for _, column := range table.Columns {
		fmt.Fprintf(h, "%q %d\n", column.Name, column.Values.Len())
		hashNumbers(h, table.Ints(column.Name)) // a partial has integers only
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashNumbers hashes numbers as little-endian bytes.
func hashNumbers[T uint32 | uint64 | int64](h hash.Hash, numbers []T) {
	buffer := make([]byte, 0, 8<<10)
	for _, x := range numbers {
		if buffer = binary.LittleEndian.AppendUint64(buffer, uint64(x)); len(buffer) == cap(buffer) {
			h.Write(buffer)
			buffer = buffer[:0]
		}
	}
	h.Write(buffer)
}
