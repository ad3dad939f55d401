package address

import "github.com/postgeo/postgeo/envelope/fault"

// op is the operation of this package's errors.
const op = "match"

// unmatched returns the error of an address without a match.
func unmatched(input string, kind fault.Kind, reason fault.Reason) error {
	return &fault.Error{Op: op, Kind: kind, Reason: reason, Thing: fault.Address, Input: input}
}

// Unmatched reports whether err means that an address was read and has no match.
// An address without a place or a delivery is unmatched too.
func Unmatched(err error) bool {
	e := fault.As(err)
	return e != nil && e.Thing == fault.Address && (e.Kind == fault.NotFound || e.Kind == fault.Ambiguous || e.Reason == fault.Incomplete)
}

// noRecords returns the error of an address whose records the dataset lacks, so
// that nothing rules it out (decisions D33 and D54). The second argument names
// the records, such as "street records of ZIP Code 90210".
func noRecords(input, records string) error {
	return &fault.Error{Op: op, Kind: fault.Unavailable, Thing: fault.Address, Input: input, Lacks: records}
}

// tooShort and tooLong return the errors of an address with fewer or more than n
// characters.
func tooShort(input string) error {
	return &fault.Error{Op: op, Kind: fault.InvalidCode, Reason: fault.TooShort, Thing: fault.Address, Param: "address", Input: input, Chars: MinClean}
}

func tooLong(input string, n int) error {
	return &fault.Error{Op: op, Kind: fault.InvalidCode, Reason: fault.TooLong, Thing: fault.Address, Param: "address", Input: input, Chars: n}
}
