package spatial

import "fmt"

// WithoutRasters makes the index test every point exactly.
func (x *PolygonIndex) WithoutRasters() { x.rasters.bytes.Store(2 * mostRasters) }

// RasterBytes returns the memory of the rasters.
func (x *PolygonIndex) RasterBytes() int64 { return x.rasters.bytes.Load() }

// Verify unpacks every outline and checks that each vertex lies in its
// chunk's box and that rings are closed. An error matches [ErrDamagedIndex].
func (x *PolygonIndex) Verify() error {
	for ring := range uint32(len(x.rings) - 1) {
		chunks := x.chunksOf(ring)
		last := &chunks[len(chunks)-1]
		r := last.reader(x.vertices)
		px, py := last.absolute(r.at(int(last.edges)))
		for i := range chunks {
			c := &chunks[i]
			r := c.reader(x.vertices)
			for k := range int(c.edges) + 1 {
				dx, dy := r.at(k)
				if dx > c.w || dy > c.h {
					return fmt.Errorf("%w: a vertex of ring %d lies outside the box of its chunk", ErrDamagedIndex, ring)
				}
				vx, vy := c.absolute(dx, dy)
				if k == 0 && (vx != px || vy != py) {
					return fmt.Errorf("%w: ring %d is not closed or has a gap", ErrDamagedIndex, ring)
				}
				px, py = vx, vy
			}
		}
	}
	return nil
}
