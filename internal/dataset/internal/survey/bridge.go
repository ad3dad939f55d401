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
		return store.AddList(c, "survey_bridges", store.NewCoder(nil), w.bridges, bridgeCode())
	},
	Decode: func(d *Reader, c *store.Columns) (err error) {
		if d.bridges, err = store.TakeList(c, "survey_bridges", store.DecodeWith(nil, nil), bridgeCode()); err != nil {
			return err
		}
		if err = checkBridges(d.bridges); err != nil {
			return fmt.Errorf("column survey_bridges: %w", err)
		}
		return nil
	},
}

// bridgeCode codes bridges in their order.
func bridgeCode() func(*Bridge, *store.Coder) {
	var last Bridge
	return func(b *Bridge, c *store.Coder) {
		store.Max(c, &b.Level, numACSLevels)
		if b.Level != last.Level {
			last = Bridge{}
		}
		to, from := b.To-last.To, int64(b.From)-int64(b.To)
		store.Max(c, &to, b.Level.maxGEOID())
		b.To = last.To + to
		store.Int(c, &from)
		b.From = b.To + uint64(from)
		store.Max(c, &b.Tenths, whole)
		c.Bool(&b.ByPeople)
		last = *b
	}
}
