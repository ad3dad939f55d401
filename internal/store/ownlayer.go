package store

import "strings"

// ownPrefix begins the names of own layers, which cannot collide with others.
const ownPrefix = "layers."

// MaxOwnName is the maximum length of the name of an own layer. Numbers of names of twelve of 37
// letters are the longest that fit a signed integer of SQLite.
const MaxOwnName = 12

// ownLetters are the letters of such a name. The number of an own layer is its
// name, read as a number with these digits, the first of which counts 1. So a LayerID needs no
// list of names, and equal layers have equal numbers in every file, in whatever order they
// were added.
const ownLetters = "abcdefghijklmnopqrstuvwxyz0123456789_"

// OwnLayer returns the layer of a user with a name of at most [MaxOwnName] lower-case
// letters, digits and underscores.
func OwnLayer(name string) (id LayerID, ok bool) {
	if name == "" || len(name) > MaxOwnName {
		return 0, false
	}
	for i := range len(name) {
		digit := strings.IndexByte(ownLetters, name[i])
		if digit < 0 {
			return 0, false
		}
		id = id*LayerID(len(ownLetters)) + LayerID(digit+1)
	}
	return FirstOwnLayer + id, true
}

// IsOwnLayer reports whether the layer is one of a user.
func IsOwnLayer(id LayerID) bool { return id >= FirstOwnLayer }

// ownName returns the name of an own layer without prefix, "" for a number that
// is too large.
func (id LayerID) ownName() string {
	var b [MaxOwnName]byte
	at, n := len(b), id-FirstOwnLayer
	for ; n > 0 && at > 0; n = (n - 1) / LayerID(len(ownLetters)) {
		at--
		b[at] = ownLetters[(n-1)%LayerID(len(ownLetters))]
	}
	if n > 0 {
		return ""
	}
	return string(b[at:])
}

// LayerFlag returns the name of the layer that a flag such as layers.clinics selects.
// Layers of the catalog without a family, such as urban_area, need no prefix. It returns
// false for other flags.
func LayerFlag(flag string) (name string, ok bool) {
	name, prefixed := strings.CutPrefix(flag, "layers.")
	if prefixed {
		if _, ok = OwnLayer(name); ok {
			return name, true
		}
	}
	id, ok := ParseLayerName(name)
	if !ok || !IsNamedLayer(id) {
		return name, false
	}
	return id.String(), true
}

// NamedLayers returns the names of the layers of the catalog that records have by their
// names, as they have those of users.
func NamedLayers() (names []string) {
	for _, f := range factsOfLayers {
		if f.named {
			names = append(names, f.name)
		}
	}
	return names
}
