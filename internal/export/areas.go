package export

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/lookup"
)

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

// An Outline is an area with its outline, which is cut at longitude 180 and has no ring of
// fewer than three vertices.
type Outline struct {
	lookup.Area
	Kind string // the layer's name, "zip", "fsa" or "state"
	orb.MultiPolygon
}

// Outlines calls each for every area of a kind that has an outline, by ascending GEOID. A
// kind is a layer, "zip", "fsa" or "state". If the dataset has none, the error matches
// [postgeo.ErrUnavailable].
func Outlines(ctx context.Context, db *postgeo.DB, kind string, each func(*Outline) error) error {
	n := 0
	for o, err := range outlines(ctx, db, kind) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if o.MultiPolygon = geojson.Cut(o.MultiPolygon); len(o.MultiPolygon) == 0 {
			continue
		}
		n++
		if err := each(o); err != nil {
			return err
		}
	}
	if n == 0 {
		return lacks("outlines of the kind " + kind)
	}
	return nil
}

// lacks returns the error of a dataset that was built without the data of a table.
func lacks(what string) error {
	return &fault.Error{
		Op: "export", Kind: fault.Unavailable, Thing: fault.Layer, Lacks: what,
		Detail: fmt.Sprintf("the dataset has no %s; build one with the layer boundaries", what),
	}
}

// outlines yields the areas of a kind. GEOIDs of states and provinces are their two
// letters.
func outlines(ctx context.Context, db *postgeo.DB, kind string) func(yield func(*Outline, error) bool) {
	return func(yield func(*Outline, error) bool) {
		if kind == "state" {
			for s, err := range db.StateOutlines(ctx) {
				if !yield(&Outline{lookup.Area{GEOID: s.State, State: s.State}, kind, s.Outline}, err) {
					return
				}
			}
			return
		}
		codes := map[string]lookup.CodeType{"zip": lookup.ZIP, "fsa": lookup.FSA}[kind]
		layer, known := lookup.ParseLayer(kind)
		ids := db.AreaIDs(ctx, layer)
		switch {
		case codes != "":
			ids = db.Codes(ctx, codes)
		case !known:
			yield(nil, &fault.Error{Op: "export", Kind: fault.InvalidParam, Param: "kind", Input: kind, Range: "zip, fsa, state or a layer"})
			return
		}
		for id, err := range ids {
			o := &Outline{Kind: kind}
			switch {
			case err != nil:
			case codes != "":
				err = o.code(ctx, db, id)
			default:
				o.Kind = string(layer)
				o.Area, o.MultiPolygon, err = db.AreaOutline(ctx, layer, id)
			}
			if !yield(o, err) {
				return
			}
		}
	}
}

func (o *Outline) code(ctx context.Context, db *postgeo.DB, code string) (err error) {
	if o.MultiPolygon, err = db.CodeOutline(ctx, code); err != nil || o.MultiPolygon == nil {
		return err
	}
	rec, err := db.QuickLookup(ctx, code, lookup.QuickOptions{})
	if err != nil {
		return err
	}
	o.GEOID, o.Name, o.State = rec.Code, rec.City, rec.State
	o.Source, err = db.CodeOutlineSource(ctx, code)
	return err
}

// values appends the values of the properties.
func (o *Outline) values(dst []enrich.Value) []enrich.Value {
	return append(dst, enrich.StringValue(o.Kind), enrich.StringValue(o.GEOID), enrich.StringValue(o.Name), enrich.StringValue(o.State),
		float(o.LandAreaSqMi), float(o.WaterAreaSqMi), enrich.StringValue(o.Source), enrich.StringValue(o.Vintage))
}

// Areas writes a row for every area of the kinds that has an outline, and returns the
// number of rows. In Parquet the file is GeoParquet 1.1.
func Areas(ctx context.Context, db *postgeo.DB, kinds []string, w *table.Writer) (n int64, err error) {
	inf := math.Inf(1)
	all := orb.Bound{Min: orb.Point{inf, inf}, Max: orb.Point{-inf, -inf}}
	var values []enrich.Value
	for _, kind := range kinds {
		err := Outlines(ctx, db, kind, func(o *Outline) error {
			closed := o.Clone() // the dataset may share it
			for _, p := range closed {
				for i, ring := range p {
					if !ring.Closed() {
						p[i] = append(ring, ring[0])
					}
				}
			}
			outline, err := wkb.Marshal(closed, binary.LittleEndian)
			if err != nil {
				return err
			}
			b := o.Bound()
			all = all.Union(b)
			values = append(o.values(values[:0]), enrich.FloatValue(b.Min[0]), enrich.FloatValue(b.Min[1]), enrich.FloatValue(b.Max[0]), enrich.FloatValue(b.Max[1]),
				enrich.BytesValue(outline))
			n++
			return w.Write(values)
		})
		if err != nil {
			return n, err
		}
	}
	box := "" // of GeoParquet 1.1.0; without a reference system coordinates are longitude and latitude (OGC:CRS84)
	if n > 0 {
		text, err := json.Marshal([]float64{all.Min[0], all.Min[1], all.Max[0], all.Max[1]})
		if err != nil {
			return n, err
		}
		box = `"bbox":` + string(text) + `,`
	}
	w.SetMetadata("geo", `{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":["MultiPolygon"],`+
		`"orientation":"counterclockwise","edges":"planar",`+box+`"covering":{"bbox":{"xmin":["bbox","xmin"],"ymin":["bbox","ymin"],"xmax":["bbox","xmax"],"ymax":["bbox","ymax"]}}}}}`)
	return n, nil
}

// GeoJSON writes every area of the kinds that has an outline as a feature of one
// collection (RFC 7946), with the properties of [AreaFields]. It returns the number of
// features.
func GeoJSON(ctx context.Context, db *postgeo.DB, kinds []string, w io.Writer) (n int64, err error) {
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := out.WriteString(`{"type":"FeatureCollection","features":[`); err != nil {
		return 0, err
	}
	var line []byte
	var values []enrich.Value
	for _, kind := range kinds {
		err := Outlines(ctx, db, kind, func(o *Outline) error {
			line = line[:0]
			comma := func(some bool) {
				if some {
					line = append(line, ',')
				}
			}
			comma(n > 0)
			line = append(line, "\n{\"type\":\"Feature\",\"properties\":{"...)
			values = o.values(values[:0])
			for i, f := range properties() {
				if v := values[i]; !v.IsNull() {
					comma(i > 0)
					line = v.AppendJSON(fmt.Appendf(line, "%q:", f.Name))
				}
			}
			line = geojson.AppendPolygons(append(line, `},"geometry":`...), o.MultiPolygon)
			n++
			_, err := out.Write(append(line, '}'))
			return err
		})
		if err != nil {
			return n, err
		}
	}
	if _, err := out.WriteString("\n]}\n"); err != nil {
		return n, err
	}
	return n, out.Flush()
}
