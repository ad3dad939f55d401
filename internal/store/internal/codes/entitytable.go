package codes

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// EntityNames are the keys of an entity. They have the form that package
// namekey gives them: words separated by single spaces.
type EntityNames struct {
	Own    []string // of the name itself, in all its spellings; each can be found from a later word on
	Joined []string // of the name itself written as one word
	Other  []string // of other names
}

// maxEntities and maxKeyLength are the limits of a table.
const (
	maxEntities  = 1 << 24
	maxKeyLength = 200
)

// AddEntity adds an entity with its names. Entities come in the order of their
// kinds; [Entity.Twin] refers to the number of any other, which counts from 0
// in the order of adding.
func (w *Writer) AddEntity(e Entity, names EntityNames) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	n := len(w.entities)
	what := e.Kind.String() + " " + e.Name
	switch {
	case e.Kind == 0 || e.Kind >= endOfEntityKinds:
		return file.Invalid("entity %q: kind %d; expected 1 to %d", e.Name, e.Kind, endOfEntityKinds-1)
	case n > 0 && e.Kind < w.entities[n-1].Kind:
		return file.Invalid("%s after %s; expected the order of kinds", what, w.entities[n-1].Kind)
	case n >= maxEntities:
		return file.Invalid("%s: a dataset holds at most %d entities", what, maxEntities)
	case len(e.ZIPs) > math.MaxUint16 || !slices.IsSorted(e.ZIPs):
		return file.Invalid("%s: its %d ZIPs are not at most %d in ascending order", what, len(e.ZIPs), math.MaxUint16)
	case len(names.Own) == 0:
		return file.Invalid("%s: it has no key of its name", what)
	}
	for _, k := range slices.Concat(names.Own, names.Joined, names.Other) {
		if k == "" || len(k) > maxKeyLength || strings.ContainsAny(k, "\n") {
			return file.Invalid("%s: key %q; expected 1 to %d bytes on one line", what, k, maxKeyLength)
		}
	}
	if err := w.out.Names.Add(e.Name); err != nil {
		return file.InvalidRow(what, err)
	}
	w.entities = append(w.entities, e)
	w.entityNames = append(w.entityNames, names)
	return nil
}

// entitiesTable stores the entities and their keys. A dataset without any
// writes no column.
var entitiesTable = table{
	Name: "entities",
	Encode: func(w *Writer, c *file.Columns) error {
		if len(w.entities) == 0 {
			return nil
		}
		var zips []byte
		rows := file.NewCoder(&w.out.Names)
		for i := range w.entities {
			e := entityRow{Entity: w.entities[i]}
			e.twin, e.first, e.zips = uint32(max(e.Twin, -1)+1), uint32(len(zips)/4), uint16(len(e.ZIPs))
			e.code(&rows)
			for _, z := range e.ZIPs {
				zips = binary.LittleEndian.AppendUint32(zips, uint32(z))
			}
		}
		data, err := rows.Bytes()
		if err != nil {
			return err
		}
		c.Add(file.Column{Name: "entities", Width: entityWidth, Rows: len(w.entities), Data: data})
		c.Add(file.Column{Name: "entities.zips", Width: 4, Rows: len(zips) / 4, Data: zips})
		k := newKeyTable(w)
		c.Add(file.Column{Name: "entities.keys", Width: 1, Rows: len(k.text), Data: k.text})
		c.Add(k.column("entities.starts", k.starts))
		c.Add(k.column("entities.inner", k.inner))
		c.Add(k.column("entities.joined", k.joined))
		return nil
	},
	Decode: func(d *Reader, c *file.Columns) error {
		if !c.Has("entities") {
			return nil
		}
		t := &Entities{d: d}
		var err error
		if t.rows, err = c.Take("entities", entityWidth); err != nil {
			return err
		}
		zips, err := c.Take("entities.zips", 4)
		if err != nil {
			return err
		}
		t.zips = make([]dataset.ZIP, zips.Rows)
		for i := range t.zips {
			if t.zips[i] = dataset.ZIP(binary.LittleEndian.Uint32(zips.Row(i))); t.zips[i] >= dataset.NumZIPs {
				return fmt.Errorf("column entities.zips: row %d is %d, expected at most %d", i, t.zips[i], dataset.NumZIPs-1)
			}
		}
		if err := t.checkRows(); err != nil {
			return err
		}
		text, err := c.Take("entities.keys", 1)
		if err != nil {
			return err
		}
		if n := len(text.Data); n == 0 || text.Data[n-1] != '\n' || uint64(n) > math.MaxUint32 {
			return fmt.Errorf("column entities.keys does not end with a line feed")
		}
		t.Text = string(text.Data)
		if t.Starts, err = t.keys(c, "entities.starts"); err != nil {
			return err
		}
		if t.Inner, err = t.keys(c, "entities.inner"); err != nil {
			return err
		}
		if t.Joined, err = t.keys(c, "entities.joined"); err != nil {
			return err
		}
		d.entities = t
		return nil
	},
}

