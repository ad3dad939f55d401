package format

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
)

// A GeoTable is a table of geometries, as of a GeoParquet file.
type GeoTable struct {
	Name     string // of the file
	Metadata string // the key "geo" of the file
	Header   []string
	// Rows are the cells as text. Binary data are as they are, or in hexadecimal.
	Rows iter.Seq2[[]string, error]
}

// geoColumn describes the column of the geometries.
type geoColumn struct {
	Encoding string
	CRS      json.RawMessage
}

// Shapes reads the areas of the primary column, as [GeoJSON.Shapes] does. A row
// with a malformed geometry has an error that matches [ErrValue].
func (t *GeoTable) Shapes(o GeoJSONOptions) iter.Seq2[Shape, error] {
	return func(yield func(Shape, error) bool) {
		at, err := t.geometry(o.Required)
		if err != nil {
			yield(Shape{}, err)
			return
		}
		names := make(map[string]int, len(t.Header))
		for i, name := range t.Header {
			if i != at {
				names[name] = i
			}
		}
		record := 0
		for cells, err := range t.Rows {
			record++
			s := Shape{file: t.Name, record: record, names: names, values: cells}
			if err == nil {
				err = s.setWKB(cells[at], &o)
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// geometry returns the column of the geometries.
func (t *GeoTable) geometry(required []string) (int, error) {
	fault := func(cause error, format string, args ...any) (int, error) {
		return 0, &Error{File: t.Name, Reason: fmt.Sprintf(format, args...), Err: cause}
	}
	var meta struct {
		Primary string `json:"primary_column"`
		Columns map[string]geoColumn
	}
	if t.Metadata == "" {
		return fault(ErrColumns, "lacks the metadata \"geo\" of GeoParquet")
	}
	if err := json.Unmarshal([]byte(t.Metadata), &meta); err != nil {
		return fault(ErrSyntax, "the metadata \"geo\" are not those of GeoParquet: %v", err)
	}
	column, ok := meta.Columns[meta.Primary]
	at := slices.Index(t.Header, meta.Primary)
	switch {
	case !ok || at < 0:
		return fault(ErrColumns, "lacks the column %q of its geometries", meta.Primary)
	case column.Encoding != "WKB":
		return fault(ErrGeometry, "geometries in the encoding %q, expected WKB", column.Encoding)
	case !inDegrees(column.CRS):
		return fault(ErrProjection, "reference system %s, expected degrees on WGS84 or NAD83", excerpt(string(column.CRS)))
	}
	for _, name := range required {
		if i := slices.Index(t.Header, name); i < 0 || i == at {
			return 0, &Error{File: t.Name, Column: name, Reason: "no such column", Err: ErrColumns}
		}
	}
	return at, nil
}

// inDegrees reports whether a reference system in PROJJSON is one in degrees on WGS84
// or NAD83. A missing one is.
func inDegrees(crs json.RawMessage) bool {
	if crs == nil {
		return true
	}
	var of struct {
		ID struct {
			Authority string
			Code      json.RawMessage
		}
	}
	if json.Unmarshal(crs, &of) != nil {
		return false
	}
	code := string(of.ID.Code)
	if text, err := strconv.Unquote(code); err == nil {
		code = text
	}
	return slices.Contains([]string{"OGC:CRS84", "OGC:CRS83", "EPSG:4326", "EPSG:4269"}, of.ID.Authority+":"+code)
}

// setWKB reads the geometry of a cell. An empty one gives an empty polygon.
func (s *Shape) setWKB(cell string, o *GeoJSONOptions) (err error) {
	if cell == "" {
		return nil
	}
	binary := []byte(cell)
	if cell[0] == '0' { // else the order of bytes
		if binary, err = hex.DecodeString(cell); err != nil {
			return s.Errorf("outline", "the geometry is not well-known binary")
		}
	}
	if err := s.parseWKB(binary); err != nil {
		return s.Errorf("outline", "%v", err)
	}
	if len(s.Lines) > 0 && !o.Lines {
		return s.Errorf("outline", "the geometry is a point or line, expected polygons")
	}
	for _, l := range s.Lines {
		for _, p := range l {
			if !onEarth(p) {
				return s.Errorf("outline", "position %v is not a longitude and latitude in degrees", p)
			}
		}
	}
	if reason := s.tidy(o.CloseRings); reason != "" {
		return s.Errorf("outline", "%s", reason)
	}
	return nil
}

// tidy closes and orients the rings. It returns the fault of a malformed one.
func (s *Shape) tidy(closing bool) (fault string) {
	for _, p := range s.Polygon {
		if closing {
			s.Closed += closeRings(p)
		}
		if reason := badPolygon(p); reason != "" {
			return reason
		}
		orient(p)
	}
	return ""
}
