package lookup

import (
	"strings"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

func newDetail(p postcode.Plus4, rec *store.ZIP4Record) *Detail {
	return &Detail{
		ZIP4:         p.String(),
		RecordType:   letter(rec.RecordType),
		CarrierRoute: rec.CarrierRoute,
		Street:       newStreet(rec),
	}
}

// newStreet returns nil for a record without any street-level field.
func newStreet(rec *store.ZIP4Record) *Street {
	s := &Street{
		AddrLow:        number(rec.AddrLow),
		AddrHigh:       number(rec.AddrHigh),
		Prefix:         rec.PreDir,
		Name:           rec.Street,
		Suffix:         rec.Suffix,
		Postfix:        rec.PostDir,
		OddEven:        letter(rec.OddEven),
		SecAddrAbbr:    rec.SecAbbr,
		SecAddrLow:     number(rec.SecLow),
		SecAddrHigh:    number(rec.SecHigh),
		SecAddrOddEven: letter(rec.SecOddEven),
		BuildingName:   rec.Building,
	}
	if *s == (Street{}) {
		return nil
	}
	s.Address = addressLine(s)
	return s
}

// addressLine joins the parts of a street to one line. It has the number and the
// unit only if the record covers a single one.
func addressLine(s *Street) string {
	parts := make([]string, 0, 7)
	add := func(part string) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	single := s.AddrLow == s.AddrHigh
	if s.Name == "PO BOX" { // a box has its number behind the name
		add(s.Name)
		if single {
			add(s.AddrLow)
		}
		return strings.Join(parts, " ")
	}
	if single {
		add(s.AddrLow)
	}
	add(s.Prefix)
	add(s.Name)
	add(s.Suffix)
	add(s.Postfix)
	if s.SecAddrLow == s.SecAddrHigh && s.SecAddrLow != "" {
		add(s.SecAddrAbbr)
		add(s.SecAddrLow)
	}
	return strings.Join(parts, " ")
}

// number removes the zeros that pad a numeric range. A box number whose
// leading zeros count is stored behind a hyphen (Publication 28, section 282).
func number(s string) string {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return rest
	}
	trimmed := strings.TrimLeft(s, "0")
	if trimmed == "" && s != "" {
		return "0"
	}
	return trimmed
}

// letter returns the one-letter string of a code, or "" for none.
func letter(b byte) string {
	if b == 0 || b == ' ' {
		return ""
	}
	return string(rune(b))
}
