package acs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Clients of a server decode responses into the types that the library returns. JSON keeps all
// numbers with their decimals but for trailing zeros, and loses why a figure is missing.

// UnmarshalJSON implements [encoding/json.Unmarshaler]. A null becomes
// a missing figure that prints as "(X)", because JSON does not contain the reason.
func (v *Value) UnmarshalJSON(b []byte) error {
	text := string(b)
	if text == "null" {
		*v = nullOf(notApplicable)
		return nil
	}
	whole, fraction, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole+fraction, 10, 32)
	if err != nil || len(fraction) >= len(powers) {
		return fmt.Errorf("acs: %q is not a number", text)
	}
	*v = decimal(int32(n), uint8(len(fraction)))
	return nil
}

// UnmarshalJSON implements [encoding/json.Unmarshaler].
func (m *Metric) UnmarshalJSON(b []byte) error {
	var members struct {
		Column     string          `json:"column"`
		Estimate   json.RawMessage `json:"est"`
		MOE        json.RawMessage `json:"moe"`
		Percent    json.RawMessage `json:"pct"`
		PercentMOE json.RawMessage `json:"pct_moe"`
	}
	if err := json.Unmarshal(b, &members); err != nil {
		return err
	}
	*m = Metric{}
	for _, f := range []struct {
		raw  json.RawMessage
		into *Value
	}{{members.Estimate, &m.Estimate}, {members.MOE, &m.MOE}, {members.Percent, &m.Percent}, {members.PercentMOE, &m.PercentMOE}} {
		if f.raw == nil {
			continue
		}
		if err := f.into.UnmarshalJSON(f.raw); err != nil {
			return err
		}
	}
	if members.Column == "" {
		return nil
	}
	table, number, _ := strings.Cut(strings.TrimSuffix(members.Column, "E"), "_")
	n, err := strconv.ParseUint(number, 10, 16)
	p, ok := profileOfTable(table)
	if err != nil || !ok {
		return fmt.Errorf("acs: invalid column %q; expected the form DP05_0001E", members.Column)
	}
	m.number, m.profile = uint16(n), p
	return nil
}

// UnmarshalJSON implements [encoding/json.Unmarshaler]. It does not set
// Current; [Years] does.
func (b *Block) UnmarshalJSON(data []byte) error {
	var members struct {
		Source    string `json:"source"`
		Product   string `json:"product"`
		Year      int    `json:"year"`
		GeoID     string `json:"geo_id"`
		Level     string `json:"geography_level"`
		Published *bool  `json:"published"`
		Note      string `json:"note"`
		profileMembers
	}
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	*b = Block{
		Source: members.Source, Product: members.Product, Year: members.Year, GeoID: members.GeoID, Level: members.Level, Published: members.Published, Note: members.Note,
	}
	for i, raw := range members.list() {
		if raw == nil {
			continue
		}
		p := Profile(i + 1)
		b.Requested = append(b.Requested, p)
		if err := b.unmarshal(p, raw); err != nil {
			return fmt.Errorf("acs: %s of %d: %w", p, b.Year, err)
		}
	}
	return nil
}

// profileMembers are the members of an object with the four profiles.
type profileMembers struct {
	Demographic, Social, Economic, Housing json.RawMessage
}

func (m *profileMembers) list() [4]json.RawMessage {
	return [...]json.RawMessage{m.Demographic, m.Social, m.Economic, m.Housing}
}

// UnmarshalJSON implements [encoding/json.Unmarshaler]. It does not set
// Current; [Years] does.
func (a *Aggregate) UnmarshalJSON(data []byte) error {
	var members struct {
		Source      string `json:"source"`
		Product     string `json:"product"`
		Year        int    `json:"year"`
		WithData    int    `json:"zips_with_acs_data"`
		WithoutData int    `json:"zips_without_acs_data"`
		Note        string `json:"aggregation_note"`
		profileMembers
	}
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	*a = Aggregate{Source: members.Source, Product: members.Product, Year: members.Year, WithData: members.WithData, WithoutData: members.WithoutData}
	if strings.Contains(members.Note, "pct_inside") { // of Note, the only trace of it in the JSON
		a.ByShare = true
	}
	for i, raw := range members.list() {
		if err := a.unmarshal(Profile(i+1), raw); err != nil {
			return fmt.Errorf("acs: %s of %d: %w", Profile(i+1), a.Year, err)
		}
	}
	return nil
}

// UnmarshalJSON implements [encoding/json.Unmarshaler]. It keeps the order of
// the members. Null has none.
func (y *Years[Y]) UnmarshalJSON(data []byte) error {
	*y = nil
	d := json.NewDecoder(bytes.NewReader(data))
	open, err := d.Token()
	if err != nil || open == nil {
		return err
	}
	if open != json.Delim('{') {
		return fmt.Errorf("acs: years begin with %v; expected an object", open)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var year Y
		if err := d.Decode(&year); err != nil {
			return err
		}
		*y = append(*y, year)
		_, current := y.at(len(*y) - 1).of()
		*current = key == "current"
	}
	return nil
}
