package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// heldRoads is the number of points and segments in memory, about 300 bytes each.
const heldRoads = 400_000

// AddRoad adds points and segments of a road, in any order. Those that another
// source has given before are dropped.
func (w *Writer) AddRoad(r Road) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	w.roads = append(w.roads, r)
	if len(w.roads) < heldRoads {
		return nil
	}
	return w.flushRoads()
}

func (r *Road) check() error {
	switch {
	case r.Area >= numCodes:
		return file.Invalid("a road of area number %d; expected at most %d", r.Area, numCodes-1)
	case r.Name == "" || len(r.String()) > maxRoadName:
		return file.Invalid("a road of %s with a name of %d bytes; expected 1 to %d", r.Area, len(r.String()), maxRoadName)
	case len(r.Points)+len(r.Segments) == 0:
		return file.Invalid("%s in %s has no points and no segments", r.RoadName, r.Area)
	}
	if !file.ValidTexts(r) {
		return file.Invalid("a text of %s in %s is not UTF-8", r.RoadName, r.Area)
	}
	for _, p := range r.Points {
		if !p.Location.IsValid() || p.Number.Value > maxNumber || p.Origin.Placement >= numPlacements || p.Origin.Code >= numBases {
			return file.Invalid("%s %s in %s has no point, number or placement", p.Number, r.RoadName, r.Area)
		}
	}
	for _, s := range r.Segments {
		if len(s.Line) < 2 || len(s.Line) > maxVertices || slices.ContainsFunc(s.Line, func(p geo.LatLng) bool { return !p.IsValid() }) {
			return file.Invalid("a segment of %s in %s has %d valid points; expected 2 to %d", r.RoadName, r.Area, len(s.Line), maxVertices)
		}
	}
	return nil
}

// flushRoads writes the held records to the spool, one row for each area.
func (w *Writer) flushRoads() error {
	slices.SortStableFunc(w.roads, func(a, b Road) int { return cmp.Compare(a.Area, b.Area) })
	for rest := w.roads; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Area == rest[0].Area {
			n++
		}
		if err := w.out.Spool("road", int64(rest[0].Area), file.EncodeRows(mergedRoads(rest[:n]))); err != nil {
			return err
		}
		rest = rest[n:]
	}
	clear(w.roads)
	w.roads = w.roads[:0]
	return nil
}

// writeRoads writes the areas in ascending order.
func (w *Writer) writeRoads() error {
	areas := w.out.Spooled("road")
	if len(areas) == 0 {
		return nil
	}
	for _, table := range []string{"road", "road_index", "road_area"} {
		if err := w.out.Exec("DELETE FROM " + table); err != nil { // written anew with the others
			return err
		}
	}
	if w.base != nil {
		for a := range w.base.RoadAreas() {
			areas = append(areas, int64(a))
		}
		slices.Sort(areas)
	}
	for _, id := range slices.Compact(areas) {
		var list []Road
		if w.base != nil {
			for r, err := range w.base.AllRoads(context.Background(), Code(id)) {
				if err != nil {
					return err
				}
				list = append(list, r)
			}
		}
		list, err := file.ReadSpooled(w.out, list, "road", id, file.DecodeRows[Road])
		if err != nil {
			return err
		}
		if err := w.writeRoadArea(Code(id), mergedRoads(list)); err != nil {
			return err
		}
	}
	return nil
}

// writeRoadArea writes the pages and the index of an area.
func (w *Writer) writeRoadArea(a Code, list []Road) error {
	row := roadArea{Area: a, Roads: len(list), Box: emptyBox}
	for i := range list {
		b := list[i].box()
		row.Box.add(b.Low)
		row.Box.add(b.High)
		row.Points += len(list[i].Points)
		for _, s := range list[i].Segments {
			row.Ranges += int(min(s.Left.Parity, 1) + min(s.Right.Parity, 1))
		}
	}
	// Merged roads are in the order of their names, which a curve changes.
	slices.SortStableFunc(list, func(x, y Road) int {
		return cmp.Compare(spatial.CurveKey(x.box().Low.point()), spatial.CurveKey(y.box().Low.point()))
	})
	index := make([]roadKey, 0, len(list))
	for ; len(list) > 0; row.Pages++ {
		n, records := 0, 0
		for ; n < len(list) && (n == 0 || records < roadPageRecords); n++ {
			records += 1 + len(list[n].Points)
			for _, s := range list[n].Segments {
				records += 2 + len(s.Line)
			}
			index = append(index, roadKey{list[n].id().key, roadPlace{uint32(row.Pages), uint16(n)}, list[n].box()})
		}
		if err := w.out.Insert("road", int64(a)*maxRoadPages+int64(row.Pages), file.EncodeRows(list[:n])); err != nil {
			return err
		}
		list = list[n:]
	}
	slices.SortStableFunc(index, func(x, y roadKey) int { return cmp.Compare(x.Key, y.Key) })
	if err := w.out.Insert("road_index", int64(a), file.EncodeRows(index)); err != nil {
		return err
	}
	return w.out.Insert("road_area", slices.Insert(file.Values(nil, &row), 1, driver.Value(a.String()))...)
}
