// Package postgeo answers questions about US and Canadian postal geography
// from one local file: what a ZIP, ZIP+4, forward sortation area or Canadian
// postal code is, where it is, what lies around it, who lives there, and how far
// two of them are apart; which place a person means who types, and which record
// a US address is.
//
// # Usage
//
// Open a dataset, ask, and close it at the end:
//
//	db, err := postgeo.Open("postgeo.db") // or postgeo.OpenSample()
//	if err != nil {
//		return err
//	}
//	defer db.Close()
//	rec, err := db.QuickLookup(ctx, "90210", postgeo.QuickLookupOptions{Timezone: true})
//
// [DB.QuickLookup] gives the identity of a code from memory, [DB.Lookup]
// everything that identifies it, [DB.Radius] the codes around a center by their
// points or areas, [DB.Distance] the geodesic between two codes or coordinates.
// [DB.QuickLookups], [DB.Lookups] and [DB.Searches] take many questions.
// [DB.MatchAddress] finds the ZIP+4 record of an address, [DB.Suggest] completes
// names. Results are the items of the HTTP interface: encoding/json writes what
// the server sends. Package billing prices them in credits.
//
// Beyond that interface, [DB.CodesIn] lists the codes of a county, district or
// other area, [DB.Crosswalk] all pairs of codes and areas, [DB.Neighbors] the
// codes that touch one, [DB.AreaOutline] the outline of an area. [DB.Nearest] finds the nearest codes, [DB.InPolygon]
// those in a polygon with their shares, [DB.Boundary] the distance to the edge
// of an area, [DB.Distances] and [DB.PairsWithin] the distances between many
// places. [DB.SurveySeries], [DB.SurveyAggregate] and [DB.CompareSurvey] tell
// fields of the American Community Survey over years and areas, with margins of
// error.
//
// Everywhere a code may be a coordinate, "34.0901,-118.4065".
//
// # Data
//
// A dataset is one immutable file that the command "postgeo dataset build"
// makes from official sources. [DB.Info] says which, of what date and under
// which licences. [DB.Verify] checks every byte. [OpenSample] opens a small
// embedded dataset whose places are real and whose other data is invented.
//
// What a dataset does not hold is absent from a record or named in its
// notices; it is never denied.
//
// # Concurrency
//
// A [DB] is safe for concurrent use. [DB.Swap] replaces the file under running
// calls: those in flight finish on the old one. Results belong to the caller.
//
// # Errors
//
// Operations return an [*Error], which matches [ErrNotFound], [ErrInvalidCode],
// [ErrInvalidParam], [ErrUnavailable], [ErrAmbiguous], [ErrDamaged] or [ErrClosed].
// All other errors come from the context or from opening the file.
package postgeo
