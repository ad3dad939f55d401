package acs

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/postgeo/postgeo/dataset"
)

// ErrInvalidArea is matched by errors about text that is no area of the survey.
var ErrInvalidArea = errors.New("acs: invalid area")

// The digits of areas' codes.
const (
	zctaDigits  = 5
	tractDigits = 11
)

// ParseArea reads the code of an area: the five digits of a ZIP Code
// Tabulation Area, which are those of a ZIP Code, or the eleven of a census
// tract. Errors match [ErrInvalidArea].
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

// areaCode returns what [ParseArea] reads.
func areaCode(l dataset.ACSLevel, geoid uint64) string {
	if l == dataset.ACSTract {
		return fmt.Sprintf("%0*d", tractDigits, geoid)
	}
	return fmt.Sprintf("%0*d", zctaDigits, geoid)
}
