package storewrite

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// EntityNames are the keys of an entity. They have the form that package
// namekey gives them: words separated by single spaces.
type EntityNames struct {
	Own    []string // of the name itself, in all its spellings; each can be found from a later word on
	Joined []string // of the name itself written as one word
	Other  []string // of other names
}

// An entity is the part of an entity that its keys need.
type entity struct {
	prominence uint16
	names      EntityNames
}

// AddEntity adds an entity with its names. Entities come in the order of their
// kinds; [store.Entity.Twin] refers to the number of any other, which counts from 0
// in the order of adding.
func (w *Writer) AddEntity(e store.Entity, names EntityNames) error {
	n := len(w.entities)
	w.entities = append(w.entities, entity{e.Prominence, names})
	err := w.insert("place_name", n, &e)
	for _, z := range e.ZIPs {
		err = cmp.Or(err, w.insert("place_zip", n, z))
	}
	return err
}

// writeKeys writes the keys of the entities, if there are any.
func (w *Writer) writeKeys() error {
	if len(w.entities) == 0 {
		return nil
	}
	k := newKeyTable(w.entities)
	if err := w.insert("search_index", "place_keys", k.text); err != nil {
		return err
	}
	for _, x := range []struct {
		name string
		keys []keyRef
	}{{"starts", k.starts}, {"inner", k.inner}, {"joined", k.joined}} {
		rows := make([]store.EntityKey, len(x.keys))
		for i, r := range x.keys {
			rows[i] = store.EntityKey{Offset: r.at, Entity: bits.RotateLeft32(r.entity, 1)}
		}
		if err := w.insert("search_index", "place_keys."+x.name, file.EncodeRows(rows)); err != nil {
			return err
		}
	}
	return nil
}

// keyTable is the text of keys with the references to it.
type keyTable struct {
	text          []byte
	starts, inner []keyRef
	joined        []keyRef
}

type keyRef struct {
	key        string
	at         uint32
	entity     uint32
	prominence uint16
}

// newKeyTable collects the keys of all entities. A key that begins at a later
// word is the end of another key and shares its text: "beach" of "long beach" is an offset
// into it. That works because keys end at a line feed and not at a length.
func newKeyTable(entities []entity) *keyTable {
	t := &keyTable{}
	var starts, joined []keyRef
	for i, e := range entities {
		n, number, prominence := e.names, uint32(i), e.prominence
		seen := map[string]bool{}
		add := func(to *[]keyRef, entity uint32, keys []string) {
			for _, k := range keys {
				if !seen[k] {
					seen[k] = true
					*to = append(*to, keyRef{key: k, entity: entity, prominence: prominence})
				}
			}
		}
		add(&starts, number, n.Own)
		add(&starts, number|store.AliasKey, n.Other)
		add(&joined, number, n.Joined)
	}
	sortKeys(starts)
	sortKeys(joined)
	t.place(starts)
	t.place(joined)
	for _, k := range starts {
		if k.entity&store.AliasKey != 0 {
			continue
		}
		for i := range k.key {
			if k.key[i] == ' ' {
				k := k
				k.key, k.at = k.key[i+1:], k.at+uint32(i)+1
				t.inner = append(t.inner, k)
			}
		}
	}
	t.starts, t.joined = starts, joined
	sortKeys(t.inner)
	return t
}

// place appends the text of sorted keys, of equal ones once.
func (t *keyTable) place(keys []keyRef) {
	for i := range keys {
		if i > 0 && keys[i].key == keys[i-1].key {
			keys[i].at = keys[i-1].at
			continue
		}
		keys[i].at = uint32(len(t.text))
		t.text = append(append(t.text, keys[i].key...), '\n')
	}
}

func sortKeys(keys []keyRef) {
	slices.SortFunc(keys, func(a, b keyRef) int {
		return cmp.Or(
			strings.Compare(a.key, b.key),
			cmp.Compare(a.entity&store.AliasKey, b.entity&store.AliasKey),
			cmp.Compare(b.prominence, a.prominence),
			cmp.Compare(a.entity, b.entity),
			cmp.Compare(a.at, b.at),
		)
	})
}

// AddPostalAreas adds the areas of a full postal code, each code once, after their
// layers, in ascending order; dissemination areas and blocks need none. It ignores Area.
func (w *Writer) AddPostalAreas(p postcode.PostalCode, areas []store.PostalArea) error {
	var place censusPlace
	for _, a := range areas {
		switch l := w.layer(a.Layer); {
		case a.Layer == store.LayerDisseminationArea || a.Layer == store.LayerDisseminationBlock:
			if !strings.HasPrefix(a.GEOID, place.Dissemination) || a.Layer == store.LayerDisseminationArea && len(a.GEOID) != store.DisseminationAreaDigits {
				return file.Invalid("areas of %s: the dissemination area %q and the block %q", p, place.Dissemination, a.GEOID)
			}
			place.Dissemination = a.GEOID
		case l == nil || l.find(a.GEOID) < 0 || a.Layer.Country() != store.CA:
			return file.Invalid("areas of %s: the layer %q has no area %q", p, a.Layer, a.GEOID)
		default:
			place.areas = append(place.areas, l.first+int64(l.find(a.GEOID)))
		}
	}
	slices.Sort(place.areas)
	w.census[p] = place
	return w.usable()
}

// A censusAreas has the census areas of a full postal code.
type censusAreas struct {
	Dissemination string // block, else area
	Place         int64  `sql:"omitzero"` // number of its other areas; 0 none
}

// A censusPlace is a place whose areas have no number yet.
type censusPlace struct {
	censusAreas
	areas []int64
}

// writePostalCodes numbers the different areas of postal codes and writes both. Codes
// near each other often lie in the same areas, whose rows are then there once. Places are
// numbered in the order of their areas, which does not depend on the order of adding.
func (w *Writer) writePostalCodes() error {
	order := slices.SortedFunc(maps.Keys(w.census), func(p, q postcode.PostalCode) int {
		return cmp.Or(slices.Compare(w.census[p].areas, w.census[q].areas), cmp.Compare(p, q))
	})
	last, n := []int64(nil), int64(0)
	for _, p := range order {
		place := w.census[p]
		if len(place.areas) == 0 {
			continue
		}
		if !slices.Equal(place.areas, last) {
			n, last = n+1, place.areas
			for _, area := range place.areas {
				if err := w.insert("census_area", n, area); err != nil {
					return err
				}
			}
		}
		place.Place = n
		w.census[p] = place
	}
	for i := range w.postal {
		of := w.census[w.postal[i].Code].censusAreas
		if err := w.insert("postal_code", &w.postal[i], &of); err != nil {
			return err
		}
	}
	return nil
}
