package acs

// A Metric is one field of an area and year, or of an aggregate. The zero
// Metric is a missing figure.
type Metric struct {
	Estimate   Value
	MOE        Value // margin of error of the estimate at 90 percent confidence; absent in aggregates
	Percent    Value // share of the field's universe in percent; absent if the field has none
	PercentMOE Value // margin of error of the percentage, in points

	number  uint16
	profile Profile
}

// Column returns the identifier of the estimate's column in the year's table,
// e.g. "DP05_0001E"; "" in aggregates.
func (m Metric) Column() string {
	if m.number == 0 {
		return ""
	}
	return string(appendColumn(nil, m.profile, m.number))
}

// IsZero reports whether the figure is missing.
func (m Metric) IsZero() bool { return m == Metric{} }

// append appends the contract's metric: {column, est, moe, pct?, pct_moe?}.
// Members that are absent are left out; suppressed ones are null.
func (m *Metric) append(dst []byte) []byte {
	if m.number != 0 {
		dst = append(dst, `{"column":"`...)
		dst = append(appendColumn(dst, m.profile, m.number), `","est":`...)
	} else {
		dst = append(dst, `{"est":`...)
	}
	dst = m.Estimate.AppendJSON(dst)
	if m.MOE.mark != Absent {
		dst = m.MOE.AppendJSON(append(dst, `,"moe":`...))
	}
	if m.Percent.mark != Absent {
		dst = m.Percent.AppendJSON(append(dst, `,"pct":`...))
	}
	if m.PercentMOE.mark != Absent {
		dst = m.PercentMOE.AppendJSON(append(dst, `,"pct_moe":`...))
	}
	return append(dst, '}')
}

// MarshalJSON implements [encoding/json.Marshaler].
func (m Metric) MarshalJSON() ([]byte, error) { return m.append(nil), nil }
