package export

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/lookup"
)

// Areas are written in two forms for two kinds of programs: GeoParquet for engines such as
// DuckDB, GeoJSON for maps. Both are written area by area, so memory is that of one outline,
// in Parquet of one row group. GeoParquet needs the box around all areas in its footer, which
// the format has at the end of the file.

// AreaFields are the columns of [Areas]. The geometry is well-known binary (WKB); bbox is
// the box around it.
func AreaFields() []table.Field {
	box := columns(enrich.Float, "xmin", "ymin", "xmax", "ymax")
	for i := range box {
		box[i].Group = "bbox"
	}
	return slices.Concat(properties(), box, columns(enrich.Bytes, "geometry"))
}

// properties are the columns of areas besides their outlines.
func properties() []table.Field {
	return slices.Concat(columns(enrich.String, "layer", "geoid", "name", "state"), columns(enrich.Float, "land_area_sq_mi", "water_area_sq_mi"),
		columns(enrich.String, "source", "vintage"))
}

// columns returns columns of one type.
func columns(t enrich.Type, names ...string) []table.Field {
	fields := make([]table.Field, len(names))
	for i, name := range names {
		fields[i] = table.Field{Name: name, Type: t}
	}
	return fields
}

// each calls add for every area of the kinds that has an outline, by ascending GEOID, with
// the values of [properties]. A kind is a layer, "zip", "fsa" or "state". Outlines are cut
// at longitude 180 and have no ring of fewer than three vertices. It returns the number of
// areas. If the dataset has none of a kind, the error matches [postgeo.ErrUnavailable].
func each(ctx context.Context, db *postgeo.DB, kinds []string, add func(values []enrich.Value, outline orb.MultiPolygon) error) (n int64, err error) {
	var values []enrich.Value
	for _, kind := range kinds {
		before := n
		for a, err := range outlines(ctx, db, kind) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return n, err
			}
			// RFC 7946, 3.1.9: an area across longitude 180, such as Alaska, is cut there.
			outline := geojson.Cut(a.outline)
			if len(outline) == 0 {
				continue
			}
			values = values[:0]
			for _, text := range []string{kind, a.GEOID, a.Name, a.State} {
				values = append(values, enrich.ValueOf(text))
			}
			values = append(values, float(a.LandAreaSqMi), float(a.WaterAreaSqMi), enrich.ValueOf(a.Source), enrich.ValueOf(a.Vintage))
			if err := add(values, outline); err != nil {
				return n, err
			}
			n++
		}
		if n == before {
			return n, &envelope.Failure{
				Op: "export", Kind: envelope.KindUnavailable, Thing: envelope.ThingLayer, Lacks: "outlines of the kind " + kind,
				Detail: fmt.Sprintf("the dataset has no outlines of the kind %s; build one with the layer boundaries", kind),
			}
		}
	}
	return n, nil
}

// An area is an area with its outline.
type area struct {
	lookup.Area
	outline orb.MultiPolygon
}

// outlines yields the areas of a kind. GEOIDs of states and provinces are their two
// letters.
func outlines(ctx context.Context, db *postgeo.DB, kind string) iter.Seq2[area, error] {
	return func(yield func(area, error) bool) {
		if kind == "state" {
			for s, err := range db.StateOutlines(ctx) {
				if !yield(area{lookup.Area{GEOID: s.State, State: s.State}, s.Outline}, err) {
					return
				}
			}
			return
		}
		layer, known := lookup.ParseLayer(kind)
		// An area is read when its turn comes, and not with all of its layer.
		ids, outline := db.AreaIDs(ctx, layer), func(id string) (a area, err error) {
			a.Area, a.outline, err = db.AreaOutline(ctx, layer, id)
			return a, err
		}
		if codes := map[string]lookup.CodeType{"zip": lookup.ZIP, "fsa": lookup.FSA}[kind]; codes != "" {
			ids, outline = db.Codes(ctx, codes), func(id string) (area, error) { return ofCode(ctx, db, id) }
		} else if !known {
			yield(area{}, &envelope.Failure{Op: "export", Kind: envelope.KindInvalidParam, Param: "kind", Input: kind, Range: "zip, fsa, state or a layer"})
			return
		}
		for id, err := range ids {
			var a area
			if err == nil {
				a, err = outline(id)
			}
			if !yield(a, err) {
				return
			}
		}
	}
}

