package store

import (
	"cmp"
	"context"
	"math"
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
	case r.Area >= numRoadAreas:
		return file.Invalid("a road of area number %d; expected at most %d", r.Area, numRoadAreas-1)
	case r.Name == "" || len(r.String()) > maxRoadName:
		return file.Invalid("a road of %s with a name of %d bytes; expected 1 to %d", r.Area, len(r.String()), maxRoadName)
	case len(r.Points)+len(r.Segments) == 0:
		return file.Invalid("%s in %s has no points and no segments", r.RoadName, r.Area)
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
	w.roadRun++
	for rest := w.roads; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Area == rest[0].Area {
			n++
		}
		c := file.NewCoder()
		list := mergedRoads(rest[:n])
		file.List(&c, &list, func(r *Road) { codeRoad(&c, w.spooledRoads, cell{}, r) })
		payload, err := c.Bytes()
		if err == nil {
			err = w.out.Rows.Add(roadRows.Name, int64(rest[0].Area), w.roadRun, payload)
		}
		if err != nil {
			w.out.Err = err
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
	entries := w.out.Rows.Entries[roadRows.Name]
	if len(entries) == 0 {
		return nil
	}
	for _, table := range []string{"road", "road_index", "road_area", "road_source"} {
		if err := w.out.Exec("DELETE FROM " + table); err != nil { // written anew with the others
			return err
		}
	}
	slices.SortStableFunc(entries, func(a, b file.Spooled) int {
		return cmp.Or(cmp.Compare(a.Id, b.Id), cmp.Compare(a.Run, b.Run))
	})
	w.spooledRoads.List = w.spooledRoads.Packer.List
	var before []RoadArea
	if w.base != nil {
		before = slices.Collect(w.base.RoadAreas())
	}
	for len(entries) > 0 || len(before) > 0 {
		a := RoadArea(math.MaxUint32)
		if len(entries) > 0 {
			a = RoadArea(entries[0].Id)
		}
		var list []Road
		if len(before) > 0 && before[0] <= a {
			a, before = before[0], before[1:]
			for r, err := range w.base.AllRoads(context.Background(), a) {
				if err != nil {
					return err
				}
				list = append(list, r)
			}
		}
		for len(entries) > 0 && RoadArea(entries[0].Id) == a {
			payload, err := w.out.Rows.Read(entries[0])
			if err != nil {
				return err
			}
			c := file.Decode(payload)
			var some []Road
			file.List(&c, &some, func(r *Road) { r.Area = a; codeRoad(&c, w.spooledRoads, cell{}, r) })
			if err := c.End(); err != nil {
				return err
			}
			list, entries = append(list, some...), entries[1:]
		}
		if err := w.writeRoadArea(a, mergedRoads(list)); err != nil {
			return err
		}
	}
	for i, source := range w.roadSources.Packer.List {
		if err := w.out.Insert("road_source", int64(i+1), source); err != nil {
			return err
		}
	}
	return nil
}

// writeRoadArea writes the pages and the index of an area.
func (w *Writer) writeRoadArea(a RoadArea, list []Road) error {
	row := roadArea{area: a, roads: len(list), box: emptyBox}
	type entry struct {
		key   string
		box   cellBox
		place roadPlace
	}
	boxes, entries := make([]cellBox, len(list)), make([]entry, 0, len(list))
	for i := range list {
		boxes[i] = list[i].box()
		row.box.add(boxes[i].low)
		row.box.add(boxes[i].high)
		row.points += len(list[i].Points)
		for _, s := range list[i].Segments {
			row.ranges += int(min(s.Left.Parity, 1) + min(s.Right.Parity, 1))
		}
	}
	// Merged streets are in the order of their names, which a curve changes.
	slices.SortStableFunc(list, func(x, y Road) int {
		return cmp.Compare(spatial.CurveKey(x.box().low.point()), spatial.CurveKey(y.box().low.point()))
	})
	for rest := list; len(rest) > 0; row.pages++ {
		page, n, err := encodeRoadPage(rest, w.roadSources)
		if err == nil {
			err = w.out.Insert(roadRows.Name, int64(a)*maxRoadPages+int64(row.pages), page)
		}
		if err != nil {
			return err
		}
		for i := range rest[:n] {
			entries = append(entries, entry{rest[i].id().key, rest[i].box(), roadPlace{page: uint32(row.pages), slot: uint16(i)}})
		}
		rest = rest[n:]
	}
	slices.SortStableFunc(entries, func(x, y entry) int { return cmp.Compare(x.key, y.key) })
	var x roadIndex
	for _, e := range entries {
		e.place.box = e.box.scaled(row.box)
		x.add(e.key, e.place)
	}
	if err := w.out.Insert(roadIndexRows.Name, int64(a), x.encode()); err != nil {
		return err
	}
	box := row.box
	return w.out.Insert("road_area", int64(a), a.String(), int64(row.pages), int64(row.roads), int64(row.ranges), int64(row.points),
		int64(box.low.lat), int64(box.low.lng), int64(box.high.lat), int64(box.high.lng))
}
