package dataset

import (
	"context"
	"math/bits"
)

// Sections is a set of the parts of a file that are kept in memory. Open reads
// the codes, names and identifiers of ZIP Codes and forward sortation areas. Each
// other section is read and checked when it is first needed.
//
// Methods that take a context read the sections that they need. Methods without
// an error, such as [Dataset.PostalCode] or [Dataset.ZIPAreas], expect an earlier
// [Dataset.Load] or [Dataset.Prepare]. Otherwise they read the section, and panic
// if that fails: a damaged section must not look like missing data.
type Sections uint64

// The sections. Those of layers are [LayerID.Section].
const (
	SectionPostalCodes Sections = 1 << iota // full postal codes of Canada
	SectionPoints                           // indexes of the points of all codes
	SectionDensity                          // residents and land of ZIP Codes and forward sortation areas
	SectionZoneShares                       // time zones of areas
	SectionStateAreas
	SectionCountyAreas
	SectionZIPAreas
	SectionFSAAreas
	SectionZoneAreas
	SectionEntities
	SectionOverlaps // which codes have overlaps and census areas
	SectionStreets  // pages of streets, city names and aliases
	SectionSurvey   // tables of the American Community Survey

	endOfSections
)

// AllSections is every section of a file.
const AllSections = endOfSections<<(endOfLayers-1) - 1

// Section returns the section with the areas of the layer.
func (id LayerID) Section() Sections {
	if id == 0 || id >= endOfLayers {
		return 0
	}
	return endOfSections << (id - 1)
}

// needs returns the sections with those that they refer to.
func (s Sections) needs() Sections {
	if s&SectionPoints != 0 {
		s |= SectionPostalCodes
	}
	return s
}

// Load reads the sections that are not in memory yet. One goroutine reads a
// section, others that need it wait. After a failure the section is as unread
// as before: this call returns the error, and the next one reads it again.
func (d *Dataset) Load(ctx context.Context, s Sections) error {
	if d.has(s) {
		return nil
	}
	return d.loadSections(ctx, s.needs())
}

// Prepare reads all sections, so that no later call waits for one. Outlines of
// layers are not part of a section; see [Layer.Prepare].
func (d *Dataset) Prepare(ctx context.Context) error { return d.Load(ctx, AllSections) }

// has reports whether the sections are in memory.
func (d *Dataset) has(s Sections) bool { return Sections(d.loaded.Load())&s == s }

// need reads the sections for a method that cannot return an error.
func (d *Dataset) need(s Sections) {
	if !d.has(s) {
		if err := d.Load(context.Background(), s); err != nil {
			panic(err)
		}
	}
}

func (d *Dataset) loadSections(ctx context.Context, s Sections) error {
	d.loading.Lock()
	defer d.loading.Unlock()
	if d.has(s) {
		return nil
	}
	return d.cold.use(ctx, func(c *connection) error {
		if d.columns == nil {
			headers, err := readHeaders(ctx, c)
			if err != nil {
				return err
			}
			if n := d.manifest.rows(columnTable); n != int64(len(headers)) {
				return damaged(d.path, "it has %d columns, the manifest lists %d", len(headers), n)
			}
			d.columns = headers
		}
		// Ascending, as a section may refer to those before it.
		for missing := s &^ Sections(d.loaded.Load()); missing != 0; missing &= missing - 1 {
			if err := ctx.Err(); err != nil {
				return err
			}
			one := Sections(1) << bits.TrailingZeros64(uint64(missing))
			set := &columnSet{list: d.columns, fill: func(col *column) error { return readData(ctx, c, col) }}
			if err := d.decode(one, set); err != nil {
				return err
			}
		}
		return nil
	})
}

// decode decodes the resident tables of one section, or of Open with 0.
func (d *Dataset) decode(section Sections, columns *columnSet) error {
	for _, t := range residentTables() {
		if t.section != section {
			continue
		}
		if err := t.decode(d, columns); columns.failed != nil {
			return columns.failed
		} else if err != nil {
			return damaged(d.path, "%v", err)
		}
	}
	d.loaded.Or(uint64(section))
	return nil
}

// decodeAll decodes all tables. Every column must belong to one of them.
func (d *Dataset) decodeAll(columns *columnSet) error {
	for _, t := range residentTables() {
		if err := t.decode(d, columns); err != nil {
			return err
		}
	}
	d.loaded.Store(uint64(AllSections))
	return columns.end()
}
