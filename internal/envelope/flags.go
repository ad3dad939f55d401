package envelope

import "strings"

// Flags are the normalized enrichment flags of a request. Nil is written as the
// empty list.
type Flags []string

// ParseFlags parses the values of the parameter include. Each value may have
// several flags, separated by commas. Flags are trimmed and put into lower case,
// with underscores for hyphens. Empty and repeated flags are dropped.
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
