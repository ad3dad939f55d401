package store

import (
	"errors"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

var errKeyOrder = errors.New("its keys are not in order")

// keyEscape marks a key whose lengths do not fit into four bits each.
const keyEscape = 15

// encodeStreetKeys stores the keys of a ZIP's streets in ascending order. For
// each key it writes the length that it shares with the one before, the length
// of the rest, and the rest.
func encodeStreetKeys(sorted []streetEntry) []byte {
	var keys []string
	for i := range sorted {
		if i == 0 || sorted[i].key != sorted[i-1].key {
			keys = append(keys, sorted[i].key)
		}
	}
	slices.Sort(keys)
	var e file.Encoder
	e.Uint(uint64(len(keys)))
	last := ""
	for _, k := range keys {
		n := 0
		for n < min(len(k), len(last)) && k[n] == last[n] {
			n++
		}
		if n < keyEscape && len(k)-n < 1<<4 {
			e.Byte(byte(n<<4 | (len(k) - n)))
		} else {
			e.Byte(keyEscape << 4)
			e.Uint(uint64(n))
			e.Uint(uint64(len(k) - n))
		}
		e.B = append(e.B, k[n:]...)
		last = k
	}
	return e.B
}

// decodeStreetKeys returns the keys of a row; they share one text.
func decodeStreetKeys(payload []byte) ([]string, error) {
	d := file.Decoder{B: payload}
	n := d.Count()
	ends := make([]int, 0, n)
	var text []byte
	start, most := 0, 64*len(payload)
	for i := 0; i < n && d.Err == nil; i++ {
		lengths := d.Byte()
		shared, size := uint64(lengths>>4), uint64(lengths&15)
		if shared == keyEscape {
			shared, size = d.Uint(), d.Uint()
		}
		if shared > uint64(len(text)-start) {
			d.Fail(file.ErrRange)
			break
		}
		rest := d.Take(size)
		from := len(text)
		text = append(text, text[start:start+int(shared)]...)
		text = append(text, rest...)
		if i > 0 && string(text[from:]) <= string(text[start:from]) {
			d.Fail(errKeyOrder)
		}
		start = from
		ends = append(ends, len(text))
		if len(text) > most {
			d.Fail(file.ErrRange)
		}
	}
	if err := d.End(); err != nil {
		return nil, err
	}
	keys, all, from := make([]string, len(ends)), string(text), 0
	for i, end := range ends {
		keys[i], from = all[from:end], end
	}
	return keys, nil
}

var streetKeyRows = &file.RowKind{Name: "street_key", Noun: func(id int64) string { return fmt.Sprintf("the list of the streets of ZIP %s", dataset.ZIP(id)) }}
