package source

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

// setStreet divides the name of a street in files of ranges as [dataset.ParseRoadName]
// does. Its names are plain words without accents and signs, as in the ZIP+4 product.
// A hyphen or a slash would join words that addresses separate: ST-JAMES and
// SAINT JAMES have one key only as words.
func setStreet(r *store.ZIP4Record, full string) {
	n := store.ParseRoadName(full)
	r.PreDir, r.Street, r.Suffix, r.PostDir = n.PreDir, n.Name, n.Suffix, n.PostDir
}

// setRange fills in the ends of a range of house numbers, the lower one first,
// and which of the numbers between belong to it. Whole numbers take ten digits,
// as in the ZIP+4 product. parity is O, E or B; any other text leaves it to the
// two ends.
func setRange(r *store.ZIP4Record, from, to, parity string) error {
	a, errA := strconv.ParseUint(from, 10, 32)
	b, errB := strconv.ParseUint(to, 10, 32)
	both := errA == nil && errB == nil
	switch {
	case both:
		r.AddrLow, r.AddrHigh = fmt.Sprintf("%010d", min(a, b)), fmt.Sprintf("%010d", max(a, b))
	case from == "" || to == "" || len(from) > 12 || len(to) > 12:
		return fmt.Errorf("%q to %q, expected two house numbers", from, to)
	default:
		r.AddrLow, r.AddrHigh = strings.ToUpper(from), strings.ToUpper(to)
		if len(from) == len(to) && r.AddrLow > r.AddrHigh {
			r.AddrLow, r.AddrHigh = r.AddrHigh, r.AddrLow
		}
	}
	switch p := strings.ToUpper(parity); {
	case p == "O" || p == "E" || p == "B":
		r.OddEven = p[0]
	case both && a%2 == 1 && b%2 == 1:
		r.OddEven = 'O'
	case both && a%2 == 0 && b%2 == 0:
		r.OddEven = 'E'
	default:
		r.OddEven = 'B'
	}
	return nil
}
