package lookup

import (
	"fmt"

	"github.com/postgeo/postgeo/internal/enum"
)

// A Flag is a boolean that may be unknown. Its zero value is unknown and
// left out of JSON.
type Flag uint8

// The known values of a Flag.
const (
	False Flag = iota + 1
	True
)

// flagOf returns True or False.
func flagOf(b bool) Flag {
	if b {
		return True
	}
	return False
}

// Known reports whether the flag is True or False.
func (f Flag) Known() bool { return f == True || f == False }

// Bool reports whether the flag is True; unknown counts as false.
func (f Flag) Bool() bool { return f == True }

var flagNames = enum.Names[Flag]{True: "true", False: "false"}

// String returns "true", "false" or "".
func (f Flag) String() string { return flagNames.Of(f) }

// MarshalJSON returns true, false, or null when unknown.
func (f Flag) MarshalJSON() ([]byte, error) {
	if f.Known() {
		return []byte(f.String()), nil
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads true, false or null.
func (f *Flag) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true":
		*f = True
	case "false":
		*f = False
	case "null":
		*f = 0
	default:
		return fmt.Errorf("lookup: %s is not true, false or null", data)
	}
	return nil
}
