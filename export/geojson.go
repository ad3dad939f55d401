package export

import (
	"bufio"
	"context"
	"io"
	"strconv"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/envelope"
)

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
