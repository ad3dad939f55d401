package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// NamesCode reports whether the name of a column is likely that of codes.
func NamesCode(name string) bool { return namesCode(name) }

// Rows reads the rows of a source of text.
func (s *Source) Rows() (rows []string) {
	var b block
	for s.read(&b) == nil {
		for i := range b.len() {
			rows = append(rows, string(b.row(i)))
		}
	}
	return rows
}

// WithPalettes runs f with so few bytes of distinct values in Parquet.
func WithPalettes(bytes int64, f func()) {
	defer func(was int64) { paletteBytes = was }(paletteBytes)
	paletteBytes = bytes
	f()
}

// WithoutNulls returns a Parquet file without the numbers of nulls in its columns, and
// without all statistics of the first one.
func WithoutNulls(text string) (string, error) {
	m, begin, err := footerOf(text)
	if err != nil {
		return "", err
	}
	for i := range m.RowGroups {
		for k := range m.RowGroups[i].Columns {
			s := &m.RowGroups[i].Columns[k].MetaData.Statistics
			s.V.NullCount.Reset()
			s.Valid = k > 0
		}
	}
	var out bytes.Buffer
	out.WriteString(text[:begin])
	if err := encodeThrift(&out, m); err != nil {
		return "", err
	}
	tail := binary.LittleEndian.AppendUint32(nil, uint32(out.Len()-begin))
	return out.String() + string(tail) + parquetMagic, nil
}

func footerOf(text string) (m *footer, begin int, err error) {
	f, err := parquet.OpenFile(strings.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, 0, err
	}
	m, err = readFooter(f)
	return m, len(text) - footerTail - int(binary.LittleEndian.Uint32([]byte(text[len(text)-footerTail:]))), err
}

// StatisticsOf returns the statistics of the columns of the first row group.
func StatisticsOf(text string) (all []string, err error) {
	m, _, err := footerOf(text)
	if err != nil {
		return nil, err
	}
	for i := range m.RowGroups[0].Columns {
		all = append(all, fmt.Sprint(m.RowGroups[0].Columns[i].MetaData.Statistics))
	}
	return all, nil
}