func ofCode(ctx context.Context, db *postgeo.DB, code string) (a area, err error) {
	if a.outline, a.Source, err = db.CodeOutline(ctx, code); err != nil || a.outline == nil {
		return a, err
	}
	rec, err := db.QuickLookup(ctx, code, lookup.QuickOptions{})
	if err != nil {
		return a, err
	}
	a.GEOID, a.Name, a.State = rec.Code, rec.City, rec.State
	return a, nil
}

// Areas writes a row for every area of the kinds that has an outline, and returns the
// number of rows. In Parquet the file is GeoParquet 1.1.
func Areas(ctx context.Context, db *postgeo.DB, kinds []string, w *table.Writer) (n int64, err error) {
	inf := math.Inf(1)
	all := orb.Bound{Min: orb.Point{inf, inf}, Max: orb.Point{-inf, -inf}}
	n, err = each(ctx, db, kinds, func(values []enrich.Value, outline orb.MultiPolygon) error {
		// Rings of the dataset are open, those of WKB end with their first point.
		closed := outline.Clone() // the dataset may share it
		for _, p := range closed {
			for i, ring := range p {
				if !ring.Closed() {
					p[i] = append(ring, ring[0])
				}
			}
		}
		data, err := wkb.Marshal(closed, binary.LittleEndian)
		if err != nil {
			return err
		}
		b := outline.Bound()
		all = all.Union(b)
		for _, v := range []float64{b.Min[0], b.Min[1], b.Max[0], b.Max[1]} {
			values = append(values, enrich.ValueOf(v))
		}
		return w.Write(append(values, enrich.ValueOf(data)))
	})
	if err != nil {
		return n, err
	}
	// Readers skip row groups by the columns of covering, without decoding outlines.
	box := "" // of GeoParquet 1.1.0; without a reference system coordinates are longitude and latitude (OGC:CRS84)
	if n > 0 {
		box = `"bbox":[`
		for _, v := range []float64{all.Min[0], all.Min[1], all.Max[0], all.Max[1]} {
			box += enrich.ValueOf(v).String() + ","
		}
		box = box[:len(box)-1] + "],"
	}
	w.SetMetadata("geo", `{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["MultiPolygon"],`+
		`"orientation":"counterclockwise","edges":"planar",`+box+`"covering":{"bbox":{"xmin":["bbox","xmin"],"ymin":["bbox","ymin"],"xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}}}}}`)
	return n, nil
}

// GeoJSON writes every area of the kinds that has an outline as a feature of one
// collection (RFC 7946), with the properties of [AreaFields]. It returns the number of
// features.
func GeoJSON(ctx context.Context, db *postgeo.DB, kinds []string, w io.Writer) (n int64, err error) {
	out := bufio.NewWriterSize(w, 1<<16) // it keeps its first error
	fmt.Fprint(out, `{"type":"FeatureCollection","features":[`)
	between := "\n"
	var line []byte
	n, err = each(ctx, db, kinds, func(values []enrich.Value, outline orb.MultiPolygon) error {
		line = append(append(line[:0], between...), `{"type":"Feature","properties":{`...)
		between = ",\n"
		for i, f := range properties() {
			if v := values[i]; i == 0 || !v.IsNull() { // the layer is never null, so no comma goes first
				if i > 0 {
					line = append(line, ',')
				}
				line = v.AppendJSON(fmt.Appendf(line, "%q:", f.Name))
			}
		}
		_, err := out.Write(append(geojson.AppendPolygons(append(line, `},"geometry":`...), outline), '}'))
		return err
	})
	if err != nil {
		return n, err
	}
	fmt.Fprint(out, "\n]}\n")
	return n, out.Flush()
}

func float(f *float64) enrich.Value {
	if f == nil {
		return enrich.Value{}
	}
	return enrich.ValueOf(*f)
}
