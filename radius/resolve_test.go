package radius_test

import (
	"context"
	"errors"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/radius"
)

// TestAutoRadiusIsWhatIsSearched holds that the radius is known before the
// search that uses it.
func TestAutoRadiusIsWhatIsSearched(t *testing.T) {
	e := newWorld(t, 200, 20, 100).fresh(t)
	for _, center := range []string{"40,-100", "45.4,-75.7", "61,-150"} {
		for _, rule := range []radius.Auto{radius.Density, radius.Commute} {
			miles, err := e.AutoRadius(t.Context(), center, rule)
			if err != nil {
				t.Fatal(err)
			}
			res, err := e.Search(t.Context(), center, radius.Options{Auto: rule})
			if err != nil {
				t.Fatal(err)
			}
			if miles != res.Search.Max {
				t.Errorf("%s %v: %v miles, the search has %v", center, rule, miles, res.Search.Max)
			}
		}
	}
}

func TestAutoRadiusFailures(t *testing.T) {
	e := newWorld(t, 20, 2, 10).fresh(t)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tt := range map[string]struct {
		ctx    context.Context
		center string
		rule   radius.Auto
		want   error
	}{
		"unknown center":   {t.Context(), "D0D", radius.Density, envelope.ErrNotFound},
		"malformed center": {t.Context(), "9021", radius.Density, envelope.ErrInvalidCode},
		"no rule":          {t.Context(), "40,-100", "", envelope.ErrInvalidParam},
		"unknown rule":     {t.Context(), "40,-100", "round", envelope.ErrInvalidParam},
		"closed context":   {done, "40,-100", radius.Density, context.Canceled},
	} {
		if _, err := e.AutoRadius(tt.ctx, tt.center, tt.rule); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", name, err, tt.want)
		}
	}
}
