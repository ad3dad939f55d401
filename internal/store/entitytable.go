package store

import (
	"math/bits"
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

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

// An EntityKey is a key in the text of an entity. The bit of [AliasKey] is the lowest, as packed
// numbers with the highest bit set would take 32 bits each.
type EntityKey struct{ Offset, Entity uint32 }

// keys reads a list of keys.
func (t *Entities) keys(m *file.Connection, list string, into *EntityKeys) error {
	data, err := m.Blob("search_index", "place_keys."+list)
	if err != nil {
		return err
	}
	rows, err := file.DecodeRows[EntityKey](data)
	*into = EntityKeys{Offset: make([]uint32, len(rows)), Entity: make([]uint32, len(rows))}
	for i, r := range rows {
		into.Offset[i], into.Entity[i] = r.Offset, bits.RotateLeft32(r.Entity, -1)
		if int64(r.Offset) >= int64(len(t.Text)) || int64(into.Entity[i]&^AliasKey) >= int64(len(t.rows)) {
			return file.ErrRange
		}
	}
	return err
}

// Key returns the key at an offset of the text.
func (t *Entities) Key(offset uint32) string {
	rest := t.Text[offset:]
	return rest[:strings.IndexByte(rest, '\n')]
}
