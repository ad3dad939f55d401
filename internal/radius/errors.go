package radius

import (
	"strconv"

	"github.com/postgeo/postgeo/internal/fault"
)

// op is the operation of most errors of this package.
const op = "radius"

// invalid returns the error of an option or argument out of range.
func invalid(op, param, given, expected string) error {
	return &fault.Error{Op: op, Kind: fault.InvalidParam, Param: param, Input: given, Range: expected}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// checkMode refuses unknown modes.
func checkMode(op string, m Mode) error {
	if m > Spatial {
		return invalid(op, "Mode", m.String(), expectedMode)
	}
	return nil
}

const expectedMode = "centroid or spatial"
