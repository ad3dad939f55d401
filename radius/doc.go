// Package radius searches by distance: the codes around a center, nearest to a
// point or inside a polygon, and the distance between two places.
//
// # Usage
//
// The searches are methods of postgeo.DB:
//
//	res, err := db.Radius(ctx, "90210", radius.Options{Max: 25, Mode: radius.Spatial})
//	for _, m := range res.Matches {
//		fmt.Println(m.Code, m.DistanceMiles, *m.PctInside)
//	}
//
//	d, err := db.Distance(ctx, "90210", "K1A 0B1", radius.DistanceOptions{})
//	fmt.Println(d.Distance.Miles, d.Bearing)
//
// # Data
//
// Distances are geodesics on WGS84 between the points of codes. In centroid
// mode a search finds ZIPs and full Canadian postal codes by their points. In
// spatial mode it finds general ZIPs and FSAs by the share of their areas that
// lies inside the geodesic circle. PO Box, unique and military ZIPs, and codes
// without an area in the dataset, are found by their points. Results equal those
// of measuring every code exactly.
//
// Without population in the dataset the automatic radius is a constant, 56.4
// miles. That of a commute is the mean travel time to work, at 0.6 miles a
// minute.
//
// Profiles of the American Community Survey are summed over all US ZIP Codes
// inside, by the shares of the matches; see [acs.Aggregate].
//
// The result of a search or of a distance is the contract's item. The server
// writes the same JSON.
//
// # Concurrency
//
// An [Engine] is safe for concurrent use. Results belong to the caller.
//
// # Errors
//
// Functions return a [*envelope.Failure], the context's error, or a failure of the
// dataset.
package radius
