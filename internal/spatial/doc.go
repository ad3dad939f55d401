// Package spatial provides indexes of points and polygons on WGS84, circles,
// and the measurement of areas, borders and overlaps.
//
// # Parts
//
//   - Points: pointindex.go has the tree, nearest.go and pointcount.go search it, neighbor.go
//     sorts what they find, and pointcodec.go packs it.
//   - Polygons: polygonindex.go has the levels, polygonbuilder.go, polygoncodec.go and chunk.go
//     their packed form. contains.go, grid.go and raster.go find the area around a point;
//     circle.go, share.go and walk.go the shares inside a circle; boundary.go distances.
//   - Pairs of areas: overlap.go and overlapclip.go measure what two share, region.go and its
//     files what many share with a polygon of a user, border.go common borders.
//   - All of these: ellipsoid.go, plane.go and area.go.
//
// # Edges
//
// An edge is straight in longitude and latitude, as in the agencies' files, and goes the
// short way round the globe. It is not a geodesic: at latitude 60 an edge of 50 km lies up to
// 85 m from it. Rings do not jump at the antimeridian: their longitudes run
// on beyond 180 degrees, and searches look at a point a second time, one turn further east.
//
// # Frames
//
// Each question is answered in the frame in which it is simple:
//
//   - Whole numbers of 1e-6 degree for vertices and 1e-7 for points: whether a point is in
//     an area, without rounding.
//   - Earth-centered meters ([vec3]): distances. The straight line through the earth is a
//     lower bound of the geodesic, and the antimeridian and the poles are ordinary places.
//   - The authalic sphere, whose areas are those of the ellipsoid, and Lambert's azimuthal
//     plane of it about a center: shares of areas inside a [Circle].
//   - The cylindrical equal-area plane of longitude and authalic sine: areas, overlaps and
//     regions. In it an edge is almost a parabola with a small known bend.
//
// # Reproducible bits
//
// A compiler may fuse x*y + z into one instruction that rounds once. Go's does so on arm64,
// and on amd64 only with GOAMD64=v3. An explicit conversion prevents it (Go specification,
// "Floating-point operators"). Products that are added to something are therefore written
// float64(x*y), and datasets and published numbers are the same on both.
//
// # Concurrency
//
// Types are values without hidden state unless documented otherwise. All
// functions are safe for concurrent use.
package spatial
