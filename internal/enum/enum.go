// Package enum names the values of enumerations.
package enum

import "fmt"

// Names are the names of an enumeration, by value.
type Names[T ~uint8] []string

// Of returns the name of a value, or "" for a value without one.
func (n Names[T]) Of(v T) string {
	if int(v) < len(n) {
		return n[v]
	}
	return ""
}

// Shown is like [Names.Of], and shows a value beyond the last as a number:
// "Kind(7)".
func (n Names[T]) Shown(kind string, v T) string {
	if int(v) < len(n) {
		return n[v]
	}
	return fmt.Sprintf("%s(%d)", kind, v)
}

// Find returns the value with a name, which must not be "".
func (n Names[T]) Find(name string) (v T, ok bool) {
	for i, s := range n {
		if s == name && s != "" {
			return T(i), true
		}
	}
	return 0, false
}
