package document

import "encoding/json"

// goCalls maps paths to equivalent calls of the library (db) or of its client (c).
// A route without a call is shown as an HTTP request.
//
// {name} is a parameter as a Go value. {options} are the fields that the given
// parameters set. The first option with the parameter's value is used. The line
// before precedes the call.
var goCalls = map[string]json.RawMessage{
	"/v2/quick-zip": json.RawMessage(`{"call": "db.QuickLookup(ctx, {code}, lookup.QuickOptions{{options}})",
		"options": [{"param": "include", "value": "timezone", "text": "Timezone: true"}]}`),
	"/v2/quick-zip/batch": json.RawMessage(`{"call": "c.QuickLookupBatch(ctx, {codes}, lookup.QuickOptions{{options}})",
		"options": [{"param": "include", "value": "timezone", "text": "Timezone: true"}]}`),
	"/v2/zip/batch": json.RawMessage(`{"call": "c.LookupBatch(ctx, {codes}, lookup.Options{{options}})",
		"options": [{"param": "include", "before": "include, _ := lookup.ParseInclude({include})", "text": "Include: include"}]}`),
	"/v2/zip": json.RawMessage(`{"call": "db.Lookup(ctx, {code}, lookup.Options{{options}})",
		"options": [{"param": "include", "before": "include, _ := lookup.ParseInclude({include})", "text": "Include: include"}]}`),
	"/v2/radius": json.RawMessage(`{"call": "db.Radius(ctx, {code}, radius.Options{{options}})", "options": [
		{"param": "max", "value": "auto", "text": "Auto: radius.Density"},
		{"param": "max", "value": "auto-commute", "text": "Auto: radius.Commute"},
		{"param": "max", "text": "Max: {max}"}, {"param": "min", "text": "Min: {min}"},
		{"param": "mode", "value": "spatial", "text": "Mode: radius.Spatial"}, {"param": "mode", "text": ""},
		{"param": "limit", "text": "Limit: {limit}"},
		{"param": "include", "before": "include, _ := radius.ParseInclude({include})", "text": "Include: include"}]}`),
	"/v2/distance": json.RawMessage(`{"call": "db.Distance(ctx, {from}, {to}, radius.DistanceOptions{})"}`),
	"/v2/address": json.RawMessage(`{"call": "db.MatchAddress(ctx, {address}, address.Options{{options}})",
		"options": [{"param": "include", "before": "include, _ := address.ParseInclude({include})", "text": "Include: include"}]}`),
	"/v2/address/batch": json.RawMessage(`{"call": "c.MatchAddressBatch(ctx, {addresses}, address.Options{{options}})",
		"options": [{"param": "include", "before": "include, _ := address.ParseInclude({include})", "text": "Include: include"}]}`),
	"/v2/geocode": json.RawMessage(`{"call": "db.Geocode(ctx, {address}, geocode.Options{{options}})", "options": [
		{"param": "offset", "text": "Offset: {offset}"},
		{"param": "include", "before": "include, _ := address.ParseInclude({include})", "text": "Include: include"}]}`),
	"/v2/suggest": json.RawMessage(`{"call": "db.Suggest(ctx, {q}, suggest.Options{{options}})", "options": [
		{"param": "limit", "text": "Limit: {limit}"}, {"param": "state", "text": "State: {state}"}, {"param": "country", "text": "Country: {country}"},
		{"param": "proximity", "text": "Proximity: {proximity}"},
		{"param": "include", "before": "types, _ := suggest.ParseTypes({include})", "text": "Include: types"}]}`),
	"/v2/health": json.RawMessage(`{"call": "db.Ping(ctx)"}`),
}
