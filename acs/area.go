package acs

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/postgeo/postgeo/dataset"
)

// ErrInvalidArea indicates text that is not a valid area of the survey.
var ErrInvalidArea = errors.New("acs: invalid area")

// The digits of areas' codes.
const (
	zctaDigits  = 5
	tractDigits = 11
)

// ParseArea parses the code of an area. It has the five digits of a ZIP Code,
// for the ZIP Code Tabulation Area, or the eleven of a census tract. Errors
// match [ErrInvalidArea].
func ParseArea(code string) (dataset.ACSLevel, uint64, error) {
	n, err := strconv.ParseUint(code, 10, 64)
	switch {
	case err == nil && len(code) == zctaDigits:
		return dataset.ACSZCTA, n, nil
	case err == nil && len(code) == tractDigits:
		return dataset.ACSTract, n, nil
	default:
		return 0, 0, fmt.Errorf("%w: %.40q; expected the %d digits of a US ZIP Code or the %d of a census tract", ErrInvalidArea, code, zctaDigits, tractDigits)
	}
}

// areaCode formats the code that [ParseArea] parses.
func areaCode(l dataset.ACSLevel, geoid uint64) string {
	if l == dataset.ACSTract {
		return fmt.Sprintf("%0*d", tractDigits, geoid)
	}
	return fmt.Sprintf("%0*d", zctaDigits, geoid)
}

// ParseParts parses the codes of areas of one level as parts in full, each area
// once. Errors match [ErrInvalidArea].
func ParseParts(codes ...string) (dataset.ACSLevel, []Part, error) {
	var level dataset.ACSLevel
	seen := make(map[uint64]bool, len(codes))
	parts := make([]Part, 0, len(codes))
	for _, code := range codes {
		l, geoid, err := ParseArea(code)
		switch {
		case err != nil:
			return 0, nil, err
		case level != 0 && l != level:
			return 0, nil, fmt.Errorf("%w: %s is a %s and others are a %s; give areas of one level", ErrInvalidArea, code, l, level)
		}
		level = l
		if !seen[geoid] {
			seen[geoid] = true
			parts = append(parts, Part{GEOID: geoid, Percent: 100})
		}
	}
	if len(parts) == 0 {
		return 0, nil, fmt.Errorf("%w: missing area", ErrInvalidArea)
	}
	return level, parts, nil
}
