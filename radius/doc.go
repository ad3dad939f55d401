// Package radius searches by distance: the codes around a center, nearest to a
// point or inside a polygon, and the distance between two places.
//
// # Usage
//
//	e := radius.NewEngine(reader)
//	res, err := e.Search(ctx, "90210", radius.Options{Max: 25, Mode: radius.Spatial})
//	for _, m := range res.Matches {
//		fmt.Println(m.Code, m.DistanceMiles, *m.PctInside)
//	}
//
//	d, err := radius.Distance(ctx, reader, "90210", "K1A 0B1", radius.DistanceOptions{})
//	fmt.Println(d.Distance.Miles, d.Bearing)
//
// # Data
//
// DistanceMatrix are geodesics on WGS84 between the points of codes. In centroid
// mode a search finds ZIPs and full Canadian postal codes by their points. In
// spatial mode it finds general ZIPs and FSAs by the share of their areas that
// lies inside the geodesic circle; PO Box, unique and military ZIPs, and codes
// whose area the dataset does not hold, are found by their points. The points
// and areas are those of the dataset, the answer is the same as that of
// measuring every one exactly.
//
// Without population in the dataset the automatic radius is a constant, 56.4
// miles; that of a commute is the mean travel time to work, at 0.6 miles a
// minute.
//
// Profiles of the American Community Survey are summed up over all US ZIP
// Codes inside, by the shares that matches tell of them; see [acs.Aggregate].
//
// The result of a search or of a distance is the contract's item: its JSON is
// what the server writes.
//
// # Concurrency
//
// Engines may be used and functions called from several goroutines; results
// belong to the caller.
//
// # Errors
//
// Errors are a [*fault.Error], the context's, or a failure of the dataset.
package radius
