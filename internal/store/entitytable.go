package store

import (
	"cmp"
	"database/sql/driver"
	"math/bits"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// EntityNames are the keys of an entity. They have the form that package
// namekey gives them: words separated by single spaces.
type EntityNames struct {
	Own    []string // of the name itself, in all its spellings; each can be found from a later word on
	Joined []string // of the name itself written as one word
	Other  []string // of other names
}

// AddEntity adds an entity with its names. Entities come in the order of their
// kinds; [Entity.Twin] refers to the number of any other, which counts from 0
// in the order of adding.
func (w *Writer) AddEntity(e Entity, names EntityNames) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	n := len(w.entities)
	if n > 0 && e.Kind < w.entities[n-1].Kind {
		return file.Invalid("%s %s after %s; expected the order of kinds", e.Kind, e.Name, w.entities[n-1].Kind)
	}
	for _, k := range slices.Concat(names.Own, names.Joined, names.Other) {
		if k == "" || strings.Contains(k, "\n") {
			return file.Invalid("%s %s: key %q; expected one line", e.Kind, e.Name, k)
		}
	}
	w.entities = append(w.entities, e)
	w.entityNames = append(w.entityNames, names)
	return nil
}

// writePlaces writes the entities.
func (w *Writer) writePlaces() error {
	for i := range w.entities {
		e := &w.entities[i]
		v := file.Values([]driver.Value{int64(i)}, e)
		if v[1] = e.Kind.String(); e.Population < 0 {
			v[6] = nil
		}
		if e.Twin < 0 {
			v[8] = nil
		}
		if err := w.insert("place_name", v, reference{3, "state"}, reference{4, "county"}); err != nil {
			return err
		}
		for _, z := range e.ZIPs {
			if err := w.out.Insert("place_zip", int64(i), z.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *Dataset) entitiesPart() file.Part {
	return file.Part{
		Section: SectionEntities,
		Queries: []file.Query{
			{Name: "place_name", SQL: `SELECT CASE kind WHEN 'state' THEN 1 WHEN 'place' THEN 2 WHEN 'uspscity' THEN 3 WHEN 'county' THEN 4 WHEN 'cbsa' THEN 5 ELSE 6 END,
				p.name, s.id, c.id, ref, coalesce(population, -1), prominence, coalesce(twin, -1), lat, lng, south, west, north, east
				FROM place_name p LEFT JOIN state s ON s.state = p.state LEFT JOIN county c ON c.county = p.county ORDER BY p.id`},
			{Name: "place_zip", SQL: "SELECT place, CAST(zip AS INTEGER) FROM place_zip ORDER BY place, zip"},
		},
		Load: d.loadEntities,
	}
}

func (d *Dataset) loadEntities(m *file.Connection) error {
	rows, err := file.Rows[Entity](m, "place_name")
	if err != nil {
		return err
	}
	places, err := file.Rows[struct {
		Place int
		ZIP   postcode.ZIP
	}](m, "place_zip")
	if err != nil || len(rows) == 0 {
		return err
	}
	zips := make([]postcode.ZIP, len(places))
	for i, from := 0, 0; i < len(places); i++ {
		zips[i] = places[i].ZIP
		if i+1 == len(places) || places[i+1].Place != places[i].Place {
			rows[places[i].Place].ZIPs, from = zips[from:i+1:i+1], i+1
		}
	}
	for i := range rows {
		if rows[i].Twin >= len(rows) {
			return file.ErrRange
		}
	}
	t := &Entities{rows: rows}
	d.entities = t
	text, err := m.Blob("search_index", "place_keys")
	if err != nil {
		return err
	}
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return file.ErrRange
	}
	t.Text = string(text)
	for list, into := range map[string]*EntityKeys{"starts": &t.Starts, "inner": &t.Inner, "joined": &t.Joined} {
		if err := t.keys(m, list, into); err != nil {
			return err
		}
	}
	return nil
}

// A keyAt is a key in the text of an entity. The bit of [AliasKey] is the lowest.
type keyAt struct{ Offset, Entity uint32 }

// keys reads a list of keys.
func (t *Entities) keys(m *file.Connection, list string, into *EntityKeys) error {
	data, err := m.Blob("search_index", "place_keys."+list)
	if err != nil {
		return err
	}
	rows, err := file.DecodeRows[keyAt](data)
	*into = EntityKeys{Offset: make([]uint32, len(rows)), Entity: make([]uint32, len(rows))}
	for i, r := range rows {
		into.Offset[i], into.Entity[i] = r.Offset, bits.RotateLeft32(r.Entity, -1)
		if int64(r.Offset) >= int64(len(t.Text)) || int64(into.Entity[i]&^AliasKey) >= int64(len(t.rows)) {
			return file.ErrRange
		}
	}
	return err
}

// writeKeys writes the keys of the entities, if there are any.
func (w *Writer) writeKeys() error {
	if len(w.entities) == 0 {
		return nil
	}
	k := newKeyTable(w)
	if err := w.out.Insert("search_index", "place_keys", k.text); err != nil {
		return err
	}
	for _, x := range []struct {
		name string
		keys []keyRef
	}{{"starts", k.starts}, {"inner", k.inner}, {"joined", k.joined}} {
		rows := make([]keyAt, len(x.keys))
		for i, r := range x.keys {
			rows[i] = keyAt{r.at, bits.RotateLeft32(r.entity, 1)}
		}
		if err := w.out.Insert("search_index", "place_keys."+x.name, file.EncodeRows(rows)); err != nil {
			return err
		}
	}
	return nil
}

// Key returns the key at an offset of the text.
func (t *Entities) Key(offset uint32) string {
	rest := t.Text[offset:]
	return rest[:strings.IndexByte(rest, '\n')]
}

// keyTable is the text of keys and what refers to it.
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
// word is the end of another key and shares its text.
func newKeyTable(w *Writer) *keyTable {
	t := &keyTable{}
	var starts, joined []keyRef
	for i, n := range w.entityNames {
		entity, prominence := uint32(i), w.entities[i].Prominence
		seen := map[string]bool{}
		add := func(to *[]keyRef, entity uint32, keys []string) {
			for _, k := range keys {
				if !seen[k] {
					seen[k] = true
					*to = append(*to, keyRef{key: k, entity: entity, prominence: prominence})
				}
			}
		}
		add(&starts, entity, n.Own)
		add(&starts, entity|AliasKey, n.Other)
		add(&joined, entity, n.Joined)
	}
	sortKeys(starts)
	sortKeys(joined)
	t.place(starts)
	t.place(joined)
	for _, k := range starts {
		if k.entity&AliasKey != 0 {
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
			cmp.Compare(a.entity&AliasKey, b.entity&AliasKey),
			cmp.Compare(b.prominence, a.prominence),
			cmp.Compare(a.entity, b.entity),
			cmp.Compare(a.at, b.at),
		)
	})
}
