package store

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// HasStreets reports whether the dataset holds street records or ranges of any ZIP
// Code.
func (d *Dataset) HasStreets() bool {
	return d.hasRecords() || d.HasRanges()
}

// HasStreetsIn reports whether the dataset holds street records of the ZIP Code, or
// ranges of its segments, from memory.
func (d *Dataset) HasStreetsIn(z dataset.ZIP) bool {
	return d.hasRecordsIn(z) || d.segmentsOnly(z)
}

func (d *Dataset) segmentsOnly(z dataset.ZIP) bool {
	return !d.hasRecordsIn(z) && d.RoadCoverage(RoadAreaOfZIP(z)).Ranges > 0
}

// MayHaveStreet reports whether the ZIP Code may have a street with the key. It
// returns true for all keys of its streets, as pub28.Key makes them. It returns false
// for most other keys of a ZIP Code with street records.
func (d *Dataset) MayHaveStreet(z dataset.ZIP, key string) bool {
	return d.mayHaveRecords(z, key) || d.segmentsOnly(z)
}

// StreetZIPs yields the ZIP Codes that have street records or ranges, ascending.
func (d *Dataset) StreetZIPs() iter.Seq[dataset.ZIP] {
	list := slices.Collect(d.recordZIPs())
	for a := range d.RoadAreas() {
		if z, ok := a.ZIP(); ok && d.segmentsOnly(z) {
			list = append(list, z)
		}
	}
	slices.Sort(list)
	return slices.Values(list)
}

// Streets appends the records of the ZIP Code whose street has the key, as
// pub28.Key makes it. These are base records and alternates, with add-ons and without.
// A ZIP Code without records has one for each range of its segments.
func (d *Dataset) Streets(ctx context.Context, z dataset.ZIP, key string, into []StreetRecord) ([]StreetRecord, error) {
	if err := d.Load(ctx, SectionStreets); err != nil {
		return into, err
	}
	if !d.segmentsOnly(z) {
		return d.records(ctx, z, key, into)
	}
	list, err := d.Roads(ctx, RoadAreaOfZIP(z), key, nil)
	for i := range list {
		into = d.appendRanges(into, z, &list[i])
	}
	return into, err
}

// StreetKeys reads the keys of the ZIP Code's streets, as pub28.Key makes them,
// ascending.
func (d *Dataset) StreetKeys(ctx context.Context, z dataset.ZIP) (keys []string, err error) {
	if err := d.Load(ctx, SectionStreets); err != nil {
		return nil, err
	}
	if !d.segmentsOnly(z) {
		return d.recordKeys(ctx, z)
	}
	for key, err := range d.RoadKeys(ctx, RoadAreaOfZIP(z)) {
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// HasBoxesIn reports whether the dataset holds records of post office boxes of the
// ZIP Code.
func (d *Dataset) HasBoxesIn(ctx context.Context, z dataset.ZIP) (bool, error) {
	if err := d.Load(ctx, SectionStreets); err != nil || !d.mayHaveRecords(z, "POBOX") {
		return false, err
	}
	list, err := d.records(ctx, z, "POBOX", nil)
	return len(list) > 0, err
}

// StreetRecords yields the records of the ZIP Code, street by street in the order of
// the file. An error ends it.
func (d *Dataset) StreetRecords(ctx context.Context, z dataset.ZIP) iter.Seq2[StreetRecord, error] {
	return func(yield func(StreetRecord, error) bool) {
		if err := d.Load(ctx, SectionStreets); err != nil {
			yield(StreetRecord{}, err)
			return
		}
		if !d.segmentsOnly(z) {
			d.allRecords(ctx, z)(yield)
			return
		}
		var list []StreetRecord
		for r, err := range d.AllRoads(ctx, RoadAreaOfZIP(z)) {
			if err != nil {
				yield(StreetRecord{}, err)
				return
			}
			list = d.appendRanges(list[:0], z, &r)
			for i := range list {
				if !yield(list[i], nil) {
					return
				}
			}
		}
	}
}

// appendRanges appends the ranges of a road as records without add-ons.
func (d *Dataset) appendRanges(into []StreetRecord, z dataset.ZIP, r *Road) []StreetRecord {
	row, _ := d.ZIP(z)
	state := d.State(row.State).Abbr
	for i := range r.Segments {
		s := &r.Segments[i]
		for _, side := range [...]NumberRange{s.Left, s.Right} {
			if side.Parity == 0 {
				continue
			}
			end := func(v uint32) string {
				if side.Prefix == "" {
					return fmt.Sprintf("%010d", v) // as in the ZIP+4 product
				}
				return HouseNumber{Prefix: side.Prefix, Value: v}.String()
			}
			into = append(into, StreetRecord{NoPlus4: true, ZIP4Record: ZIP4Record{
				ZIP: z, RecordType: 'S', PreDir: r.PreDir, Street: r.Name, Suffix: r.Suffix, PostDir: r.PostDir,
				AddrLow: end(min(side.From, side.To)), AddrHigh: end(max(side.From, side.To)), OddEven: side.Parity,
				State: state, Location: middle(s.Line),
			}})
		}
	}
	return into
}

// middle returns the point halfway along a line.
func middle(line []geo.LatLng) geo.LatLng {
	total := 0.0
	for i := 1; i < len(line); i++ {
		total += float64(geo.Distance(line[i-1], line[i]))
	}
	left := total / 2
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		if d := float64(geo.Distance(a, b)); d > 0 && d >= left {
			t := left / d
			micro := func(x, y float64) int32 { return int32(math.Round((x + float64(t*(y-x))) * 1e6)) }
			return geo.LatLngFromMicrodegrees(micro(a.Lat(), b.Lat()), micro(a.Lng(), b.Lng()))
		}
		left -= float64(geo.Distance(a, b))
	}
	return line[0]
}
