package synth

import "fmt"

// The size of the real country, for [National].
const (
	nationalZIPs        = 41_000
	nationalFSAs        = 1_650
	nationalPostalCodes = 890_000
)

// Options configures [New].
type Options struct {
	// Seed selects the country; 0 is a valid seed.
	Seed uint64
	// ZIPs is the approximate number of ZIP Codes, 200 to 60,000. Zero means 400.
	ZIPs int
	// FSAs is the number of forward sortation areas, 20 to 3,000. Zero means one
	// for every 25 ZIPs, at least 20.
	FSAs int
	// PostalCodes is the number of full postal codes, up to 2,000 an FSA. Zero
	// means ten for every FSA.
	PostalCodes int
	// Detail is the number of points of a border between two corners of its
	// cells, 0 to 64. Zero means straight borders.
	Detail int
}

// National returns the options of a country of the real size: 41,000 ZIPs,
// 1,650 FSAs and 890,000 postal codes.
func National(seed uint64) Options {
	return Options{Seed: seed, ZIPs: nationalZIPs, FSAs: nationalFSAs, PostalCodes: nationalPostalCodes, Detail: 8}
}

func (o Options) withDefaults() (Options, error) {
	if o.ZIPs == 0 {
		o.ZIPs = 400
	}
	if o.FSAs == 0 {
		o.FSAs = max(20, o.ZIPs/25)
	}
	if o.PostalCodes == 0 {
		o.PostalCodes = 10 * o.FSAs
	}
	for _, f := range []struct {
		name      string
		v, lo, hi int
	}{
		{"ZIPs", o.ZIPs, 200, 60_000},
		{"FSAs", o.FSAs, 20, 3_000},
		{"PostalCodes", o.PostalCodes, 1, 2_000 * o.FSAs},
		{"Detail", o.Detail, 0, 64},
	} {
		if f.v < f.lo || f.v > f.hi {
			return o, fmt.Errorf("synth: Options.%s is %d; expected %d to %d", f.name, f.v, f.lo, f.hi)
		}
	}
	return o, nil
}
