package spatial

// WithoutRasters makes the index test every point exactly.
func (x *PolygonIndex) WithoutRasters() { x.rasters.bytes.Store(2 * mostRasters) }

// RasterBytes returns the memory of the rasters.
func (x *PolygonIndex) RasterBytes() int64 { return x.rasters.bytes.Load() }
