package table

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/enrich"
)

// MaxKeys is the maximum number of keys of a row.
const MaxKeys = 8

// Kinds returns the kinds of the further keys of rows, for the Kinds of
// [enrich.Options].
func (k *Keys) Kinds() []enrich.Kind {
	var kinds []enrich.Kind
	for i := range k.Next {
		if kind := k.Next[i].Kind; kind != k.Kind && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// len returns the number of keys of a row.
func (k *Keys) len() int { return 1 + len(k.Next) }

// at returns a key, from 0 in order of preference.
func (k *Keys) at(i int) *Keys {
	if i == 0 {
		return k
	}
	return &k.Next[i-1]
}

// labels names each key in the column of keys and in a [Summary] by its columns. The
// kind precedes the same columns of several keys.
func (k *Keys) labels() []enrich.Value {
	names := make(map[string]int)
	for i := range k.len() {
		names[strings.Join(k.at(i).Names, ",")]++
	}
	list := make([]enrich.Value, k.len())
	for i := range list {
		name := strings.Join(k.at(i).Names, ",")
		if names[name] > 1 {
			name = k.at(i).Kind.String() + "=" + name
		}
		list[i] = enrich.StringValue(name)
	}
	return list
}

// texts appends the keys of a row.
func (k *Keys) texts(dst []enrich.Key, d decoder) []enrich.Key {
	for i := range k.len() {
		one := k.at(i)
		dst = append(dst, enrich.Key{Kind: one.Kind, Text: one.text(d)})
	}
	return dst
}

// severalKeys finds the keys of rows in order of preference.
func severalKeys(header []string, n *Names, values func(column int) []string) (k Keys, err error) {
	if len(n.Keys) > 1 && !n.TryNext {
		return k, keyError("%d keys are named; name one, or try the next key of rows without a match (--try-next)", len(n.Keys))
	}
	if len(n.Keys) > MaxKeys {
		return k, keyError("%d keys are named; expected at most %d", len(n.Keys), MaxKeys)
	}
	for i, text := range n.Keys {
		one, err := keyOf(header, text, n.Exact, values)
		switch {
		case err != nil:
			return k, err
		case i == 0:
			k = one
		default:
			k.Next = append(k.Next, one)
		}
	}
	return k, nil
}

// keyOf finds the key in a text: KIND=COLUMN,COLUMN, a kind, or columns whose names
// define the kind.
func keyOf(header []string, text string, exact bool, values func(column int) []string) (Keys, error) {
	kind, names := splitKey(text)
	if kind == 0 && len(names) == 1 {
		if word, ok := enrich.ParseKind(names[0]); ok {
			if _, err := columnOf(header, names[0]); err != nil {
				return searchKeys(header, &Names{Prefer: word, Exact: exact}, values)
			}
		}
	}
	const point = 2 // columns
	like := func(name string, usual []string) bool { return slices.Contains(usual, letters(name)) }
	switch field, _ := fieldOf(names[0]); {
	case kind == enrich.Address, kind == 0 && field != "":
		return addressKeys(header, names)
	case kind == 0 && like(names[0], addressNames):
		k, err := addressKeys(header, names)
		if err == nil && len(names) == 1 {
			cols, _ := addressOf(header, partOf(k.Names[0]).group, false)
			cols[partStreet] = k.Columns[0] + 1
			k = addressKey(header, &cols)
		}
		return k, err
	case kind == enrich.Coordinates && len(names) != point, kind == enrich.Code && len(names) != 1:
		return Keys{}, keyError("the key %q has %d columns; expected a code, or a latitude and a longitude", text, len(names))
	case kind != 0:
		return namedKeys(header, kind, names...)
	case like(names[0], cityNames) && len(names) <= point:
		if state := firstOf(header, stateNames); len(names) == 1 && state >= 0 {
			names = append(names, header[state])
		}
		return namedKeys(header, enrich.City, names...)
	case len(names) == 1:
		return namedKeys(header, enrich.Code, names...)
	case len(names) == point && like(names[0], latNames) && like(names[1], lonNames):
		return namedKeys(header, enrich.Coordinates, names...)
	default:
		return Keys{}, keyError("the names of the key %q do not define its kind; write coordinates=, address= or city= before them", text)
	}
}

// splitKey returns the kind of a key, 0 if the text does not begin with one, and
// its columns.
func splitKey(text string) (kind enrich.Kind, names []string) {
	if word, rest, ok := strings.Cut(text, "="); ok {
		if k, ok := enrich.ParseKind(strings.TrimSpace(word)); ok {
			kind, text = k, rest
		}
	}
	for name := range strings.SplitSeq(text, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return kind, names
}

// keyColumns returns the columns that the text of a key names.
func keyColumns(text string) []string {
	kind, names := splitKey(text)
	if _, word := enrich.ParseKind(names[0]); word && kind == 0 && len(names) == 1 {
		return nil
	}
	return names
}
