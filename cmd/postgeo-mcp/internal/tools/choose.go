package tools

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/postgeo/postgeo/internal/envelope"
)

// kept are members that every result has, regardless of the choice.
var kept = []string{"success", "input", "error", "notices", "batch", "total", "next_offset"}

// of returns the chosen members of a JSON document in their order.
func (c chosen) of(document []byte) ([]byte, error) {
	if len(c) == 0 {
		return document, nil
	}
	return c.append(make([]byte, 0, len(document)/2), document)
}

func (c chosen) append(dst, value []byte) ([]byte, error) {
	if len(c) == 0 || value[0] != '{' && value[0] != '[' {
		return append(dst, value...), nil
	}
	d := json.NewDecoder(bytes.NewReader(value))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	object := value[0] == '{'
	dst = append(dst, value[0])
	for first := true; d.More(); {
		of, wanted := c, true
		var name string
		if object {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name = key.(string)
			if of, wanted = c[name]; !wanted {
				wanted = slices.Contains(kept, name)
			}
		}
		var part json.RawMessage
		if err := d.Decode(&part); err != nil {
			return nil, err
		}
		if !wanted {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if object {
			dst = append(envelope.AppendString(dst, name), ':')
		}
		var err error
		if dst, err = of.append(dst, part); err != nil {
			return nil, err
		}
	}
	return append(dst, value[0]+2), nil // of the same kind: ] and } stand two after [ and {
}
