package store

import (
	"cmp"
	"database/sql/driver"
	"slices"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// Section returns the section with the areas of the layer and of its plans. Own layers share
// one: a set of sections has 64 bits, and there may be any number of them.
func (id LayerID) Section() file.Sections {
	switch {
	case !id.Valid():
		return 0
	case IsOwnLayer(id):
		return sectionOwn
	default:
		return firstLayerSection << (BaseLayer(id) - 1)
	}
}

// areaParts returns the parts of areas.
func (d *Dataset) areaParts() []file.Part {
	parts := []file.Part{
		d.layerList(),
		areasOf(SectionStateAreas, "state", "(SELECT s.id FROM state s WHERE s.state = k.key)", 1<<8, &d.stateAreas),
		areasOf(SectionCountyAreas, "county", "(SELECT c.id FROM county c WHERE c.county = k.key)", 1<<16, &d.countyAreas),
		areasOf(SectionZIPAreas, "zip", numberSQL("k.key"), postcode.NumZIPs, &d.zipAreas),
		areasOf(SectionFSAAreas, "fsa", numberSQL("k.key"), postcode.NumFSAs, &d.fsaAreas),
		areasOf(SectionZoneAreas, "zone", "CAST(k.key AS INTEGER)", 1<<8, &d.zoneAreas),
		d.codesOfAreas(),
		{Section: SectionCenters, Load: d.loadCenters},
	}
	for _, id := range append(LayerIDs(), FirstOwnLayer+1) {
		s := id.Section()
		parts = append(parts, file.Part{Section: s, Load: func(m *file.Connection) error { return d.loadAreas(m, s) }})
	}
	return parts
}

// layerList describes the layers, whose areas are read later. The list itself is read at Open
// by SQL: it has a few dozen rows, and the plan in force must be known before any area is.
func (d *Dataset) layerList() file.Part {
	return file.Part{
		Queries: []file.Query{{
			Name: "area", Each: "SELECT layer, id FROM layer ORDER BY id",
			SQL: `SELECT geoid, a.name, name_fr, type, s.id, land, water, outline, lat, lng
				FROM area a LEFT JOIN state s ON s.state = a.state WHERE layer = ? ORDER BY a.id`,
		}},
		Load: func(m *file.Connection) error {
			d.layers, d.byID, d.drawn, d.plans = nil, map[LayerID]*Layer{}, map[string]bool{}, [baseMask + 1]planList{}
			err := m.Query("SELECT outline FROM outline", func(v []driver.Value) error {
				name, _ := v[0].(string)
				d.drawn[name] = true
				return nil
			})
			if err != nil {
				return err
			}
			err = m.Query("SELECT * FROM layer ORDER BY id", func(v []driver.Value) error {
				l := &Layer{d: d}
				v = file.Scan(&l.row, v)
				file.Scan(&l.info, v)
				l.info.ID = l.row.ID
				if l.outlines = l.row.Name; !d.drawn[l.outlines] {
					l.outlines = ""
				}
				d.layers, d.byID[l.info.ID] = append(d.layers, l), l
				return nil
			})
			if err == nil {
				err = d.readPlans(m)
			}
			d.listPlans()
			return err
		},
	}
}

// loadAreas reads the areas of the layers of a section.
func (d *Dataset) loadAreas(m *file.Connection, section file.Sections) error {
	for _, l := range d.layers {
		if l.info.ID.Section() != section {
			continue
		}
		t, err := file.Cached[LayerArea](m, "area."+l.row.Name)
		if err != nil {
			return err
		}
		if t.Rows != l.row.Count {
			return d.Damaged("the layer %s has %d areas, expected %d", l.row.Name, t.Rows, l.row.Count)
		}
		l.areas = t
	}
	return nil
}

// codesOfAreas reads the codes that meet each area, which are the overlaps by area instead of by
// code. The table of overlaps is ordered by code, and an index by area would repeat most of its
// 818,000 rows. The codes alone, area by area, and their numbers take 2 MB.
// [Dataset.CodesIn] reads the rest by code.
func (d *Dataset) codesOfAreas() file.Part {
	return file.Part{
		Section: SectionOverlaps,
		Queries: []file.Query{
			{Name: "overlap.codes", SQL: "SELECT " + numberSQL("code") + " + CASE length(code) WHEN 3 THEN 100000 ELSE 0 END FROM overlap ORDER BY area, code"},
			{Name: "overlap.counts", SQL: "SELECT coalesce(n, 0) FROM area LEFT JOIN (SELECT area, count(*) AS n FROM overlap GROUP BY area) o ON o.area = id ORDER BY id"},
		},
		Load: func(m *file.Connection) (err error) {
			if d.meeting, err = file.Cached[Code](m, "overlap.codes"); err != nil {
				return err
			}
			counts, err := file.Cached[uint32](m, "overlap.counts")
			if err != nil {
				return err
			}
			areas, codes := counts.Rows, int64(0)
			d.starts = make([]uint32, counts.Rows+1)
			for i := range counts.Rows {
				n, _ := counts.Number(0, i)
				if codes += n; n < 0 || n > int64(d.meeting.Rows) {
					return file.ErrRange
				}
				d.starts[i+1] = uint32(codes)
			}
			for _, l := range d.byArea {
				if areas -= l.row.Count; l.row.Count < 0 {
					return file.ErrRange
				}
			}
			if areas != 0 || codes != int64(d.meeting.Rows) {
				return file.ErrRange
			}
			return nil
		},
	}
}

// layerOf returns the layer of an area by its number in the file.
func (d *Dataset) layerOf(area int64) *Layer {
	// Numbers of areas have gaps between layers, so an area behind the last one of a layer is none.
	i, ok := slices.BinarySearchFunc(d.byArea, area, func(l *Layer, area int64) int { return cmp.Compare(l.row.First, area) })
	if !ok {
		i--
	}
	if i < 0 || area >= d.byArea[i].row.First+int64(d.byArea[i].row.Count) {
		return nil
	}
	return d.byArea[i]
}
