package enrich

import (
	"strings"

	"github.com/postgeo/postgeo/envelope"
)

// A Status is the result of a row.
type Status string

// The statuses of rows.
const (
	Matched      Status = "matched"      // has its fields
	Fallback     Status = "fallback"     // has its fields by the larger code: the FSA of a postal code, the ZIP of a ZIP+4
	Empty        Status = "empty"        // nothing to look up
	Invalid      Status = "invalid"      // not a code, coordinate or address
	NotFound     Status = "not_found"    // well formed, but not in the dataset
	Ambiguous    Status = "ambiguous"    // several records match the address
	Insufficient Status = "insufficient" // an address without a place or a delivery
	Unavailable  Status = "unavailable"  // the dataset lacks the required records or areas
	NoData       Status = "no_data"      // found, but no requested field has a value
)

// Statuses returns every status, in the order of the constants.
func Statuses() []Status {
	return []Status{Matched, Fallback, Empty, Invalid, NotFound, Ambiguous, Insufficient, Unavailable, NoData}
}

// Answered reports whether the row has its fields.
func (s Status) Answered() bool { return s == Matched || s == Fallback }

// An Outcome describes the result of a row.
type Outcome struct {
	Status Status
	// Reason is the contract's code and message of an error, or the codes of
	// notices of a matched row, or "".
	Reason string
	// Repaired indicates that a code was found that a spreadsheet had changed. The
	// reason begins with [CodeRepaired], [CodeRounded] or [ZerosRestored].
	Repaired bool
}

// ZerosRestored is the reason of rows whose code got its leading zeros back.
const ZerosRestored = "ZEROS_RESTORED"

// failed returns the outcome of a row without a match. It returns false if the
// error is not caused by the row.
func failed(err error) (out Outcome, ok bool) {
	failure := envelope.OfInput(err)
	if failure == nil {
		return out, false
	}
	code := failure.Code
	out.Reason = string(code) + ": " + failure.Message
	e := envelope.AsFailure(err)
	switch {
	case code == envelope.InsufficientInput, e != nil && e.Reason == envelope.ReasonIncomplete:
		out.Status = Insufficient
	case code == envelope.Ambiguous:
		out.Status = Ambiguous
	case code == envelope.ServiceUnavailable:
		out.Status = Unavailable
	case strings.HasPrefix(string(code), "NOT_FOUND"):
		out.Status = NotFound
	default:
		out.Status = Invalid
	}
	return out, true
}

// note adds the codes of notices, except those about the spelling of the input and those
// that only repeat the status: nearly all rows of a table would have one.
func (o *Outcome) note(notices []envelope.Notice) {
	for _, n := range notices {
		switch n.Code {
		case envelope.InputNormalized, envelope.CoordinatesUsed, envelope.ReverseGeocode, envelope.Matched:
			continue
		case envelope.FallbackUsed:
			o.Status = Fallback
		default:
		}
		o.addReason(string(n.Code))
	}
}

func (o *Outcome) fallBack() {
	o.Status = Fallback
	o.addReason(string(envelope.FallbackUsed))
}

func (o *Outcome) addReason(code string) {
	switch {
	case o.Reason == "":
		o.Reason = code
	case !strings.Contains(o.Reason, code): // several operations can give the same notice
		o.Reason += "; " + code
	}
}

// Default names of the columns of status and reason.
const (
	StatusColumn = "postgeo_status"
	ReasonColumn = "postgeo_reason"
)