func (t *Entities) checkRows() error {
	kind := EntityKind(0)
	for i := range t.rows.Rows {
		var e entityRow
		c := file.DecodeWith(&t.d.file.Names, t.rows.Row(i))
		e.code(&c)
		if err := cmp.Or(c.End(), t.checkRow(&e)); err != nil {
			return fmt.Errorf("column entities: row %d: %w", i, err)
		}
		if e.Kind < kind || e.Kind == 0 || e.Kind >= endOfEntityKinds {
			return fmt.Errorf("column entities: row %d: kind %d after %d", i, e.Kind, kind)
		}
		kind = e.Kind
	}
	return nil
}

func (t *Entities) checkRow(e *entityRow) error {
	switch {
	case e.Population < NoPopulation:
		return fmt.Errorf("its population is %d", e.Population)
	case int64(e.twin) > int64(t.rows.Rows):
		return fmt.Errorf("its twin is %d of %d", e.twin, t.rows.Rows)
	case int64(e.first)+int64(e.zips) > int64(len(t.zips)):
		return fmt.Errorf("its ZIPs are %d to %d of %d", e.first, int64(e.first)+int64(e.zips), len(t.zips))
	}
	if err := cmp.Or(CheckCounty(t.d, e.County), CheckState(t.d, e.State)); err != nil {
		return err
	}
	switch e.Kind {
	case EntityState:
		return checkID("state", int(e.Ref), t.d.states)
	case EntityCBSA:
		return checkID("metropolitan area", int(e.Ref), t.d.cbsas)
	default:
		return nil
	}
}

// keys reads a column of keys. It checks that every key lies in the text and
// belongs to an entity, and that they ascend.
func (t *Entities) keys(c *file.Columns, name string) (EntityKeys, error) {
	const width = 8
	col, err := c.Take(name, width)
	if err != nil {
		return EntityKeys{}, err
	}
	k := EntityKeys{Offset: make([]uint32, col.Rows), Entity: make([]uint32, col.Rows)}
	before := ""
	for i := range col.Rows {
		b := col.Row(i)
		at, entity := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		if int64(at) >= int64(len(t.Text)) || int64(entity&^AliasKey) >= int64(t.rows.Rows) {
			return EntityKeys{}, fmt.Errorf("column %s: row %d: key at %d of entity %d is not in the table", name, i, at, entity&^AliasKey)
		}
		key := t.Key(at)
		if key < before || key == "" {
			return EntityKeys{}, fmt.Errorf("column %s: row %d: %q does not come after %q", name, i, key, before)
		}
		k.Offset[i], k.Entity[i], before = at, entity, key
	}
	return k, nil
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

func (t *keyTable) column(name string, keys []keyRef) file.Column {
	var b bytes.Buffer
	for _, k := range keys {
		b.Write(binary.LittleEndian.AppendUint32(nil, k.at))
		b.Write(binary.LittleEndian.AppendUint32(nil, k.entity))
	}
	return file.Column{Name: name, Width: 8, Rows: len(keys), Data: b.Bytes()}
}
