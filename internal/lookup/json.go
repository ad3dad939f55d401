package lookup

import (
	"strconv"

	"github.com/postgeo/postgeo/internal/envelope"
)

// AppendJSON implements [envelope.Appender].
func (r *QuickRecord) AppendJSON(dst []byte) ([]byte, error) {
	if r == nil {
		return append(dst, "null"...), nil
	}
	dst, err := envelope.AppendItem(append(dst, '{'), &r.Item)
	if err != nil {
		return dst, err
	}
	dst = r.appendMembers(dst)
	if r.Detail != nil {
		if dst, err = envelope.Append(append(dst, `,"detail":`...), r.Detail); err != nil {
			return dst, err
		}
	}
	if r.Timezone != nil {
		dst = append(dst, `,"timezone":`...)
		dst, _ = r.Timezone.AppendJSON(dst)
	}
	return append(dst, '}'), nil
}

// AppendJSON implements [envelope.Appender].
func (r *Record) AppendJSON(dst []byte) ([]byte, error) {
	if r == nil {
		return append(dst, "null"...), nil
	}
	dst, err := envelope.AppendItem(append(dst, '{'), &r.Item)
	if err != nil {
		return dst, err
	}
	dst = r.appendMembers(dst)
	optional := func(key string, there bool, v any) {
		if there && err == nil {
			dst, err = envelope.Append(append(dst, key...), v)
		}
	}
	optional(`,"area_codes":`, r.AreaCodes != nil, r.AreaCodes)
	optional(`,"elevation":`, r.Elevation != nil, r.Elevation)
	optional(`,"metro":`, r.Metro != nil, r.Metro)
	optional(`,"zip_info":`, r.ZIPInfo != nil, r.ZIPInfo)
	optional(`,"postal_info":`, r.PostalInfo != nil, r.PostalInfo)
	optional(`,"city_aliases":`, r.CityAliases != nil, r.CityAliases)
	optional(`,"detail":`, r.Detail != nil, r.Detail)
	optional(`,"timezone":`, r.Timezone != nil, r.Timezone)
	if err != nil {
		return dst, err
	}
	dst = r.AppendMembers(dst)
	optional(`,"demographics":`, r.Demographics != nil, r.Demographics)
	optional(`,"medicare":`, r.Medicare != nil, r.Medicare)
	optional(`,"acs":`, r.ACS != nil, r.ACS)
	optional(`,"quality":`, r.Quality != nil, r.Quality)
	return append(dst, '}'), err
}

// appendMembers appends the members of an identity, each behind a comma.
func (id *Identity) appendMembers(dst []byte) []byte {
	dst = append(dst, `,"country":`...)
	dst = envelope.AppendString(dst, id.Country)
	dst = append(dst, `,"code":`...)
	dst = envelope.AppendString(dst, id.Code)
	dst = append(dst, `,"code_type":"`...)
	dst = append(dst, id.CodeType.String()...)
	dst = append(dst, '"')
	dst = appendKnown(dst, `,"parent_code":`, id.ParentCode)
	dst = append(dst, `,"city":`...)
	dst = envelope.AppendString(dst, id.City)
	dst = append(dst, `,"state":`...)
	dst = envelope.AppendString(dst, id.State)
	dst = append(dst, `,"state_name":`...)
	dst = envelope.AppendString(dst, id.StateName)
	dst = appendKnown(dst, `,"state_fips":`, id.StateFIPS)
	dst = appendKnown(dst, `,"county":`, id.County)
	dst = appendKnown(dst, `,"county_fips":`, id.CountyFIPS)
	if id.MultiCounty.Known() {
		dst = append(dst, `,"multi_county":`...)
		dst = append(dst, id.MultiCounty.String()...)
	}
	dst = appendKnown(dst, `,"classification":`, id.Classification.String())
	dst = appendKnown(dst, `,"classification_name":`, id.ClassificationName.String())
	dst = appendKnown(dst, `,"municipality":`, id.Municipality)
	if id.Location.IsValid() {
		dst = append(dst, `,"location":`...)
		dst = id.Location.AppendJSON(dst)
	}
	return dst
}

// appendKnown appends a member that is left out when it is empty.
func appendKnown(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return envelope.AppendString(append(dst, key...), value)
}

// AppendJSON implements [envelope.Appender].
func (t *TimeZone) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, `{"source":`...)
	dst = envelope.AppendString(dst, t.Source)
	dst = append(dst, `,"iana_name":`...)
	dst = envelope.AppendString(dst, t.IANAName)
	dst = append(dst, `,"name":`...)
	dst = envelope.AppendString(dst, t.Name)
	dst = append(dst, `,"abbreviation":`...)
	dst = envelope.AppendString(dst, t.Abbreviation)
	dst = append(dst, `,"abbreviation_dst":`...)
	dst = envelope.AppendString(dst, t.AbbreviationDST)
	dst = append(dst, `,"utc_offset":`...)
	dst = strconv.AppendFloat(dst, t.UTCOffset, 'f', -1, 64)
	dst = append(dst, `,"utc_offset_dst":`...)
	dst = strconv.AppendFloat(dst, t.UTCOffsetDST, 'f', -1, 64)
	dst = append(dst, `,"observes_dst":`...)
	dst = strconv.AppendBool(dst, t.ObservesDST)
	return append(dst, '}'), nil
}
