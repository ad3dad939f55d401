package table

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A footer describes a Parquet file. The library's structures write 0 nulls where their
// number is unknown, and readers believe it.
type footer struct {
	Version      int32                              `thrift:"1,required"`
	Schema       thrift.Slice[format.SchemaElement] `thrift:"2,required"`
	NumRows      int64                              `thrift:"3,required"`
	RowGroups    thrift.Slice[footerGroup]          `thrift:"4,required"`
	KeyValues    thrift.Slice[format.KeyValue]      `thrift:"5,optional"`
	CreatedBy    string                             `thrift:"6,optional"`
	ColumnOrders thrift.Slice[format.ColumnOrder]   `thrift:"7,optional"`
}

type footerGroup struct {
	Columns             thrift.Slice[footerChunk]          `thrift:"1,required"`
	TotalByteSize       int64                              `thrift:"2,required"`
	NumRows             int64                              `thrift:"3,required"`
	SortingColumns      thrift.Slice[format.SortingColumn] `thrift:"4,optional"`
	FileOffset          int64                              `thrift:"5,optional"`
	TotalCompressedSize int64                              `thrift:"6,optional"`
	Ordinal             int16                              `thrift:"7,optional,writezero"`
}

type footerChunk struct {
	FileOffset        int64        `thrift:"2,required"`
	MetaData          footerColumn `thrift:"3,optional"`
	OffsetIndexOffset int64        `thrift:"4,optional"`
	OffsetIndexLength int32        `thrift:"5,optional"`
	ColumnIndexOffset int64        `thrift:"6,optional"`
	ColumnIndexLength int32        `thrift:"7,optional"`
}

type footerColumn struct {
	Type                  format.Type                            `thrift:"1,required"`
	Encoding              thrift.Slice[format.Encoding]          `thrift:"2,required"`
	PathInSchema          thrift.Slice[string]                   `thrift:"3,required"`
	Codec                 format.CompressionCodec                `thrift:"4,required"`
	NumValues             int64                                  `thrift:"5,required"`
	TotalUncompressedSize int64                                  `thrift:"6,required"`
	TotalCompressedSize   int64                                  `thrift:"7,required"`
	KeyValues             thrift.Slice[format.KeyValue]          `thrift:"8,optional"`
	DataPageOffset        int64                                  `thrift:"9,required"`
	DictionaryPageOffset  int64                                  `thrift:"11,optional"`
	Statistics            thrift.Null[footerStatistics]          `thrift:"12,optional"`
	EncodingStats         thrift.Slice[format.PageEncodingStats] `thrift:"13,optional"`
	BloomFilterOffset     int64                                  `thrift:"14,optional"`
	BloomFilterLength     int32                                  `thrift:"15,optional"`
}

type footerStatistics struct {
	Max           []byte             `thrift:"1,optional"`
	Min           []byte             `thrift:"2,optional"`
	NullCount     thrift.Null[int64] `thrift:"3,optional"`
	DistinctCount thrift.Null[int64] `thrift:"4,optional"`
	MaxValue      []byte             `thrift:"5,optional"`
	MinValue      []byte             `thrift:"6,optional"`
	ExactMax      thrift.Null[bool]  `thrift:"7,optional"`
	ExactMin      thrift.Null[bool]  `thrift:"8,optional"`
}

// readFooter reads the footer of a file that the library has opened.
func readFooter(f *parquet.File) (*footer, error) {
	n, err := footerLength(f, f.Size())
	if err != nil {
		return nil, err
	}
	text := make([]byte, n)
	if _, err := f.ReadAt(text, f.Size()-footerTail-n); err != nil {
		return nil, fmt.Errorf("read the footer: %w", err)
	}
	var m footer
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), text, &m); err != nil {
		return nil, fmt.Errorf("read the footer: %w", err)
	}
	return &m, nil
}

// footerLength returns the length of a footer. The library allocates it unchecked.
func footerLength(r io.ReaderAt, size int64) (int64, error) {
	tail := make([]byte, footerTail)
	if _, err := r.ReadAt(tail, size-footerTail); err != nil {
		return 0, fmt.Errorf("read the footer: %w", err)
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n > size-footerTail {
		return 0, fmt.Errorf("its footer has %d bytes, more than the file", n)
	}
	return n, nil
}

// footerTail is how many bytes follow the footer: its length and the magic number.
const footerTail = 8

func encodeThrift(w io.Writer, v any) error {
	var protocol thrift.CompactProtocol
	return thrift.NewEncoder(protocol.NewWriter(w)).Encode(v)
}
