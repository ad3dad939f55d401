// Package postgeo looks up US and Canadian postal geography in one local file.
// It resolves ZIP, ZIP+4, forward sortation area and postal codes, coordinates,
// US addresses and partial names. It searches by radius, measures distances and
// adds census areas, districts and figures of the American Community Survey.
//
// # Usage
//
// Open a dataset, call its methods, and close it:
//
//	db, err := postgeo.Open("postgeo.db") // or postgeo.OpenSample()
//	if err != nil {
//		return err
//	}
//	defer db.Close()
//	rec, err := db.QuickLookup(ctx, "90210", lookup.QuickOptions{Timezone: true})
//
// [DB.QuickLookup] returns the identity of a code from memory and [DB.Lookup] its
// full record. [DB.Radius], [DB.Nearest] and [DB.InPolygon] search by points or areas,
// and [DB.Distance], [DB.Boundary] and [DB.PairsWithin] measure. [DB.MatchAddress] finds
// the ZIP+4 record of an address, [DB.Geocode] its position and [DB.Reverse] the address
// at one. [DB.Suggest] completes names.
//
// [DB.CodesIn] lists the codes of a county, district or other area, [DB.Crosswalk] all
// pairs of codes and areas, and [DB.Apportion] divides figures among areas.
// [DB.Neighbors] returns adjacent codes, [DB.AreaOutline] and [DB.CodeOutline] outlines.
// [DB.ACSSeries], [DB.ACSAggregate] and [DB.ACSCompare] return survey fields over years
// and areas, with margins of error.
//
// Methods that end in Batch take and return iterators and work on all processors.
// Results are the items of the HTTP API: encoding/json writes them as the server does.
// Package billing returns their price in credits, and package enrich adds them to the
// rows of a table.
//
// A place is a [Where]: a code or a coordinate as text, such as
// "34.0901,-118.4065". [At] returns the place of a point, and String that of a parsed
// [lookup.Code].
//
// # Data
//
// A dataset is one immutable file that "postgeo dataset build" makes from
// official sources. [DB.Info] lists the sources with dates and licenses.
// [DB.Verify] checks every byte. [OpenSample] opens a small embedded dataset with
// real places and invented figures.
//
// Missing data is omitted from a record or named in its notices. It is never
// reported as nonexistent.
//
// # Concurrency
//
// A [DB] is safe for concurrent use. [DB.Swap] replaces the file while calls run;
// they finish on the old file. Results belong to the caller, but for
// [suggest.Match.AssociatedZIPs].
//
// # Errors
//
// Operations return an [*Error], which matches [ErrNotFound], [ErrInvalidCode],
// [ErrInvalidParam], [ErrUnavailable], [ErrAmbiguous], [ErrDamaged] or [ErrClosed].
// All other errors come from the context or from opening the file.
package postgeo
