package survey

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// SectionBridges holds the bridges between areas of two censuses.
const SectionBridges store.Sections = 1 << 60

// A Bridge is the part of an area of the census of 2010 that an area of the
// census of 2020 contains.
type Bridge struct {
	Level  Level
	To     uint64 // GEOID of 2020
	From   uint64 // GEOID of 2010
	Tenths uint16 // of a percent of From, 1 to 1000

	ByPeople bool // Tenths are of people in 2020; false: of land, or of water without land
}

// whole is a share of 100 %.
const whole = 1000

func compareBridges(a, b Bridge) int {
	return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From))
}

// SetBridges sets the bridges of the file.
func (w *Writer) SetBridges(list []Bridge) error {
	w.bridges = slices.SortedFunc(slices.Values(list), compareBridges)
	return checkBridges(w.bridges)
}

// checkBridges refuses bridges that are not in order, or that carry more than an
// area has.
func checkBridges(list []Bridge) error {
	carried := make(map[uint64]uint64, len(list)) // by level and GEOID of 2010
	for i, b := range list {
		if b.Level == 0 || b.Level > numACSLevels || max(b.To, b.From) >= b.Level.maxGEOID() || b.Tenths == 0 || b.Tenths > whole {
			return store.Invalid("bridge %+v", b)
		}
		if i > 0 && compareBridges(list[i-1], b) >= 0 {
			return store.Invalid("bridge %+v after %+v", b, list[i-1])
		}
		of := uint64(b.Level)<<60 | b.From
		if carried[of] += uint64(b.Tenths); carried[of] > whole {
			return store.Invalid("bridges carry more than the whole of %d", b.From)
		}
	}
	return nil
}

// Bridges returns the parts that form an area of 2020, in order of their areas of
// 2010. It loads SectionBridges.
func (d *Reader) Bridges(ctx context.Context, l Level, to uint64) ([]Bridge, error) {
	if err := d.file.Load(ctx, SectionBridges); err != nil {
		return nil, err
	}
	from, _ := slices.BinarySearchFunc(d.bridges, Bridge{Level: l, To: to}, compareBridges)
	end, _ := slices.BinarySearchFunc(d.bridges, Bridge{Level: l, To: to + 1}, compareBridges)
	return d.bridges[from:end], nil
}

// HasBridges reports whether the file has bridges of a level.
func (d *Reader) HasBridges(ctx context.Context, l Level) (bool, error) {
	err := d.file.Load(ctx, SectionBridges)
	at, _ := slices.BinarySearchFunc(d.bridges, Bridge{Level: l}, compareBridges)
	return at < len(d.bridges) && d.bridges[at].Level == l, err
}

// bridgeTable stores each area of 2010 by its difference from that of 2020, which
// is often 0.
var bridgeTable = table{
	Name:    "survey_bridges",
	Section: SectionBridges,
	Encode: func(w *Writer, c *store.Columns) error {
		var e store.Encoder
		var last Bridge
		for _, b := range w.bridges {
			if b.Level != last.Level {
				last = Bridge{}
			}
			e.Uint(uint64(b.Level))
			e.Uint(b.To - last.To)
			e.Int(int64(b.From) - int64(b.To))
			e.Uint(uint64(b.Tenths))
			e.Bool(b.ByPeople)
			last = b
		}
		c.Add(store.Column{Name: "survey_bridges", Rows: len(w.bridges), Data: e.B})
		return nil
	},
	Decode: func(d *Reader, c *store.Columns) error {
		col, err := c.Take("survey_bridges", 0)
		if err != nil {
			return err
		}
		e := store.Decoder{B: col.Data}
		d.bridges = make([]Bridge, 0, min(col.Rows, len(col.Data)))
		var last Bridge
		for i := 0; i < col.Rows && e.Err == nil; i++ {
			b := Bridge{Level: Level(e.Max(numACSLevels))}
			if b.Level != last.Level {
				last = Bridge{}
			}
			limit := b.Level.maxGEOID()
			b.To = last.To + e.Max(limit)
			b.From = b.To + uint64(e.Int())
			b.Tenths, b.ByPeople = uint16(e.Max(whole)), e.Bool()
			d.bridges = append(d.bridges, b)
			last = b
		}
		if err = e.End(); err == nil {
			err = checkBridges(d.bridges)
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", col.Name, err)
		}
		return nil
	},
}
