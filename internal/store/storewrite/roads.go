package storewrite

import (
	"cmp"
	"context"
	"slices"

	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/cell"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// heldRoads is the number of points and segments in memory, about 300 bytes each: 120 MB,
// however many the sources have.
const heldRoads = 400_000

// roadPageRecords is the number of points and vertices after which a page ends at the first
// road.
const roadPageRecords = 500

// AddRoad adds points and segments of a road, in any order. Those that another
// source has given before are dropped.
func (w *Writer) AddRoad(r store.Road) error {
	if err := w.usable(); err != nil {
		return err
	}
	w.roads = append(w.roads, r)
	if len(w.roads) < heldRoads {
		return nil
	}
	return w.flushRoads()
}

// flushRoads writes the held records to the spool, one row for each area.
func (w *Writer) flushRoads() error {
	slices.SortStableFunc(w.roads, func(a, b store.Road) int { return cmp.Compare(a.Area, b.Area) })
	for rest := w.roads; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Area == rest[0].Area {
			n++
		}
		if err := w.keep("road", int64(rest[0].Area), file.EncodeRows(mergedRoads(rest[:n]))); err != nil {
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
	if err := w.flushRoads(); err != nil {
		return err
	}
	areas, err := w.spooled("road")
	if err != nil || len(areas) == 0 {
		return err
	}
	if err := cmp.Or(w.clear("road"), w.clear("road_index"), w.clear("road_area")); err != nil { // they are written anew with the others
		return err
	}
	if w.base != nil {
		for a := range w.base.RoadAreas() {
			areas = append(areas, int64(a))
		}
		slices.Sort(areas)
	}
	for _, id := range slices.Compact(areas) {
		var list []store.Road
		if w.base != nil {
			for r, err := range w.base.AllRoads(context.Background(), store.Code(id)) {
				if err != nil {
					return err
				}
				list = append(list, r)
			}
		}
		list, err := readSpooled(w, list, "road", id, file.DecodeRows[store.Road])
		if err != nil {
			return err
		}
		if err := w.writeRoadArea(store.Code(id), mergedRoads(list)); err != nil {
			return err
		}
	}
	return nil
}

// writeRoadArea writes the pages and the index of an area.
func (w *Writer) writeRoadArea(a store.Code, list []store.Road) error {
	row := store.RoadArea{Area: a, RoadCoverage: store.RoadCoverage{Roads: len(list)}, Box: cell.Empty}
	for i := range list {
		b := boxOf(&list[i])
		row.Box.Add(b.Low)
		row.Box.Add(b.High)
		row.Points += len(list[i].Points)
		for _, s := range list[i].Segments {
			row.Ranges += int(min(s.Left.Parity, 1) + min(s.Right.Parity, 1))
		}
	}
	// Merged roads are in the order of their names. Along a curve, neighbors share pages.
	slices.SortStableFunc(list, func(x, y store.Road) int {
		return cmp.Compare(spatial.CurveKey(boxOf(&x).Low.Point()), spatial.CurveKey(boxOf(&y).Low.Point()))
	})
	index := make([]store.RoadKey, 0, len(list))
	for ; len(list) > 0; row.Pages++ {
		n, records := 0, 0
		for ; n < len(list) && (n == 0 || records < roadPageRecords); n++ {
			records += 1 + len(list[n].Points)
			for _, s := range list[n].Segments {
				records += 2 + len(s.Line)
			}
			index = append(index, store.RoadKey{
				Key: pub28.Key(list[n].Name), RoadPlace: store.RoadPlace{Page: uint32(row.Pages), Slot: uint16(n)}, Box: boxOf(&list[n]),
			})
		}
		if err := w.insert("road", int64(a)*store.MaxRoadPages+int64(row.Pages), file.EncodeRows(list[:n])); err != nil {
			return err
		}
		list = list[n:]
	}
	slices.SortStableFunc(index, func(x, y store.RoadKey) int { return cmp.Compare(x.Key, y.Key) })
	if err := w.insert("road_index", int64(a), file.EncodeRows(index)); err != nil {
		return err
	}
	return w.insert("road_area", int64(a), a, row.Pages, row.Roads, row.Ranges, row.Points, &row.Box)
}

// boxOf returns the box around a road.
func boxOf(r *store.Road) cell.Box {
	b := cell.Empty
	for i := range r.Points {
		b.Add(cell.Of(r.Points[i].Location))
	}
	for i := range r.Segments {
		for _, p := range r.Segments[i].Line {
			b.Add(cell.Of(p))
		}
	}
	return b
}
