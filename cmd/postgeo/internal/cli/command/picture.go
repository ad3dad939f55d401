package command

import (
	"errors"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo/svg"
)

// Attribution returns the sources of a map or chart.
func Attribution(m postgeo.Manifest) string {
	text := ""
	if m.Sample {
		text = "Sample: invented data around real codes."
	}
	for _, a := range m.Attributions() {
		text = JoinText(text, " · ", a)
	}
	return text
}

// MapError makes a usage error of a map that the flags make impossible.
func MapError(err error) error {
	if errors.Is(err, svg.ErrInvalidMap) {
		return Usage("%v", err)
	}
	return err
}
