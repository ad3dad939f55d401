package server

import (
	"strconv"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// A quickItem is a quick record with an encoder of its own: /v2/quick-zip is
// the route that is called most, and reflection would be a third of its work.
// The bytes are those of encoding/json.
type quickItem struct{ *lookup.QuickRecord }

// AppendJSON implements envelope.Appender.
func (q quickItem) AppendJSON(dst []byte) ([]byte, error) {
	r := q.QuickRecord
	dst, err := envelope.AppendItem(append(dst, '{'), &r.Item)
	if err != nil {
		return dst, err
	}
	dst = appendIdentity(dst, &r.Identity)
	if r.Detail != nil {
		dst = append(dst, `,"detail":`...)
		if dst, err = envelope.Append(dst, r.Detail); err != nil {
			return dst, err
		}
	}
	if r.Timezone != nil {
		dst = append(dst, `,"timezone":`...)
		dst = appendTimeZone(dst, r.Timezone)
	}
	return append(dst, '}'), nil
}

// appendIdentity appends the members of an identity, each with a comma before
// it.
func appendIdentity(dst []byte, id *lookup.Identity) []byte {
	dst = appendMember(dst, `,"country":`, id.Country)
	dst = appendMember(dst, `,"code":`, id.Code)
	dst = appendMember(dst, `,"code_type":`, id.CodeType.String())
	dst = appendOptional(dst, `,"parent_code":`, id.ParentCode)
	dst = appendMember(dst, `,"city":`, id.City)
	dst = appendMember(dst, `,"state":`, id.State)
	dst = appendMember(dst, `,"state_name":`, id.StateName)
	dst = appendOptional(dst, `,"state_fips":`, id.StateFIPS)
	dst = appendOptional(dst, `,"county":`, id.County)
	dst = appendOptional(dst, `,"county_fips":`, id.CountyFIPS)
	if id.MultiCounty.Known() {
		dst = append(dst, `,"multi_county":`...)
		dst = append(dst, id.MultiCounty.String()...)
	}
	dst = appendOptional(dst, `,"classification":`, id.Classification)
	dst = appendOptional(dst, `,"classification_name":`, id.ClassificationName)
	dst = appendOptional(dst, `,"municipality":`, id.Municipality)
	if id.Location.IsValid() {
		dst = append(dst, `,"location":`...)
		dst = id.Location.AppendJSON(dst)
	}
	return dst
}

func appendTimeZone(dst []byte, z *lookup.TimeZone) []byte {
	dst = appendMember(dst, `{"source":`, z.Source)
	dst = appendMember(dst, `,"iana_name":`, z.IANAName)
	dst = appendMember(dst, `,"name":`, z.Name)
	dst = appendMember(dst, `,"abbreviation":`, z.Abbreviation)
	dst = appendMember(dst, `,"abbreviation_dst":`, z.AbbreviationDST)
	dst = append(dst, `,"utc_offset":`...)
	dst = appendHours(dst, z.UTCOffset)
	dst = append(dst, `,"utc_offset_dst":`...)
	dst = appendHours(dst, z.UTCOffsetDST)
	dst = append(dst, `,"observes_dst":`...)
	dst = strconv.AppendBool(dst, z.ObservesDST)
	return append(dst, '}')
}

// appendHours appends an offset of at most a day, a number that encoding/json
// too writes without an exponent.
func appendHours(dst []byte, hours float64) []byte {
	return strconv.AppendFloat(dst, hours, 'f', -1, 64)
}

func appendMember(dst []byte, name, value string) []byte {
	return envelope.AppendString(append(dst, name...), value)
}

func appendOptional(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return appendMember(dst, name, value)
}
