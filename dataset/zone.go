package dataset

import (
	"strconv"
)

var zonesTable = smallTable("zones", 255,
	func(w *Writer) []Zone { return w.zones },
	func(d *Dataset) *[]Zone { return &d.zones },
	func(e *rowEncoder, z *Zone) {
		e.name(z.Name)
		e.name(z.Source)
	},
	func(d *rowDecoder, z *Zone) { z.Name, z.Source = d.name(), d.name() },
	func(*Dataset, *Zone) error { return nil })

// SetZones gives the table of time zones, at most 255. Row i has the
// identifier i+1.
func (w *Writer) SetZones(rows []Zone) error {
	for i := range rows {
		if err := w.names.add(rows[i].Name, rows[i].Source); err != nil {
			return invalidRow("the time zone "+strconv.Quote(rows[i].Name), err)
		}
	}
	return setOnce(w, "zones", &w.zones, rows)
}

// Zone returns the time zone with the identifier, or a zero Zone for 0 and any
// other identifier that is not of this dataset. It must not be changed.
func (d *Dataset) Zone(id ZoneID) *Zone { return lookUp(d.zones, int(id)) }

// Zones returns all time zones; the one at position i has the identifier i+1.
// They must not be changed.
func (d *Dataset) Zones() []Zone { return d.zones[1:] }
