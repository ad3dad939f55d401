package operation

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// Encode returns the parameters of in, a pointer to an input, as a query: the inverse of
// Source.Fill, for the client. Zero values are left out unless they are required; a
// parameter whose zero is a value, such as min, is a pointer.
func Encode(params []*Param, in any) url.Values {
	query := url.Values{}
	fields := reflect.ValueOf(in).Elem()
	for _, p := range params {
		if v := fields.FieldByIndex(p.Index); p.Required || !v.IsZero() {
			query.Set(p.Name, textOf(v))
		}
	}
	return query
}

// EncodeJSON returns the parameters of [Encode] as the members of a JSON object.
func EncodeJSON(params []*Param, in any) map[string]any {
	members := map[string]any{}
	query := Encode(params, in)
	for _, p := range params {
		switch {
		case !query.Has(p.Name):
		case p.Kind == Number, p.Kind == Integer:
			members[p.Name] = json.Number(query.Get(p.Name))
		default:
			members[p.Name] = query.Get(p.Name)
		}
	}
	return members
}

// textOf returns the text that [Param.Parse] reads.
func textOf(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch value := v.Interface().(type) {
	case envelope.Flags:
		return strings.Join(value, ",")
	case time.Time:
		return value.Format(time.RFC3339Nano)
	case fmt.Stringer:
		return value.String()
	}
	switch v.Kind() {
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Int:
		return strconv.FormatInt(v.Int(), 10)
	default:
		return v.String()
	}
}

// plansOf selects the plans of options.
func plansOf(asOf time.Time, plan string) Plans { return Plans{AsOf: Day(dayOf(asOf)), Plan: plan} }

// dayOf returns the day in UTC.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// LookupParamsOf returns the parameters of options.
func LookupParamsOf(o lookup.Options) LookupParams {
	return LookupParams{Include: o.Flags(), Clock: Clock{At: o.At}, Plans: plansOf(o.AsOf, o.Plan)}
}

// QuickParamsOf returns the parameters of options.
func QuickParamsOf(o lookup.QuickOptions) LookupParams {
	in := LookupParams{Clock: Clock{At: o.At}}
	if o.Timezone {
		in.Include = envelope.Flags{"timezone"}
	}
	return in
}

// RadiusParamsOf returns the parameters of options.
func RadiusParamsOf(o radius.Options) RadiusParams {
	in := RadiusParams{
		Max: Reach{Auto: o.Auto}, Mode: o.Mode, Include: append(o.Include.Flags(), o.Include.Dropped...), Clock: Clock{At: o.At},
	}
	if o.Auto == "" {
		in.Max.Miles = o.Max
	}
	if o.Min != 0 || o.EchoMin {
		in.Min = &o.Min
	}
	if o.Limit != 0 {
		in.Limit = &o.Limit
	}
	return in
}

// SuggestInputOf returns the input of a query with options.
func SuggestInputOf(query string, o suggest.Options) SuggestInput {
	in := SuggestInput{Query: query, State: o.State, Country: o.Country, Proximity: o.Proximity}
	if o.Limit != 0 {
		in.Limit = &o.Limit
	}
	for _, t := range o.Include {
		in.Include = append(in.Include, string(t))
	}
	return in
}

// AddressParamsOf returns the parameters of options.
func AddressParamsOf(o address.Options) AddressParams {
	return AddressParams{Include: o.Flags(), Plans: plansOf(o.AsOf, o.Plan)}
}

// GeocodeParamsOf returns the parameters of options.
func GeocodeParamsOf(o geocode.Options) GeocodeParams {
	return GeocodeParams{Offset: max(float64(o.Offset), -1), PlaceParams: placeParamsOf(address.Options{Include: o.Include, Likely: o.Likely, AsOf: o.AsOf, Plan: o.Plan})}
}

// ReverseParamsOf returns the parameters of options.
func ReverseParamsOf(o geocode.ReverseOptions) ReverseParams {
	return ReverseParams{Within: float64(o.Within), PlaceParams: placeParamsOf(address.Options{Include: o.Include, Likely: o.Likely, AsOf: o.AsOf, Plan: o.Plan})}
}

func placeParamsOf(o address.Options) PlaceParams {
	return PlaceParams{Include: o.Flags(), Plans: plansOf(o.AsOf, o.Plan)}
}
