package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/encode"
)

// kept are members that every result has, regardless of the choice.
var kept = []string{"success", "input", "error", "notices", "total", "next_offset"}

// choose returns the members of a JSON document at some paths. It refuses a path whose
// first member the document does not have.
func choose(document []byte, paths []string) ([]byte, error) {
	if len(paths) == 0 {
		return document, nil
	}
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber() // numbers keep their digits
	var all map[string]any
	if err := d.Decode(&all); err != nil {
		return nil, err
	}
	for _, path := range paths {
		if name, _, _ := strings.Cut(path, "."); all[name] == nil {
			return nil, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: fmt.Sprintf("Parameter 'only' names %q, which the result does not have; it has %s.", clip(name), strings.Join(slices.Sorted(maps.Keys(all)), ", "))}
		}
	}
	return encode.Marshal(part(all, append(slices.Clone(kept), paths...)))
}

// part returns the members of a value at some paths, through lists.
func part(value any, paths []string) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = part(value[i], paths)
		}
	case map[string]any:
		for name := range value {
			var below []string
			whole := false
			for _, path := range paths {
				first, rest, more := strings.Cut(path, ".")
				whole = whole || first == name && !more
				if first == name && more {
					below = append(below, rest)
				}
			}
			switch {
			case !whole && below == nil:
				delete(value, name)
			case !whole:
				value[name] = part(value[name], below)
			}
		}
	}
	return value
}

// clip shortens a caller's text for a message.
func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), 40)], "") }
