package codes

import (
	"errors"
	"strconv"
	"time"

	"github.com/postgeo/postgeo/dataset/internal/store"
)

var zonesTable = smallTable("zones", 255,
	func(w *Writer) []Zone { return w.zones },
	func(d *Reader) *[]Zone { return &d.zones },
	func(e *rowEncoder, z *Zone) {
		e.name(z.Name)
		e.name(z.Source)
		e.Uint(uint64(len(z.Rules)))
		e.B = append(e.B, z.Rules...)
	},
	func(d *rowDecoder, z *Zone) {
		z.Name, z.Source, z.Rules = d.name(), d.name(), string(d.Take(d.Max(maxRules)))
	},
	func(_ *Reader, z *Zone) error {
		_, err := z.Location()
		return err
	})

// SetZones gives the table of time zones, at most 255. Row i has the
// identifier i+1.
func (w *Writer) SetZones(rows []Zone) error {
	for i := range rows {
		_, err := rows[i].Location()
		if err = errors.Join(err, w.out.Names.Add(rows[i].Name, rows[i].Source)); err != nil {
			return store.InvalidRow("the time zone "+strconv.Quote(rows[i].Name), err)
		}
	}
	return store.SetOnce(w.out, "zones", &w.zones, rows)
}

// Location returns the zone with its clock rules. It reads no other file of the
// machine.
func (z *Zone) Location() (*time.Location, error) {
	return parseRules(z.Name, z.Rules)
}

// Zone returns the time zone with the identifier, or a zero Zone for 0 and any
// other identifier that is not of this dataset. It must not be changed.
func (d *Reader) Zone(id ZoneID) *Zone { return lookUp(d.zones, int(id)) }

// Zones returns all time zones; the one at position i has the identifier i+1.
// They must not be changed.
func (d *Reader) Zones() []Zone { return d.zones[1:] }
