package format

import (
	"errors"
	"io"

	"github.com/paulmach/orb"
	"github.com/twpayne/go-geom"
	"github.com/twpayne/go-shapefile"
)

func (s *Shapefile) scan() (rec *shapefile.SHPRecord, err error) {
	err = guard(func() (err error) {
		rec, err = s.scanner.Scan()
		return err
	})
	if inner := errors.Unwrap(err); inner != nil {
		err = inner // without the library's number of the record, which counts from 0
	}
	return rec, err
}

// nextRecord reads the next record; nil where the file says that it has no
// geometry.
func (s *Shapefile) nextRecord() (*shapefile.SHPRecord, error) {
	rec, err := s.scan()
	switch {
	case errors.Is(err, io.EOF):
		return nil, s.fault(ErrTruncated, "the attribute table has %d records, the geometry ends early; fetch the file again", s.dbf.records)
	case err != nil:
		return nil, libraryError(s.shp.name, s.record, err)
	case rec.ShapeType == shapefile.ShapeTypeNull:
		return nil, nil
	case rec.ShapeType != s.kind:
		return nil, s.fault(ErrGeometry, "shape of type %d in a file of type %d", rec.ShapeType, s.kind)
	}
	return rec, nil
}

// polylines reads the lines of the next record.
func (s *Shapefile) polylines() (orb.MultiLineString, error) {
	rec, err := s.nextRecord()
	if rec == nil || err != nil {
		return nil, err
	}
	g, ok := rec.Geom.(*geom.MultiLineString)
	if !ok {
		return nil, s.fault(ErrGeometry, "%T, expected lines", rec.Geom)
	}
	points, err := s.points(g.FlatCoords(), g.Stride())
	if err != nil {
		return nil, err
	}
	var lines orb.MultiLineString
	from := 0
	for _, end := range g.Ends() {
		to := end / g.Stride()
		lines = append(lines, orb.LineString(points[from:to:to]))
		from = to
	}
	return lines, nil
}

// geometry reads the next record of the main file.
func (s *Shapefile) geometry() (orb.MultiPolygon, error) {
	s.closed = 0
	rec, err := s.nextRecord()
	if rec == nil || err != nil {
		return nil, err
	}
	g, ok := rec.Geom.(*geom.MultiPolygon)
	if !ok {
		return nil, s.fault(ErrGeometry, "%T, expected polygons", rec.Geom)
	}
	rings, err := s.rings(g)
	if err != nil {
		return nil, err
	}
	mp, ok := polygons(rings)
	if !ok {
		return nil, s.fault(ErrTooLong, "%d rings with %d points are too many to tell holes from islands", len(rings), g.NumCoords())
	}
	return mp, nil
}

// rings returns the rings of a record in degrees, in the order of the file.
func (s *Shapefile) rings(g *geom.MultiPolygon) ([]orb.Ring, error) {
	stride := g.Stride()
	points, err := s.points(g.FlatCoords(), stride)
	if err != nil {
		return nil, err
	}
	var rings []orb.Ring
	from := 0
	for _, ends := range g.Endss() {
		for _, end := range ends {
			to := end / stride
			r := orb.Ring(points[from:to:to])
			if s.closeRings && r[0] != r[len(r)-1] {
				r = append(r, r[0])
				s.closed++
			}
			if len(r) < 4 || r[0] != r[len(r)-1] {
				return nil, s.fault(ErrGeometry, "ring %d of %d points is not closed or has no area", len(rings)+1, len(r))
			}
			rings = append(rings, r)
			from = to
		}
	}
	return rings, nil
}

// points brings coordinates to degrees.
func (s *Shapefile) points(flat []float64, stride int) ([]orb.Point, error) {
	points := make([]orb.Point, len(flat)/stride)
	for i := range points {
		x, y := flat[i*stride], flat[i*stride+1]
		lng, lat := s.projection.Inverse(x, y)
		if !(lng >= -180 && lng <= 180 && lat >= -90 && lat <= 90) {
			return nil, s.fault(ErrGeometry, "point %d at %v, %v is not on the map of %v", i+1, x, y, s.projection)
		}
		points[i] = orb.Point{lng, lat}
	}
	return points, nil
}
