package lookup

import "fmt"

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

// String returns "true", "false" or "unknown".
func (f Flag) String() string {
	switch f {
	case True:
		return "true"
	case False:
		return "false"
	default:
		return "unknown"
	}
}

// MarshalJSON returns true, false, or null when unknown.
func (f Flag) MarshalJSON() ([]byte, error) {
	switch f {
	case True:
		return []byte("true"), nil
	case False:
		return []byte("false"), nil
	default:
		return []byte("null"), nil
	}
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
