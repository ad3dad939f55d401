package radius

import (
	"math"
	"strconv"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/lookup"
)

// AppendJSON implements [envelope.Appender].
func (r *Result) AppendJSON(dst []byte) ([]byte, error) { return r.AppendPieces(dst, nil) }

// AppendPieces implements [envelope.Piecewise].
func (r *Result) AppendPieces(dst []byte, flush envelope.Flush) ([]byte, error) {
	if r == nil {
		return append(dst, "null"...), nil
	}
	dst, err := envelope.Append(dst, &r.Item)
	if err != nil {
		return dst, err
	}
	dst = dst[:len(dst)-1] // more members follow
	if dst, err = envelope.Append(append(dst, `,"search":`...), &r.Search); err != nil {
		return dst, err
	}
	if dst, err = appendMatches(append(dst, `,"matches":`...), r.Matches, flush); err != nil {
		return dst, err
	}
	if dst, err = envelope.Append(append(dst, `,"summary":`...), &r.Summary); err != nil {
		return dst, err
	}
	if r.Stats != nil {
		if dst, err = envelope.Append(append(dst, `,"stats":`...), r.Stats); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func appendMatches(dst []byte, matches []Match, flush envelope.Flush) ([]byte, error) {
	if matches == nil {
		return append(dst, "null"...), nil
	}
	dst = append(dst, '[')
	var zones zoneTexts
	for i := range matches {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		var err error
		if dst, err = matches[i].append(dst, &zones); err != nil {
			return dst, err
		}
		dst = append(dst, '}')
		if flush != nil && len(dst) >= envelope.PieceBytes {
			if dst, err = flush(dst); err != nil {
				return dst, err
			}
			zones = zoneTexts{} // they were in the removed part
		}
	}
	return append(dst, ']'), nil
}

// AppendJSON implements [envelope.Appender].
func (m *Match) AppendJSON(dst []byte) ([]byte, error) {
	if m == nil {
		return append(dst, "null"...), nil
	}
	var zones zoneTexts
	dst, err := m.append(append(dst, '{'), &zones)
	return append(dst, '}'), err
}

func (m *Match) append(dst []byte, zones *zoneTexts) ([]byte, error) {
	dst = append(dst, `"country":`...)
	dst = envelope.AppendString(dst, m.Country)
	dst = append(dst, `,"code":`...)
	dst = envelope.AppendString(dst, m.Code)
	dst = append(dst, `,"code_type":"`...)
	dst = append(dst, m.CodeType.String()...)
	dst = append(dst, `","city":`...)
	dst = envelope.AppendString(dst, m.City)
	dst = append(dst, `,"state":`...)
	dst = envelope.AppendString(dst, m.State)
	dst = appendKnown(dst, `,"county":`, m.County)
	dst = appendKnown(dst, `,"county_fips":`, m.CountyFIPS)
	dst = appendKnown(dst, `,"classification":`, m.Classification.String())
	dst = appendKnown(dst, `,"classification_name":`, m.ClassificationName.String())
	dst = append(dst, `,"location":`...)
	dst = m.Location.AppendJSON(dst)
	dst, err := appendDecimal(append(dst, `,"distance_miles":`...), float64(m.DistanceMiles))
	if err == nil && m.PctInside != nil {
		dst, err = appendDecimal(append(dst, `,"pct_inside":`...), *m.PctInside)
	}
	if err == nil && m.AreaSqMi != nil {
		dst, err = appendDecimal(append(dst, `,"area_sq_mi":`...), float64(*m.AreaSqMi))
	}
	if err == nil && m.Timezone != nil {
		dst, err = zones.append(append(dst, `,"timezone":`...), m.Timezone)
	}
	return dst, err
}

// appendKnown appends a member that is left out when it is empty.
func appendKnown(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return envelope.AppendString(append(dst, key...), value)
}

// appendDecimal appends a number that usually has at most two decimals.
func appendDecimal(dst []byte, v float64) ([]byte, error) {
	const largest = 1e9
	if n := math.Round(v * 100); n >= 1 && n < largest && n/100 == v {
		// The double nearest to a decimal of so few digits is written as that
		// decimal.
		return appendHundredths(dst, uint32(n)), nil
	}
	if v == 0 && !math.Signbit(v) {
		return append(dst, '0'), nil
	}
	return envelope.Append(dst, v)
}

// appendHundredths appends n/100 without trailing zeros.
func appendHundredths(dst []byte, n uint32) []byte {
	dst = strconv.AppendUint(dst, uint64(n/100), 10)
	switch tenths, rest := byte(n/10%10), byte(n%10); {
	case rest != 0:
		return append(dst, '.', '0'+tenths, '0'+rest)
	case tenths != 0:
		return append(dst, '.', '0'+tenths)
	default:
		return dst
	}
}

// zoneTexts remember where the JSON of the last few time zones of a result
// stands: thousands of matches share some few of them.
type zoneTexts struct {
	last [4]zoneText
	next int
}

type zoneText struct {
	zone     *lookup.TimeZone
	from, to int // in the output
}

func (z *zoneTexts) append(dst []byte, t *lookup.TimeZone) ([]byte, error) {
	for _, l := range z.last {
		if l.zone == t {
			return append(dst, dst[l.from:l.to]...), nil
		}
	}
	from := len(dst)
	dst, err := envelope.Append(dst, t)
	z.last[z.next%len(z.last)] = zoneText{t, from, len(dst)}
	z.next++
	return dst, err
}
