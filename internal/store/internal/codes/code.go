package codes

import "github.com/postgeo/postgeo/internal/enum"

// A Tri is a truth value that can be unknown.
type Tri uint8

// The values of a Tri. Unknown differs from No: the sources do not contain the
// fact.
const (
	Unknown Tri = iota
	No
	Yes
)

// Known reports whether the value is Yes or No.
func (t Tri) Known() bool { return t == No || t == Yes }

var triNames = enum.Names[Tri]{Unknown: "unknown", No: "no", Yes: "yes"}

// String returns "unknown", "no" or "yes"; "" for any other value.
func (t Tri) String() string { return triNames.Of(t) }
