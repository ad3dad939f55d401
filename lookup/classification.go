package lookup

import (
	"fmt"

	"github.com/postgeo/postgeo/internal/store"
)

// A Classification is the class of a ZIP as the contract's letter: G, P, M or
// U. Its zero value is none, and left out of JSON.
type Classification store.Class

// The classifications of the contract.
const (
	General  = Classification(store.General)
	POBox    = Classification(store.POBox) // boxes only, a point
	Military = Classification(store.Military)
	Unique   = Classification(store.Unique) // one organization, a point
)

// Name returns the same class in words.
func (c Classification) Name() ClassificationName { return ClassificationName(c) }

// String returns the letter; "" for none.
func (c Classification) String() string {
	switch c {
	case General:
		return "G"
	case POBox:
		return "P"
	case Military:
		return "M"
	case Unique:
		return "U"
	default:
		return ""
	}
}

// MarshalText returns the letter; nothing for none.
func (c Classification) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a letter, or nothing.
func (c *Classification) UnmarshalText(text []byte) error {
	for _, known := range classifications {
		if known.String() == string(text) {
			*c = known
			return nil
		}
	}
	return fmt.Errorf("lookup: the classification %q is not G, P, M or U", text)
}

// A ClassificationName is the class of a ZIP in the contract's words: General,
// PO Box, Military or Unique. Its zero value is none, and left out of JSON.
type ClassificationName store.Class

// String returns the words; "" for none.
func (n ClassificationName) String() string { return store.Class(n).Name() }

// MarshalText returns the words; nothing for none.
func (n ClassificationName) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads the words, or nothing.
func (n *ClassificationName) UnmarshalText(text []byte) error {
	for _, known := range classifications {
		if known.Name().String() == string(text) {
			*n = known.Name()
			return nil
		}
	}
	return fmt.Errorf("lookup: the name of a classification %q is not General, PO Box, Military or Unique", text)
}

// classifications are all values of both types.
var classifications = [...]Classification{0, General, POBox, Military, Unique}
