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
	"strconv"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/lookup"
)

// AreaFields are the columns of [Areas]. The geometry is well-known binary
// (WKB); bbox is the box around it.
func AreaFields() []table.Field {
	box := columns(enrich.Float, "xmin", "ymin", "xmax", "ymax")
	for i := range box {
		box[i].Group = "bbox"
	}
	return slices.Concat(
		columns(enrich.String, "layer", "geoid", "name", "state"),
		columns(enrich.Float, "land_area_sq_mi", "water_area_sq_mi"),
		columns(enrich.String, "source", "vintage"),
		box,
		columns(enrich.Bytes, "geometry"),
	)
}

// columns returns columns of one type.
func columns(t enrich.Type, names ...string) []table.Field {
	fields := make([]table.Field, len(names))
	for i, name := range names {
		fields[i] = table.Field{Name: name, Type: t}
	}
	return fields
}

// An Outline is an area with its outline, which is cut at longitude 180 and has
// no ring of fewer than three vertices.
type Outline struct {
	lookup.Area
	Kind string // the layer's name, "zip", "fsa" or "state"
	orb.MultiPolygon
}

// Outlines calls each for every area of a kind that has an outline, by
// ascending GEOID. A kind is a layer, "zip", "fsa" or "state". If the dataset
// has none, the error matches [postgeo.ErrUnavailable].
func Outlines(ctx context.Context, db *postgeo.DB, kind string, each func(*Outline) error) error {
	n := 0
	drawn := func(o *Outline) error {
		if o.MultiPolygon = geojson.Cut(o.MultiPolygon); len(o.MultiPolygon) == 0 {
			return nil
		}
		n++
		return each(o)
	}
	var err error
	if kind == "state" {
		err = states(ctx, db, drawn)
	} else {
		err = outlines(ctx, db, kind, drawn)
	}
	if err == nil && n == 0 {
		err = lacks("outlines of the kind " + kind)
	}
	return err
}

// lacks returns the error of a dataset that was built without the data of a table.
func lacks(what string) error {
	return &fault.Error{
		Op: "export", Kind: fault.Unavailable, Thing: fault.Layer, Lacks: what,
		Detail: fmt.Sprintf("the dataset has no %s; build one with the layer boundaries", what),
	}
}

