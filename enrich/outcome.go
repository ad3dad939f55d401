package enrich

import (
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
)

// A Status says in a word what became of a row.
type Status uint8

// The statuses of rows.
const (
	Matched      Status = iota + 1 // answered
	Fallback                       // answered by the larger code: the FSA of a postal code, the ZIP of a ZIP+4
	Empty                          // nothing to look up
	Invalid                        // not a code, coordinate or address
	NotFound                       // well formed, and the dataset does not have it
	Ambiguous                      // an address that several records fit
	Insufficient                   // an address without a place or a delivery
	Unavailable                    // the dataset lacks the records or areas that would answer
	numStatuses
)

// Statuses returns every status in ascending order.
func Statuses() []Status {
	return []Status{Matched, Fallback, Empty, Invalid, NotFound, Ambiguous, Insufficient, Unavailable}
}

// String returns the word, e.g. "not_found".
func (s Status) String() string {
	switch s {
	case Matched:
		return "matched"
	case Fallback:
		return "fallback"
	case Empty:
		return "empty"
	case Invalid:
		return "invalid"
	case NotFound:
		return "not_found"
	case Ambiguous:
		return "ambiguous"
	case Insufficient:
		return "insufficient"
	case Unavailable:
		return "unavailable"
	default:
		return ""
	}
}

// Answered reports whether the row has its fields.
func (s Status) Answered() bool { return s == Matched || s == Fallback }

// An Outcome says what became of a row.
type Outcome struct {
	Status Status
	// Reason is the contract's code and sentence of what went wrong, or the
	// codes of notices that an answered row came with; "" where there is
	// nothing to tell.
	Reason string
	// LostZeros says that the key looks like a code that has lost its leading
	// zeros and was not read as one.
	LostZeros bool
}

// ZerosRestored is the reason of rows whose code was given back the zeros that
// it had lost.
const ZerosRestored = "ZEROS_RESTORED"

// failed returns the outcome of a row that could not be answered. ok is false
// where the error is none of the row's.
func failed(err error) (out Outcome, ok bool) {
	failure, ok := fault.OfInput(err)
	if !ok {
		return out, false
	}
	code := failure.ContractCode()
	out.Reason = string(code) + ": " + failure.ContractMessage()
	switch {
	case code == envelope.Ambiguous:
		out.Status = Ambiguous
	case code == envelope.InsufficientInput:
		out.Status = Insufficient
	case code == envelope.ServiceUnavailable:
		out.Status = Unavailable
	case strings.HasPrefix(string(code), "NOT_FOUND"):
		out.Status = NotFound
	default:
		out.Status = Invalid
	}
	return out, true
}

// note adds the codes of notices that say more than how the input was written.
func (o *Outcome) note(notices []envelope.Notice) {
	for _, n := range notices {
		switch n.Code {
		case envelope.InputNormalized, envelope.CoordinatesUsed, envelope.ReverseGeocode, envelope.Matched:
			continue
		case envelope.FallbackUsed:
			o.Status = Fallback
		default:
		}
		o.tell(string(n.Code))
	}
}

func (o *Outcome) tell(code string) {
	switch {
	case o.Reason == "":
		o.Reason = code
	case !strings.Contains(o.Reason, code):
		o.Reason += "; " + code
	}
}

// The columns that say what became of a row, unless they are named otherwise.
const (
	StatusColumn = "postgeo_status"
	ReasonColumn = "postgeo_reason"
)
