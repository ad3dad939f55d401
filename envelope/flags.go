package envelope

import "strings"

// Flags are the normalised enrichment flags of a request. Nil is written as
// the empty list.
type Flags []string

// ParseFlags reads enrichment flags as the parameter include gives them. Each
// value may hold several flags divided by commas; flags are trimmed, put into
// lower case, their hyphens turned into underscores, and repetitions and
// blanks left out. The order is that of the first appearance.
func ParseFlags(values ...string) Flags {
	var out Flags
	seen := map[string]bool{}
	for _, v := range values {
		for f := range strings.SplitSeq(v, ",") {
			f = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(f)), "-", "_")
			if f == "" || seen[f] {
				continue
			}
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}

// MarshalJSON writes a list, never null.
func (f Flags) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil) }

// AppendJSON implements [Appender].
func (f Flags) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, '[')
	for i, s := range f {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']'), nil
}