// outlines implements Outlines for layers and codes.
func outlines(ctx context.Context, db *postgeo.DB, kind string, each func(*Outline) error) error {
	codes := map[string]lookup.CodeType{"zip": lookup.ZIP, "fsa": lookup.FSA}[kind]
	layer, known := lookup.ParseLayer(kind)
	ids := db.AreaIDs(ctx, layer)
	switch {
	case codes != "":
		ids = db.Codes(ctx, codes)
	case !known:
		return &fault.Error{Op: "export", Kind: fault.InvalidParam, Param: "kind", Input: kind, Range: "zip, fsa, state or a layer"}
	}
	for id, err := range ids {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		o := Outline{Kind: kind}
		if codes != "" {
			err = o.code(ctx, db, id)
		} else {
			o.Area, o.MultiPolygon, err = db.AreaOutline(ctx, layer, id)
			o.Kind = string(layer)
		}
		if err == nil {
			err = each(&o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// states implements Outlines for states and provinces, whose GEOIDs are their
// two letters.
func states(ctx context.Context, db *postgeo.DB, each func(*Outline) error) error {
	for s, err := range db.StateOutlines(ctx) {
		o := Outline{Kind: "state", MultiPolygon: s.Outline}
		o.GEOID, o.State = s.State, s.State
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = each(&o)
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// Areas writes a row for every area of the kinds that has an outline, and
// returns the number of rows. In Parquet the file is GeoParquet 1.1.
func Areas(ctx context.Context, db *postgeo.DB, kinds []string, w *table.Writer) (int64, error) {
	var n int64
	all := emptyBound()
	var values []enrich.Value
	for _, kind := range kinds {
		err := Outlines(ctx, db, kind, func(o *Outline) error {
			b := o.Bound()
			all = all.Union(b)
			values = append(values[:0],
				enrich.StringValue(o.Kind), enrich.StringValue(o.GEOID), enrich.StringValue(o.Name), enrich.StringValue(o.State),
				float(o.LandAreaSqMi), float(o.WaterAreaSqMi), enrich.StringValue(o.Source), enrich.StringValue(o.Vintage),
				enrich.FloatValue(b.Min[0]), enrich.FloatValue(b.Min[1]), enrich.FloatValue(b.Max[0]), enrich.FloatValue(b.Max[1]),
				enrich.BytesValue(appendWKB(nil, o.MultiPolygon)))
			n++
			return w.Write(values)
		})
		if err != nil {
			return n, err
		}
	}
	meta, err := geoMetadata(all, n > 0)
	if err != nil {
		return n, err
	}
	w.SetMetadata("geo", meta)
	return n, nil
}

func emptyBound() orb.Bound {
	inf := math.Inf(1)
	return orb.Bound{Min: orb.Point{inf, inf}, Max: orb.Point{-inf, -inf}}
}

// geoMetadata is the key "geo" of GeoParquet 1.1.0. Without a reference system
// coordinates are longitude and latitude (OGC:CRS84).
func geoMetadata(all orb.Bound, some bool) (string, error) {
	type covering struct {
		Box struct {
			XMin [2]string `json:"xmin"`
			YMin [2]string `json:"ymin"`
			XMax [2]string `json:"xmax"`
			YMax [2]string `json:"ymax"`
		} `json:"bbox"`
	}
	type geometry struct {
		Encoding    string    `json:"encoding"`
		Types       []string  `json:"geometry_types"`
		Orientation string    `json:"orientation"`
		Edges       string    `json:"edges"`
		Box         []float64 `json:"bbox,omitzero"`
		Covering    covering  `json:"covering"`
	}
	type geoKey struct {
		Version string              `json:"version"`
		Primary string              `json:"primary_column"`
		Columns map[string]geometry `json:"columns"`
	}
	g := geometry{Encoding: "WKB", Types: []string{"MultiPolygon"}, Orientation: "counterclockwise", Edges: "planar"}
	if some {
		g.Box = []float64{all.Min[0], all.Min[1], all.Max[0], all.Max[1]}
	}
	b := &g.Covering.Box
	b.XMin, b.YMin = [2]string{"bbox", "xmin"}, [2]string{"bbox", "ymin"}
	b.XMax, b.YMax = [2]string{"bbox", "xmax"}, [2]string{"bbox", "ymax"}
	text, err := json.Marshal(geoKey{"1.1.0", "geometry", map[string]geometry{"geometry": g}})
	return string(text), err
}

// appendWKB appends a MultiPolygon as well-known binary in little-endian order.
// Rings are closed.
func appendWKB(dst []byte, m orb.MultiPolygon) []byte {
	const polygon, multiPolygon = 3, 6
	head := func(kind uint32, n int) {
		dst = append(dst, 1) // little-endian
		dst = binary.LittleEndian.AppendUint32(dst, kind)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	vertex := func(p orb.Point) {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(p[0]))
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(p[1]))
	}
	head(multiPolygon, len(m))
	for _, p := range m {
		head(polygon, len(p))
		for _, ring := range p {
			open := len(ring) > 0 && ring[0] != ring[len(ring)-1]
			n := len(ring)
			if open {
				n++
			}
			dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
			for _, v := range ring {
				vertex(v)
			}
			if open {
				vertex(ring[0])
			}
		}
	}
	return dst
}

// GeoJSON writes every area of the kinds that has an outline as a feature of
// one collection (RFC 7946). The columns of [AreaFields] are its properties. It
// returns the number of features.
func GeoJSON(ctx context.Context, db *postgeo.DB, kinds []string, w io.Writer) (int64, error) {
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := out.WriteString(`{"type":"FeatureCollection","features":[`); err != nil {
		return 0, err
	}
	var n int64
	var line []byte
	for _, kind := range kinds {
		err := Outlines(ctx, db, kind, func(o *Outline) error {
			line = line[:0]
			if n > 0 {
				line = append(line, ',')
			}
			line = append(line, "\n{\"type\":\"Feature\",\"properties\":{"...)
			line = o.appendProperties(line)
			line = geojson.AppendPolygons(append(line, `},"geometry":`...), o.MultiPolygon)
			line = append(line, '}')
			n++
			_, err := out.Write(line)
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

func (o *Outline) appendProperties(dst []byte) []byte {
	text := func(name, value string) {
		if value != "" {
			dst = append(append(append(dst, ',', '"'), name...), '"', ':')
			dst = envelope.AppendString(dst, value)
		}
	}
	number := func(name string, value *float64) {
		if value != nil {
			dst = append(append(append(dst, ',', '"'), name...), '"', ':')
			dst = strconv.AppendFloat(dst, *value, 'f', -1, 64)
		}
	}
	dst = envelope.AppendString(append(dst, `"layer":`...), o.Kind)
	text("geoid", o.GEOID)
	text("name", o.Name)
	text("state", o.State)
	number("land_area_sq_mi", o.LandAreaSqMi)
	number("water_area_sq_mi", o.WaterAreaSqMi)
	text("source", o.Source)
	text("vintage", o.Vintage)
	return dst
}
