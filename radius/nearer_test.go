package radius_test

import (
	"cmp"

	"github.com/postgeo/postgeo/geo"
)

// nearer puts what brute force finds in order: by distance, then by code.
func nearer(d, e geo.Meters, a, b string) int { return cmp.Or(cmp.Compare(d, e), cmp.Compare(a, b)) }
