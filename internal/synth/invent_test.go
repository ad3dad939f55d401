package synth_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/synth"
)

func TestNewRefusesSizesOutOfRange(t *testing.T) {
	for _, o := range []synth.Options{{ZIPs: 1}, {ZIPs: 1_000_000}, {FSAs: 5}, {PostalCodes: 1_000_000}, {Detail: -1}} {
		if _, err := synth.New(o); err == nil {
			t.Errorf("New(%+v) gave no error", o)
		}
	}
}
