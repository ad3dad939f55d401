package acs

import (
	"fmt"
	"strconv"

	"github.com/postgeo/postgeo/envelope"
)

func invalidArea(input, format string, args ...any) error {
	return &envelope.Failure{
		Op: "survey", Kind: envelope.KindInvalidCode, Thing: envelope.ThingArea, Param: "areas", Input: input, Detail: "invalid area: " + fmt.Sprintf(format, args...),
	}
}

// The digits of areas' codes.
const (
	zctaDigits  = 5
	tractDigits = 11
)

// ParseArea parses the code of an area. It has the five digits of a ZIP Code,
// for the ZIP Code Tabulation Area, or the eleven of a census tract. Errors
// match [envelope.ErrInvalidCode].
func ParseArea(code string) (Level, uint64, error) {
	n, err := strconv.ParseUint(code, 10, 64)
	switch {
	case err == nil && len(code) == zctaDigits:
		return ZCTA, n, nil
	case err == nil && len(code) == tractDigits:
		return Tract, n, nil
	default:
		return 0, 0, invalidArea(code, "%.40q; expected the %d digits of a US ZIP Code or the %d of a census tract", code, zctaDigits, tractDigits)
	}
}

// areaCode formats the code that [ParseArea] parses.
func areaCode(l Level, geoid uint64) string {
	if l == Tract {
		return fmt.Sprintf("%0*d", tractDigits, geoid)
	}
	return fmt.Sprintf("%0*d", zctaDigits, geoid)
}

// ParseParts parses the codes of areas of one level as parts in full, each area
// once. Errors match [envelope.ErrInvalidCode].
func ParseParts(codes ...string) (Level, []Part, error) {
	var level Level
	seen := make(map[uint64]bool, len(codes))
	parts := make([]Part, 0, len(codes))
	for _, code := range codes {
		l, geoid, err := ParseArea(code)
		switch {
		case err != nil:
			return 0, nil, err
		case level != 0 && l != level:
			return 0, nil, invalidArea(code, "%s is a %s and others are a %s; give areas of one level", code, l, level)
		}
		level = l
		if !seen[geoid] {
			seen[geoid] = true
			parts = append(parts, Part{GEOID: geoid, Percent: 100})
		}
	}
	if len(parts) == 0 {
		return 0, nil, invalidArea("", "missing area")
	}
	return level, parts, nil
}
