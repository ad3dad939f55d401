package codes

import "github.com/postgeo/postgeo/internal/enum"

// A Tri is the answer to a question that a dataset may not be able to answer.
type Tri uint8

// The answers. Unknown differs from No: the sources do not contain the answer.
const (
	Unknown Tri = iota
	No
	Yes
)

// Known reports whether the answer is Yes or No.
func (t Tri) Known() bool { return t == No || t == Yes }

var triNames = enum.Names[Tri]{Unknown: "unknown", No: "no", Yes: "yes"}

// String returns "unknown", "no" or "yes"; "" for any other value.
func (t Tri) String() string { return triNames.Of(t) }
