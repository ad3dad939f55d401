package format_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/ewkb"
	"github.com/paulmach/orb/encoding/wkb"

	"github.com/postgeo/postgeo/internal/source/format"
)

var square = orb.Polygon{{{0, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 0}}}

// geoTable returns a table of geometries.
func geoTable(meta string, cells ...string) *format.GeoTable {
	return &format.GeoTable{Name: "areas.parquet", Metadata: meta, Header: []string{"id", "geometry"}, Rows: func(yield func([]string, error) bool) {
		for i, c := range cells {
			if !yield([]string{string(rune('a' + i)), c}, nil) {
				return
			}
		}
	}}
}

const geoMeta = `{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB"}}}`

// TestGeoTable reads the encodings of another library.
func TestGeoTable(t *testing.T) {
	must := func(b []byte, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	lines := func(l ...orb.LineString) orb.MultiLineString { return l }
	for _, test := range []struct {
		of    orb.Geometry
		areas orb.MultiPolygon
		lines orb.MultiLineString
	}{
		{square, orb.MultiPolygon{square}, nil},
		{orb.MultiPolygon{square, square}, orb.MultiPolygon{square, square}, nil},
		{orb.Point{1, 2}, nil, lines(orb.LineString{{1, 2}})},
		{orb.MultiPoint{{1, 2}, {3, 4}}, nil, lines(orb.LineString{{1, 2}}, orb.LineString{{3, 4}})},
		{orb.LineString{{1, 2}, {3, 4}}, nil, lines(orb.LineString{{1, 2}, {3, 4}})},
		{orb.MultiLineString{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, nil, lines(orb.LineString{{1, 2}, {3, 4}}, orb.LineString{{5, 6}, {7, 8}})},
	} {
		cells := []string{
			must(wkb.Marshal(test.of, binary.LittleEndian)), must(wkb.Marshal(test.of, binary.BigEndian)),
			hex.EncodeToString([]byte(must(wkb.Marshal(test.of)))), must(ewkb.Marshal(test.of, 4326)),
		}
		n := 0
		for s, err := range geoTable(geoMeta, cells...).Shapes(format.GeoJSONOptions{Lines: true, Required: []string{"id"}}) {
			if diff := cmp.Diff(test.areas, s.Polygon) + cmp.Diff(test.lines, s.Lines); err != nil || diff != "" || s.Get("id") != string(rune('a'+n)) || s.Has("geometry") {
				t.Errorf("%T, cell %d: %v %s", test.of, n, err, diff)
			}
			n++
		}
		if n != len(cells) {
			t.Errorf("%T: %d shapes", test.of, n)
		}
	}
}

// heights is a line of two vertices with heights, and with heights and measures.
func heights(kind uint32, numbers int) string {
	b := binary.LittleEndian.AppendUint32([]byte{1}, kind)
	b = binary.LittleEndian.AppendUint32(b, 2)
	for i := range 2 * numbers {
		v := uint64(0x4000000000000000) // 2
		if i%numbers > 1 {
			v = 0x7ff8000000000000 // not a number
		}
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return string(b)
}

func TestWKBHeights(t *testing.T) {
	want := orb.MultiLineString{{{2, 2}, {2, 2}}}
	for _, cell := range []string{heights(1002, 3), heights(2002, 3), heights(3002, 4), heights(1<<31|2, 3), heights(3<<30|2, 4)} {
		for s, err := range geoTable(geoMeta, cell).Shapes(format.GeoJSONOptions{Lines: true}) {
			if diff := cmp.Diff(want, s.Lines); err != nil || diff != "" {
				t.Errorf("%x: %v %s", cell, err, diff)
			}
		}
	}
}

// TestGeoTableRefuses verifies the errors of files and rows. Reading continues behind a
// bad row.
func TestGeoTableRefuses(t *testing.T) {
	whole, err := wkb.Marshal(square)
	if err != nil {
		t.Fatal(err)
	}
	with := func(old, text string) string { return strings.Replace(geoMeta, old, text, 1) }
	for meta, want := range map[string]string{
		"":                                `lacks the metadata "geo"`,
		"[]":                              "are not those of GeoParquet",
		with(`"geometry"`, `"shape"`):     `lacks the column "shape"`,
		with(`"WKB"`, `"polygon"`):        `encoding "polygon", expected WKB`,
		with(`"WKB"`, `"WKB","crs":null`): `reference system "null"`,
		with(`"WKB"`, `"WKB","crs":{"id":{"authority":"EPSG","code":3857}}`): "expected degrees",
	} {
		n := 0
		for _, err := range geoTable(meta, string(whole)).Shapes(format.GeoJSONOptions{}) {
			if n++; err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, format.ErrValue) {
				t.Errorf("%s: error %v, want %s", meta, err, want)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d shapes", meta, n)
		}
	}
	for _, code := range []string{`"CRS84"`, `4326`} {
		authority := map[bool]string{true: "OGC", false: "EPSG"}[code[0] == '"']
		for _, err := range geoTable(with(`"WKB"`, `"WKB","crs":{"id":{"authority":"`+authority+`","code":`+code+`}}`), string(whole)).Shapes(format.GeoJSONOptions{}) {
			if err != nil {
				t.Error(err)
			}
		}
	}
	line, _ := wkb.Marshal(orb.LineString{{1, 2}, {3, 4}})
	far, _ := wkb.Marshal(orb.Polygon{{{0, 0}, {200, 0}, {2, 2}, {0, 0}}})
	bad := []string{string(line), string(far), string(whole[:40]), string(whole) + "\x00", "0g", "\x01\x07\x00\x00\x00\x00\x00\x00\x00", "\x02\x01\x00\x00\x00", "\x01\x03\x00\x00\x00\xff\xff\xff\xff", "\x01"}
	var refused []string
	for s, err := range geoTable(geoMeta, append(bad, string(whole), "")...).Shapes(format.GeoJSONOptions{}) {
		if errors.Is(err, format.ErrValue) {
			refused = append(refused, err.Error())
		} else if err != nil || len(s.Polygon) != 1 && s.Record() <= len(bad)+1 {
			t.Errorf("record %d: %v", s.Record(), err)
		}
	}
	if len(refused) != len(bad) || slices.Contains(refused, "") {
		t.Errorf("%d of %d rows were refused: %q", len(refused), len(bad), refused)
	}
}

// FuzzWKB reads malformed binary data.
func FuzzWKB(f *testing.F) {
	for _, g := range []orb.Geometry{square, orb.MultiPolygon{square}, orb.MultiPoint{{1, 2}}} {
		b, err := wkb.Marshal(g)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, cell string) {
		for s, err := range geoTable(geoMeta, cell).Shapes(format.GeoJSONOptions{Lines: true, CloseRings: true}) {
			if err != nil && !errors.Is(err, format.ErrValue) {
				t.Errorf("record %d: %v", s.Record(), err)
			}
		}
	})
}
