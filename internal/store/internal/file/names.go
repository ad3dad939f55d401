package file

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// A NameID is a position in the table of names; 0 is the empty string.
type NameID uint32

// NameTable holds every distinct text of the resident tables in one string;
// name i is text[offsets[i]:offsets[i+1]]. Names ascend, the empty one first.
type NameTable struct {
	text    string
	offsets []uint32
}

// Len returns the number of names.
func (t *NameTable) Len() int { return len(t.offsets) - 1 }

// At returns the name at the position.
func (t *NameTable) At(i NameID) string { return t.text[t.offsets[i]:t.offsets[i+1]] }

// Check returns an error for a position outside the table.
func (t *NameTable) Check(i NameID) error {
	if uint64(i) >= uint64(t.Len()) { // an int of 32 bits may not hold it
		return fmt.Errorf("it refers to name %d, the table has %d", i, t.Len())
	}
	return nil
}

// NameWriter gives preliminary numbers to names while rows arrive; the final
// numbers, in the order of the text, are known to ids after sort.
type NameWriter struct {
	IDs   map[string]NameID
	bytes uint64
}

// Add notes a name that a row will refer to.
func (w *NameWriter) Add(names ...string) error {
	for _, s := range names {
		if _, ok := w.IDs[s]; ok {
			continue
		}
		if !utf8.ValidString(s) {
			return fmt.Errorf("the name %q is not UTF-8", s)
		}
		if w.bytes += uint64(len(s)); w.bytes > math.MaxUint32 {
			return fmt.Errorf("the names have more than %d bytes in all", uint32(math.MaxUint32))
		}
		s = strings.Clone(s)
		w.IDs[s] = 0
	}
	return nil
}

// sort gives every name its final number and returns them in order.
func (w *NameWriter) sort() []string {
	w.IDs[""] = 0
	names := slices.Sorted(maps.Keys(w.IDs))
	for i, s := range names {
		w.IDs[s] = NameID(i)
	}
	return names
}

var namesTable = ResidentTable[*File, *Writer]{
	Name: "names",
	Encode: func(w *Writer, c *Columns) error {
		w.Names.Encode(c, "names")
		return nil
	},
	Decode: func(d *File, c *Columns) (err error) {
		d.Names, err = DecodeNames(c, "names")
		return err
	},
}

// Encode gives the names their numbers and adds the two columns of a table.
func (w *NameWriter) Encode(c *Columns, table string) {
	names := w.sort()
	lengths, text := Encoder{}, []byte(nil)
	for _, s := range names {
		lengths.Uint(uint64(len(s)))
		text = append(text, s...)
	}
	c.Add(Column{Name: table + ".lengths", Rows: len(names), Data: lengths.B})
	c.Add(Column{Name: table + ".text", Width: 1, Rows: len(text), Data: text})
}

// DecodeNames reads the two columns of a table of names.
func DecodeNames(c *Columns, table string) (NameTable, error) {
	lengths, err := c.Take(table+".lengths", 0)
	if err != nil {
		return NameTable{}, err
	}
	text, err := c.Take(table+".text", 1)
	if err != nil {
		return NameTable{}, err
	}
	return decodeNames(lengths, text)
}

func decodeNames(lengths, text Column) (NameTable, error) {
	if lengths.Rows > len(lengths.Data) {
		return NameTable{}, fmt.Errorf("names: %w", ErrShort)
	}
	if uint64(len(text.Data)) > math.MaxUint32 {
		return NameTable{}, fmt.Errorf("names: the text has %d bytes, expected at most %d", len(text.Data), uint32(math.MaxUint32))
	}
	t := NameTable{text: unsafe.String(unsafe.SliceData(text.Data), len(text.Data)), offsets: make([]uint32, 1, lengths.Rows+1)} // the column is not changed any more
	valid := utf8.Valid(text.Data)
	data, end := lengths.Data, uint64(0)
	for i := range lengths.Rows {
		n, k := binary.Uvarint(data)
		if k <= 0 || n > uint64(len(t.text))-end {
			return NameTable{}, fmt.Errorf("name %d: its length is malformed or reaches behind the text", i)
		}
		data, end = data[k:], end+n
		t.offsets = append(t.offsets, uint32(end))
	}
	switch {
	case len(data) > 0:
		return NameTable{}, fmt.Errorf("names: %w", ErrTrailing)
	case end != uint64(len(t.text)):
		return NameTable{}, fmt.Errorf("names: the text has %d bytes, the lengths add up to %d", len(t.text), end)
	case t.Len() == 0 || t.At(0) != "":
		return NameTable{}, fmt.Errorf("names: the first is not the empty one")
	}
	for i := 1; i < t.Len(); i++ {
		a, b := t.At(NameID(i-1)), t.At(NameID(i))
		if a >= b {
			return NameTable{}, fmt.Errorf("name %d: %q does not come after %q", i, b, a)
		}
		if !valid || !utf8.RuneStart(b[0]) {
			return NameTable{}, fmt.Errorf("name %d: %w", i, ErrText)
		}
	}
	return t, nil
}
