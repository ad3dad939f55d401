package dataset

import (
	"errors"
	"strconv"
	"time"
)

var zonesTable = smallTable("zones", 255,
	func(w *codesWriter) []Zone { return w.zones },
	func(d *codesReader) *[]Zone { return &d.zones },
	func(e *rowEncoder, z *Zone) {
		e.name(z.Name)
		e.name(z.Source)
		e.uint(uint64(len(z.Rules)))
		e.b = append(e.b, z.Rules...)
	},
	func(d *rowDecoder, z *Zone) {
		z.Name, z.Source, z.Rules = d.name(), d.name(), string(d.take(d.max(maxRules)))
	},
	func(_ *codesReader, z *Zone) error {
		_, err := z.Location()
		return err
	})

// SetZones gives the table of time zones, at most 255. Row i has the
// identifier i+1.
func (w *codesWriter) SetZones(rows []Zone) error {
	for i := range rows {
		_, err := rows[i].Location()
		if err = errors.Join(err, w.out.names.add(rows[i].Name, rows[i].Source)); err != nil {
			return invalidRow("the time zone "+strconv.Quote(rows[i].Name), err)
		}
	}
	return setOnce(w.out, "zones", &w.zones, rows)
}

// Location returns the zone with its clock rules. It reads no other file of the
// machine.
func (z *Zone) Location() (*time.Location, error) {
	return parseRules(z.Name, z.Rules)
}

// Zone returns the time zone with the identifier, or a zero Zone for 0 and any
// other identifier that is not of this dataset. It must not be changed.
func (d *codesReader) Zone(id ZoneID) *Zone { return lookUp(d.zones, int(id)) }

// Zones returns all time zones; the one at position i has the identifier i+1.
// They must not be changed.
func (d *codesReader) Zones() []Zone { return d.zones[1:] }
