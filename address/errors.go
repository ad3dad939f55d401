package address

import "github.com/postgeo/postgeo/envelope"

// op is the operation of this package's errors.
const op = "match"

// unmatched returns the error of an address without a match.
func unmatched(input string, kind envelope.Kind, reason envelope.Reason) error {
	return &envelope.Failure{Op: op, Kind: kind, Reason: reason, Thing: envelope.ThingAddress, Input: input}
}

// Unmatched reports whether err means that an address was read and has no match.
// An address without a place or a delivery is unmatched too.
func Unmatched(err error) bool {
	e := envelope.AsFailure(err)
	return e != nil && e.Thing == envelope.ThingAddress && (e.Kind == envelope.KindNotFound || e.Kind == envelope.KindAmbiguous || e.Reason == envelope.ReasonIncomplete)
}

// noRecords returns the error of an address whose records the dataset lacks, so
// that nothing rules it out (decisions D33 and D54). The second argument names
// the records, such as "street records of ZIP Code 90210".
func noRecords(input, records string) error {
	return &envelope.Failure{Op: op, Kind: envelope.KindUnavailable, Thing: envelope.ThingAddress, Input: input, Lacks: records}
}

// tooShort and tooLong return the errors of an address with fewer or more than n
// characters.
func tooShort(input string) error {
	return &envelope.Failure{Op: op, Kind: envelope.KindInvalidCode, Reason: envelope.ReasonTooShort, Thing: envelope.ThingAddress, Param: "address", Input: input, Chars: MinClean}
}

func tooLong(input string, n int) error {
	return &envelope.Failure{Op: op, Kind: envelope.KindInvalidCode, Reason: envelope.ReasonTooLong, Thing: envelope.ThingAddress, Param: "address", Input: input, Chars: n}
}
