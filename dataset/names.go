package dataset

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

// A nameID is a position in the table of names; 0 is the empty string.
type nameID uint32

// nameTable holds every distinct text of the resident tables in one string;
// name i is text[offsets[i]:offsets[i+1]]. Names ascend, the empty one first.
type nameTable struct {
	text    string
	offsets []uint32
}

func (t *nameTable) len() int { return len(t.offsets) - 1 }

func (t *nameTable) at(i nameID) string { return t.text[t.offsets[i]:t.offsets[i+1]] }

func (t *nameTable) check(i nameID) error {
	if uint64(i) >= uint64(t.len()) { // an int of 32 bits may not hold it
		return fmt.Errorf("it refers to name %d, the table has %d", i, t.len())
	}
	return nil
}

// nameWriter gives preliminary numbers to names while rows arrive; the final
// numbers, in the order of the text, are known to ids after sort.
type nameWriter struct {
	ids   map[string]nameID
	bytes uint64
}

// add notes a name that a row will refer to.
func (w *nameWriter) add(names ...string) error {
	for _, s := range names {
		if _, ok := w.ids[s]; ok {
			continue
		}
		if !utf8.ValidString(s) {
			return fmt.Errorf("the name %q is not UTF-8", s)
		}
		if w.bytes += uint64(len(s)); w.bytes > math.MaxUint32 {
			return fmt.Errorf("the names have more than %d bytes in all", uint32(math.MaxUint32))
		}
		s = strings.Clone(s)
		w.ids[s] = 0
	}
	return nil
}

// sort gives every name its final number and returns them in order.
func (w *nameWriter) sort() []string {
	w.ids[""] = 0
	names := slices.Sorted(maps.Keys(w.ids))
	for i, s := range names {
		w.ids[s] = nameID(i)
	}
	return names
}

var namesTable = table[*file, *writer]{
	name: "names",
	encode: func(w *writer, c *columnSet) error {
		names := w.names.sort()
		lengths, text := encoder{}, []byte(nil)
		for _, s := range names {
			lengths.uint(uint64(len(s)))
			text = append(text, s...)
		}
		c.add(column{name: "names.lengths", rows: len(names), data: lengths.b})
		c.add(column{name: "names.text", width: 1, rows: len(text), data: text})
		return nil
	},
	decode: func(d *file, c *columnSet) error {
		lengths, err := c.take("names.lengths", 0)
		if err != nil {
			return err
		}
		text, err := c.take("names.text", 1)
		if err != nil {
			return err
		}
		d.names, err = decodeNames(lengths, text)
		return err
	},
}

func decodeNames(lengths, text column) (nameTable, error) {
	if lengths.rows > len(lengths.data) {
		return nameTable{}, fmt.Errorf("names: %w", errShort)
	}
	if uint64(len(text.data)) > math.MaxUint32 {
		return nameTable{}, fmt.Errorf("names: the text has %d bytes, expected at most %d", len(text.data), uint32(math.MaxUint32))
	}
	t := nameTable{text: unsafe.String(unsafe.SliceData(text.data), len(text.data)), offsets: make([]uint32, 1, lengths.rows+1)} // the column is not changed any more
	valid := utf8.Valid(text.data)
	data, end := lengths.data, uint64(0)
	for i := range lengths.rows {
		n, k := binary.Uvarint(data)
		if k <= 0 || n > uint64(len(t.text))-end {
			return nameTable{}, fmt.Errorf("name %d: its length is malformed or reaches behind the text", i)
		}
		data, end = data[k:], end+n
		t.offsets = append(t.offsets, uint32(end))
	}
	switch {
	case len(data) > 0:
		return nameTable{}, fmt.Errorf("names: %w", errTrailing)
	case end != uint64(len(t.text)):
		return nameTable{}, fmt.Errorf("names: the text has %d bytes, the lengths add up to %d", len(t.text), end)
	case t.len() == 0 || t.at(0) != "":
		return nameTable{}, fmt.Errorf("names: the first is not the empty one")
	}
	for i := 1; i < t.len(); i++ {
		a, b := t.at(nameID(i-1)), t.at(nameID(i))
		if a >= b {
			return nameTable{}, fmt.Errorf("name %d: %q does not come after %q", i, b, a)
		}
		if !valid || !utf8.RuneStart(b[0]) {
			return nameTable{}, fmt.Errorf("name %d: %w", i, errText)
		}
	}
	return t, nil
}
