package radius

import "github.com/postgeo/postgeo/geo"

func (e *Engine) spatial(s *scratch, center geo.LatLng, opt *Options) int {
	s.hits = s.hits[:0]
	s.near = e.areas().index.AppendWithin(s.near[:0], center, opt.Min.Meters(), opt.Max.Meters())
	for _, n := range s.near {
		s.hits = append(s.hits, hit{distance: n.Distance, at: int32(n.Index), share: -1})
	}
	return len(s.hits)
}

func (e *Engine) measure(matches []Match, hits []hit) {}
