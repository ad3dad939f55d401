package dataset

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

var errKeyOrder = errors.New("its keys are not in order")

// keyEscape says that the lengths of a key do not fit into four bits each.
const keyEscape = 15

// encodeStreetKeys stores the keys of a ZIP's streets in ascending order, each
// as how much it shares with the one before, the length of the rest, and that.
func encodeStreetKeys(sorted []streetEntry) []byte {
	var keys []string
	for i := range sorted {
		if i == 0 || sorted[i].key != sorted[i-1].key {
			keys = append(keys, sorted[i].key)
		}
	}
	slices.Sort(keys)
	var e encoder
	e.uint(uint64(len(keys)))
	last := ""
	for _, k := range keys {
		n := 0
		for n < min(len(k), len(last)) && k[n] == last[n] {
			n++
		}
		if n < keyEscape && len(k)-n < 1<<4 {
			e.byte(byte(n<<4 | (len(k) - n)))
		} else {
			e.byte(keyEscape << 4)
			e.uint(uint64(n))
			e.uint(uint64(len(k) - n))
		}
		e.b = append(e.b, k[n:]...)
		last = k
	}
	return e.b
}

// decodeStreetKeys returns the keys of a row; they share one text.
func decodeStreetKeys(payload []byte) ([]string, error) {
	d := decoder{b: payload}
	n := d.count()
	ends := make([]int, 0, n)
	var text []byte
	start, most := 0, 64*len(payload)
	for i := 0; i < n && d.err == nil; i++ {
		lengths := d.byte()
		shared, size := uint64(lengths>>4), uint64(lengths&15)
		if shared == keyEscape {
			shared, size = d.uint(), d.uint()
		}
		if shared > uint64(len(text)-start) {
			d.fail(errRange)
			break
		}
		rest := d.take(size)
		from := len(text)
		text = append(text, text[start:start+int(shared)]...)
		text = append(text, rest...)
		if i > 0 && string(text[from:]) <= string(text[start:from]) {
			d.fail(errKeyOrder)
		}
		start = from
		ends = append(ends, len(text))
		if len(text) > most {
			d.fail(errRange)
		}
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	keys, all, from := make([]string, len(ends)), string(text), 0
	for i, end := range ends {
		keys[i], from = all[from:end], end
	}
	return keys, nil
}

var streetKeyRows = &rowKind{name: "street_key", noun: func(id int64) string { return fmt.Sprintf("the list of the streets of ZIP %s", ZIP(id)) }}

var streetKeyTable = rowTable[*streetsReader]{
	rowKind: streetKeyRows,
	ids: func(d *streetsReader) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for _, z := range d.streetSet.all() {
				if !yield(int64(z)) {
					return
				}
			}
		}
	},
	check: func(_ *streetsReader, _ int64, payload []byte) error {
		_, err := decodeStreetKeys(payload)
		return err
	},
}
