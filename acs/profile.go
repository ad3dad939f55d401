package acs

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/internal/store"
)

// A Profile is one of the four data profiles of the American Community Survey.
// The zero Profile is not valid.
type Profile uint8

// The data profiles.
const (
	Demographic Profile = iota + 1 // table DP05
	Social                         // table DP02
	Economic                       // table DP03
	Housing                        // table DP04
)

// AllProfiles returns the four profiles in the contract's order.
func AllProfiles() [4]Profile { return [...]Profile{Demographic, Social, Economic, Housing} }

var (
	profileNames  = [...]string{Demographic: "demographic", Social: "social", Economic: "economic", Housing: "housing"}
	profileTables = [...]string{Demographic: "DP05", Social: "DP02", Economic: "DP03", Housing: "DP04"}
)

// String returns the profile's name in flags and keys, e.g. "social", or "" for
// an invalid profile.
func (p Profile) String() string {
	if p > Housing {
		return ""
	}
	return profileNames[p]
}

// Table returns the profile's table, e.g. "DP02", or "" for an invalid profile.
func (p Profile) Table() string {
	if p > Housing {
		return ""
	}
	return profileTables[p]
}

// ParseProfile parses the result of [Profile.String].
func ParseProfile(s string) (Profile, bool) {
	i := slices.Index(profileNames[:], s)
	return Profile(max(i, 0)), i > 0
}

// profileOfTable returns the profile of a table such as "DP02".
func profileOfTable(table string) (Profile, bool) {
	i := slices.Index(profileTables[:], table)
	return Profile(max(i, 0)), i > 0
}

// Profiles holds the metrics of the four profiles of one area and year, or of an
// aggregate. [Profiles.Metric] returns that of a field.
type Profiles struct {
	metrics [Housing][]Metric // by the position of the field in its profile; nil without figures
}

// Has reports whether there are figures of the profile.
func (p *Profiles) Has(which Profile) bool { return p.of(which) != nil }

// Metric returns the metric of a field. It is zero if the figure is missing.
func (p *Profiles) Metric(f *Field) Metric {
	i, ok := builtIn().find(f.Key())
	if !ok || !p.Has(f.Profile) {
		return Metric{}
	}
	return p.of(f.Profile)[i-builtIn().start(f.Profile)]
}

// of returns the metrics of a profile, or nil.
func (p *Profiles) of(which Profile) []Metric {
	if which < Demographic || which > Housing {
		return nil
	}
	return p.metrics[which-1]
}

func (p *Profiles) add(which Profile) []Metric {
	p.metrics[which-1] = make([]Metric, len(builtIn().of(which)))
	return p.metrics[which-1]
}

func (p *Profiles) empty() bool {
	all := AllProfiles()
	return !slices.ContainsFunc(all[:], p.Has)
}

// appendMember appends a comma and a profile, null if missing.
func (p *Profiles) appendMember(dst []byte, which Profile) []byte {
	dst = append(append(append(dst, `,"`...), which.String()...), `":`...)
	metrics := p.of(which)
	if metrics == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	section, fields := "", builtIn().of(which)
	for i := range metrics {
		m := &metrics[i]
		if *m == (Metric{}) {
			continue
		}
		f := &fields[i]
		switch section {
		case f.Section:
			dst = append(dst, ',')
		case "":
			dst = append(append(append(dst, '"'), f.Section...), `":{`...)
		default:
			dst = append(append(append(dst, `},"`...), f.Section...), `":{`...)
		}
		section = f.Section
		dst = append(append(append(dst, '"'), f.Name...), `":`...)
		dst = m.append(dst)
	}
	if section != "" {
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// unmarshal reads a profile without its unknown fields; raw may be nil or null.
func (p *Profiles) unmarshal(which Profile, raw json.RawMessage) error {
	var sections map[string]map[string]json.RawMessage
	if raw == nil || string(raw) == "null" {
		return nil
	}
	if err := json.Unmarshal(raw, &sections); err != nil {
		return err
	}
	metrics, fields := p.add(which), builtIn().of(which)
	for i := range metrics {
		f := &fields[i]
		raw, ok := sections[f.Section][f.Name]
		if !ok {
			continue
		}
		if err := metrics[i].UnmarshalJSON(raw); err != nil {
			return fmt.Errorf("%s.%s: %w", f.Section, f.Name, err)
		}
	}
	return nil
}

// A Level is a kind of area with figures. Its String is "zcta" or "tract".
type Level = store.ACSLevel

// The levels.
const (
	ZCTA  = store.ACSZCTA  // ZIP Code Tabulation Areas, of five digits
	Tract = store.ACSTract // census tracts, of eleven digits
)
