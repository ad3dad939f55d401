package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/postgeo/postgeo/internal/foreign"
	"github.com/postgeo/postgeo/internal/foreign/arrowstream"
)

// claim sets the number of entries of a vector in the schema of a stream. The path has
// the members to follow. Each is a vector of tables, and the next is a member of its first
// table.
func claim(stream []byte, entries uint32, path ...flatbuffers.VOffsetT) []byte {
	stream = bytes.Clone(stream)
	const prefix = 8 // continuation and length
	data := stream[prefix:]
	at := flatbuffers.Table{Bytes: data, Pos: flatbuffers.GetUOffsetT(data)}
	var schema flatbuffers.Table
	const header = 8
	at.Union(&schema, flatbuffers.UOffsetT(at.Offset(header)))
	at = schema
	for i, member := range path {
		vector := at.Vector(flatbuffers.UOffsetT(at.Offset(member)))
		if i == len(path)-1 {
			binary.LittleEndian.PutUint32(data[vector-4:], entries)
		}
		at = flatbuffers.Table{Bytes: data, Pos: at.Indirect(vector)}
	}
	return stream
}

// Positions of members in the tables of Arrow's Schema.fbs.
const (
	schemaFields, schemaCustom = 6, 8
	fieldChildren, fieldCustom = 14, 16
)

func nested(t testing.TB, depth int) []byte {
	t.Helper()
	var of arrow.DataType = arrow.BinaryTypes.String
	for range depth {
		of = arrow.ListOf(of)
	}
	return streamOf(t, 0, column{of, "[null]"})
}

// TestDamagedMetadata reads streams whose metadata claims more than it has.
func TestDamagedMetadata(t *testing.T) {
	text := arrow.BinaryTypes.String
	codes := streamOf(t, 1, column{text, `["90210"]`})
	list := streamOf(t, 1, column{arrow.ListOf(text), `[["90210"]]`})
	views := streamOf(t, 2, column{arrow.BinaryTypes.StringView, `["90210", "a text above twelve bytes"]`}, column{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: text}, `["90210", "10001"]`})
	meta := arrow.NewMetadata([]string{"k"}, []string{"v"})
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: text, Metadata: meta}}, &meta)
	var tagged bytes.Buffer
	if err := ipc.NewWriter(&tagged, ipc.WithSchema(schema)).Close(); err != nil {
		t.Fatal(err)
	}
	long := binary.LittleEndian.AppendUint32(bytes.Repeat([]byte{0xff}, 4), 1<<31-1)
	for _, tt := range []struct {
		name   string
		stream []byte
		want   error
	}{
		{"fields", claim(codes, 1<<32-1, schemaFields), arrowstream.ErrMetadata},
		{"some more fields", claim(codes, 1<<20, schemaFields), arrowstream.ErrMetadata},
		{"children", claim(list, 1<<31, schemaFields, fieldChildren), arrowstream.ErrColumn},
		{"metadata", claim(tagged.Bytes(), 1<<30, schemaCustom), arrowstream.ErrMetadata},
		{"metadata of a field", claim(tagged.Bytes(), 1<<30, schemaFields, fieldCustom), arrowstream.ErrMetadata},
		{"depth", nested(t, 100), arrowstream.ErrColumn},
		{"length", long, arrowstream.ErrMetadata},
		{"negative length", append(bytes.Repeat([]byte{0xff}, 4), 0, 0, 0, 0x80), arrowstream.ErrMetadata},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := io.Copy(io.Discard, arrowstream.NewReader(bytes.NewReader(tt.stream)))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s: %d bytes of memory", tt.name, took)
		}
		err = run(t.Context(), []string{"--data", "sample", `{"fields":["city"]}`}, bytes.NewReader(tt.stream), io.Discard, t.Output())
		if err == nil {
			t.Errorf("%s: no error", tt.name)
		}
	}
	for _, whole := range [][]byte{codes, tagged.Bytes(), views} {
		var out bytes.Buffer
		if _, err := io.Copy(&out, arrowstream.NewReader(bytes.NewReader(whole))); err != nil && !errors.Is(err, io.EOF) || !bytes.Equal(out.Bytes(), whole) {
			t.Errorf("a whole stream of %d bytes: %d bytes, %v", len(whole), out.Len(), err)
		}
	}
}

// TestCompressedBomb reads a batch whose buffers are compressed well.
func TestCompressedBomb(t *testing.T) {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Append(strings.Repeat("0", 64<<20))
	schema := arrow.NewSchema([]arrow.Field{{Name: "c", Type: arrow.BinaryTypes.String}}, nil)
	var stream bytes.Buffer
	w := ipc.NewWriter(&stream, ipc.WithSchema(schema), ipc.WithZstd())
	if err := errors.Join(w.Write(array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, 1)), w.Close()); err != nil {
		t.Fatal(err)
	}
	size := binary.LittleEndian.AppendUint64(nil, 64<<20)
	damaged := bytes.Replace(stream.Bytes(), size, binary.LittleEndian.AppendUint64(nil, 1<<40), 1)
	if bytes.Equal(damaged, stream.Bytes()) {
		t.Fatal("the stream has no size of the buffer")
	}
	err := run(t.Context(), []string{"--data", "sample", `{"fields":["city"]}`}, bytes.NewReader(damaged), io.Discard, t.Output())
	if err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("error %v", err)
	}
}

func FuzzServe(f *testing.F) {
	text := arrow.BinaryTypes.String
	codes := streamOf(f, 2, column{text, `["90210", null]`})
	f.Add(codes)
	f.Add(streamOf(f, 1, column{arrow.ListOf(text), `[["90210"]]`}))
	f.Add(streamOf(f, 1, column{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: text}, `["90210", "90210"]`}))
	f.Add(streamOf(f, 1, column{arrow.BinaryTypes.StringView, `["90210", "a text above twelve bytes"]`}))
	f.Add(claim(codes, 1<<32-1, schemaFields))
	db, err := foreign.Open("sample")
	if err != nil {
		f.Fatal(err)
	}
	defer db.Close()
	columns, err := db.ParseColumns(`{"fields":["city"]}`)
	if err != nil {
		f.Fatal(err)
	}
	defer columns.Close()
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		err := columns.Use(func(v *foreign.View) error {
			s := streams{ctx: t.Context(), out: bufio.NewWriter(&out), result: "result", view: v}
			return foreign.Safely(func() error {
				return arrowstream.Each(bufio.NewReader(bytes.NewReader(data)), false, s.evaluate)
			})
		})
		if err == nil && len(data) > 0 {
			rowsOf(t, out.Bytes())
		}
	})
}
