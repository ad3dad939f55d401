package codes

import (
	"time"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

var zonesTable = smallTable[Zone]{
	name: "zones", noun: "time zone", limit: 255,
	rows:  func(w *Writer) *[]Zone { return &w.zones },
	into:  func(d *Reader) *[]Zone { return &d.zones },
	label: func(z *Zone) string { return z.Name },
	code: func(z *Zone, c *store.Coder) {
		c.Name(&z.Name, &z.Source)
		c.Blob(&z.Rules, maxRules)
		_, err := z.Location()
		c.Fail(err)
	},
	check: func(*Reader, *Zone) error { return nil },
}

// SetZones gives the table of time zones, at most 255. Row i has the
// identifier i+1.
func (w *Writer) SetZones(rows []Zone) error { return zonesTable.set(w, rows) }

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
