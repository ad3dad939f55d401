package address

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// denied returns the error of an address without a match. If the reference
// lacks the records that would hold it, the address is unavailable instead of
// not found (decision D54). It runs after all searches, so that a match by another reading
// is never lost to records that are missing.
func (s *search) denied() error {
	records, err := s.lacking()
	if err != nil {
		return err
	}
	if records != "" {
		return noRecords(s.input, records)
	}
	return unmatched(s.input, envelope.KindNotFound, 0)
}

// lacking names the missing records of the given ZIP Code, or without one of
// the given city or state; "" if none are missing. A ZIP Code lacks a kind of
// record if none of its streets has it. A city lacks a kind if all its ZIP
// Codes do. It lacks every kind if one of its ZIP Codes has no records, because
// the address may be there.
func (s *search) lacking() (string, error) {
	best := &s.reads[0]
	if s.hasZIP {
		has, _, err := s.covers(s.zip, best.Kind)
		if err != nil || has {
			return "", err
		}
		return recordsOf[best.Kind] + " of ZIP Code " + s.zip.String(), nil
	}
	if len(s.towns) == 0 {
		return s.lackingState(best)
	}
	home := store.General // an address without its ZIP is seldom one of another class
	if best.Kind == Military {
		home = store.Military
	}
	looked, found := false, false
	for _, z := range s.towns {
		if s.ref.class(z) != home {
			continue
		}
		has, some, err := s.covers(z, best.Kind)
		if err != nil {
			return "", err
		}
		if !some {
			return "address records of ZIP Code " + z.String(), nil
		}
		looked, found = true, found || has
	}
	if !looked || found {
		return "", nil
	}
	return recordsOf[best.Kind] + " of " + best.City + ", " + best.State, nil
}

// lackingState names the missing records of a place that the dataset lacks: all
// of the state, or of the ZIP Code without a state.
func (s *search) lackingState(a *Address) (string, error) {
	if err := s.ref.prepare(s.ctx); err != nil {
		return "", err
	}
	if a.State != "" {
		if s.ref.covered[a.State] {
			return "", nil
		}
		return "address records of " + a.State, nil
	}
	for state := range s.ref.covered {
		if pub28.ZIPInState(a.ZIP, state) {
			return "", nil
		}
	}
	return "address records of ZIP Code " + a.ZIP, nil
}

// covers reports whether the reference has records of the kind of a ZIP, and
// whether it has any.
func (s *search) covers(z postcode.ZIP, k Kind) (has, some bool, err error) {
	keys, err := s.ref.streetKeys(s.ctx, z)
	return slices.ContainsFunc(keys, func(key string) bool { return isOfKind(key, k) }), len(keys) > 0, err
}

// isOfKind reports whether the records of a street's key are of the kind.
func isOfKind(key string, k Kind) bool {
	box, general := key == "POBOX", key == "GENERALDELIVERY"
	route := isNumbered(key, "RR") || isNumbered(key, "HC")
	switch k {
	case POBox:
		return box
	case GeneralDelivery:
		return general
	case RuralRoute, HighwayContract:
		return route
	case Military:
		return isNumbered(key, "PSC") || isNumbered(key, "CMR") || isNumbered(key, "UNIT")
	default:
		return !box && !general && !route
	}
}

func isNumbered(key, mark string) bool {
	id, ok := strings.CutPrefix(key, mark)
	return ok && id != "" && isDigit(id[0])
}

// recordsOf names the records by the kind of delivery.
var recordsOf = map[Kind]string{
	NoDelivery: "street records", Street: "street records", POBox: "PO Box records", RuralRoute: "route records",
	HighwayContract: "route records", GeneralDelivery: "general delivery records", Military: "military records",
}
