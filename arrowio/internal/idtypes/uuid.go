package idtypes

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"bcstage/arrowio/internal/ids"
)

// uuidType is the type of a column of UUIDs: Arrow's canonical extension
// arrow.uuid, a logical type in Parquet. Keys hold the 16 bytes, as both store
// them; text shows 8-4-4-4-12 hexadecimal digits in lower case.
//
// uuidType stands for the type in an IDType only. Arrays and schemas have its
// storage, and the field in a schema names the extension, as Arrow does for an
// unregistered one.
// https://arrow.apache.org/docs/format/CanonicalExtensions.html#uuid
type uuidType struct{ *arrow.FixedSizeBinaryType }

const uuidExtension = "arrow.uuid"

func UUID() uuidType {
	return uuidType{&arrow.FixedSizeBinaryType{ByteWidth: ids.UUIDBytes}}
}

func (uuidType) Name() string   { return "uuid" }
func (uuidType) String() string { return "uuid" }

func IsUUID(typ arrow.DataType) bool {
	_, ok := typ.(uuidType)
	return ok
}

// OfField is a field's type as one of ids: the type of its arrays, or uuidType if
// the field says that its 16 bytes are UUIDs. A dictionary of UUIDs counts as
// UUIDs, because other programs do not read an extension of dictionaries as
// arrow.uuid.
func OfField(field arrow.Field) arrow.DataType {
	typ := field.Type
	extension, _ := field.Metadata.GetValue(ipc.ExtensionTypeKeyName)
	if registered, ok := typ.(arrow.ExtensionType); ok {
		extension, typ = registered.ExtensionName(), registered.StorageType()
	}
	if extension != uuidExtension {
		return field.Type
	}
	_, value := Parts(typ)
	if fixed, ok := value.(*arrow.FixedSizeBinaryType); ok && fixed.ByteWidth == ids.UUIDBytes {
		return UUID()
	}
	return field.Type
}

// Field is the field of a column of ids: the reverse of OfField.
func Field(name string, typ arrow.DataType) arrow.Field {
	field := arrow.Field{Name: name, Type: Storage(typ)}
	if IsUUID(typ) {
		field.Metadata = arrow.NewMetadata([]string{ipc.ExtensionTypeKeyName, ipc.ExtensionMetadataKeyName}, []string{uuidExtension, ""})
	}
	return field
}

// Storage is the type of the arrays of a column of ids.
func Storage(typ arrow.DataType) arrow.DataType {
	if uuid, ok := typ.(uuidType); ok {
		return uuid.FixedSizeBinaryType
	}
	return typ
}
