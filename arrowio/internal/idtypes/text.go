package idtypes

import (
	"fmt"
	"strconv"
	"strings"

	"bcstage/arrowio/internal/faults"

	"github.com/apache/arrow/go/v17/arrow"
)

// MarshalText names the type: as Arrow does, and a dictionary as INDEX of VALUE.
func (t Type) MarshalText() ([]byte, error) {
	index, value := Parts(Arrow(t))
	if index != nil {
		return []byte(index.String() + " of " + value.String()), nil
	}
	return []byte(value.String()), nil
}

// UnmarshalText is the way back; any other text is ErrInput.
func (t *Type) UnmarshalText(text []byte) error {
	indexName, valueName, dictionary := strings.Cut(string(text), " of ")
	if !dictionary {
		indexName, valueName = "", indexName
	}
	value, err := typeNamed(valueName)
	if err != nil {
		return err
	}
	*t = Of(value)
	if !dictionary {
		return nil
	}
	index, err := typeNamed(indexName)
	if err != nil || !arrow.IsInteger(index.ID()) {
		return faults.Rejected("ids of type %q", text)
	}
	*t = Of(&arrow.DictionaryType{IndexType: index, ValueType: value})
	return nil
}

// typeNamed is the type of ids that Arrow gives this name.
func typeNamed(name string) (arrow.DataType, error) {
	for _, typ := range []arrow.DataType{
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.BinaryTypes.String, arrow.BinaryTypes.StringView, arrow.BinaryTypes.LargeString,
		arrow.BinaryTypes.Binary, arrow.BinaryTypes.BinaryView, arrow.BinaryTypes.LargeBinary, UUID(),
	} {
		if typ.String() == name {
			return typ, nil
		}
	}
	var width int
	if _, err := fmt.Sscanf(name, "fixed_size_binary[%d]", &width); err == nil && width >= 0 && name == "fixed_size_binary["+strconv.Itoa(width)+"]" {
		return &arrow.FixedSizeBinaryType{ByteWidth: width}, nil
	}
	return nil, faults.Rejected("ids of type %q", name)
}
