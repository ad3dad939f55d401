package build

import (
	"context"
	"errors"
	"iter"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// gazetteer reads a Gazetteer file whose GEOIDs have so many digits.
func gazetteer(digits int) func(*format.Input) iter.Seq2[source.GazetteerRow, error] {
	return func(in *format.Input) iter.Seq2[source.GazetteerRow, error] { return source.Gazetteer(in, digits) }
}

// unverified is added to the name of a file that has not been read back.
const unverified = ".unverified"

// write writes the tables, and with them the ZIP+4 records, which stream from
// their file.
func (b *builder) write(ctx context.Context) (err error) {
	w, err := dataset.Create(b.o.Output + unverified)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Abort())
		}
	}()
	t := &b.tables
	err = errors.Join(w.SetStates(t.states), w.SetCBSAs(t.cbsas), w.SetDivisions(t.divisions), w.SetCounties(t.counties), w.SetZones(t.zones))
	if err != nil {
		return err
	}
	records, ranges, err := b.writeStreets(ctx, w)
	if err != nil {
		return err
	}
	for _, z := range t.zips {
		z.detail.Quality = z.quality
		if err := errors.Join(w.AddZIP(z.row, z.detail), writeCityState(w, z)); err != nil {
			return err
		}
	}
	for _, f := range t.fsas {
		f.detail.Quality = f.quality
		if err := w.AddFSA(f.row, f.detail); err != nil {
			return err
		}
	}
	for _, p := range t.postal {
		if err := w.AddPostalCode(p); err != nil {
			return err
		}
	}
	if err := errors.Join(b.writeBoundaries(w), b.writeLayers(w)); err != nil {
		return err
	}
	survey, err := b.writeSurvey(ctx, w)
	if err != nil {
		return err
	}
	for _, e := range t.entities {
		if err := w.AddEntity(e.Entity, e.names); err != nil {
			return err
		}
	}
	b.report.Tables = append([]TableReport{
		{"states and provinces", int64(len(t.states))},
		{"counties", int64(len(t.counties))},
		{"CBSAs", int64(len(t.cbsas))},
		{"metropolitan divisions", int64(len(t.divisions))},
		{"time zones", int64(len(t.zones))},
		{"ZIP Codes", int64(len(t.zips))},
		{"FSAs", int64(len(t.fsas))},
		{"postal codes", int64(len(t.postal))},
		{"ZIP+4 records", records},
		{"street ranges", ranges},
		{"names for suggestions", int64(len(t.entities))},
	}, append(t.bounds.tables(), t.layered.tables()...)...)
	b.report.Tables = append(b.report.Tables, survey...)
	m := b.manifest()
	b.report.Version, b.report.Built = m.Version, m.Built
	return w.Finish(m)
}
