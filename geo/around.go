package geo

// AppendAround appends the areas that the point belongs to, smallest first.
// Nested areas are all appended. A point on a shared edge belongs to one area,
// as for [PolygonIndex.Containing]. If no area contains the point in its
// interior, the smallest with the point on its edge is appended.
func (x *PolygonIndex) AppendAround(dst []int, p LatLng) []int {
	if !p.IsValid() {
		return dst
	}
	at := newProbe(p)
	small, large := x.grid.candidates(int32(at.floorX), int32(at.floorY))
	from := len(dst)
	for a, b := small, large; len(a) > 0 || len(b) > 0; {
		var i int32
		if len(a) == 0 || len(b) > 0 && x.shapes[b[0]].rank < x.shapes[a[0]].rank {
			i, b = b[0], b[1:]
		} else {
			i, a = a[0], a[1:]
		}
		if s := &x.shapes[i]; x.holds(s, at) {
			dst = append(dst, int(s.index))
		}
	}
	if len(dst) == from {
		if i := x.first(small, large, at, x.touches); i >= 0 {
			dst = append(dst, int(x.shapes[i].index))
		}
	}
	return dst
}
