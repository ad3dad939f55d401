package output

import (
	"bufio"

	"github.com/postgeo/postgeo/internal/envelope"
)

// A Feature is the geometry of an item and its source.
type Feature struct {
	Geometry []byte // nil for none
	ID       string // "" for none
	Source   string // the file of the geometry; "" if it is not an area
}

// appendFeature appends a GeoJSON feature with the item as its properties.
func appendFeature(dst []byte, f Feature, item []byte) []byte {
	dst = append(dst, `{"type":"Feature",`...)
	if f.ID != "" {
		dst = envelope.AppendString(append(dst, `"id":`...), f.ID)
		dst = append(dst, ',')
	}
	dst = append(append(dst, `"properties":`...), item...)
	if f.Source != "" {
		dst = envelope.AppendString(append(dst, `,"source":`...), f.Source)
	}
	geometry := f.Geometry
	if geometry == nil {
		geometry = []byte("null")
	}
	dst = append(append(dst, `,"geometry":`...), geometry...)
	return append(dst, '}')
}

// collectionSink writes features as one collection, a feature a line.
type collectionSink struct {
	w *bufio.Writer
	n int
}

func (s *collectionSink) write(feature []byte) error {
	if s.n == 0 {
		s.begin()
	} else {
		s.w.WriteByte(',')
	}
	s.n++
	s.w.WriteByte('\n')
	_, err := s.w.Write(feature)
	return err
}

func (s *collectionSink) begin() {
	s.w.WriteString(`{"type":"FeatureCollection","features":[`)
}

func (s *collectionSink) close() error {
	if s.n == 0 {
		s.begin()
	}
	_, err := s.w.WriteString("\n]}\n")
	return err
}
