package server

import "encoding/json"

// goCalls are the calls of the library (db) or of its client (c) that do what a
// route does, by path.
// {name} stands for a parameter as a Go value, {options} for the fields that
// the given parameters set. A route without one is shown as an HTTP request.
// Of the options of one parameter the first with its value counts; before is a
// line that goes ahead of the call.
var goCalls = map[string]string{
	"/v2/quick-zip": `{"call": "db.QuickLookup(ctx, {code}, postgeo.QuickLookupOptions{{options}})",
		"options": [{"param": "include", "value": "timezone", "text": "Timezone: true"}]}`,
	"/v2/quick-zip/batch": `{"call": "c.QuickLookups(ctx, {codes}, lookup.QuickOptions{{options}})",
		"options": [{"param": "include", "value": "timezone", "text": "Timezone: true"}]}`,
	"/v2/zip/batch": `{"call": "c.Lookups(ctx, {codes}, lookup.Options{{options}})",
		"options": [{"param": "include", "before": "include, _ := lookup.ParseInclude({include})", "text": "Include: include"}]}`,
	"/v2/zip": `{"call": "db.Lookup(ctx, {code}, postgeo.LookupOptions{{options}})",
		"options": [{"param": "include", "before": "include, _ := lookup.ParseInclude({include})", "text": "Include: include"}]}`,
	"/v2/radius": `{"call": "db.Radius(ctx, {code}, postgeo.RadiusOptions{{options}})", "options": [
		{"param": "max", "value": "auto", "text": "Auto: postgeo.Density"},
		{"param": "max", "value": "auto-commute", "text": "Auto: postgeo.Commute"},
		{"param": "max", "text": "Max: {max}"}, {"param": "min", "text": "Min: {min}"},
		{"param": "mode", "value": "spatial", "text": "Mode: postgeo.Spatial"}, {"param": "mode", "text": ""},
		{"param": "limit", "text": "Limit: {limit}"},
		{"param": "include", "before": "include, _ := radius.ParseInclude({include})", "text": "Include: include"}]}`,
	"/v2/distance": `{"call": "db.Distance(ctx, {from}, {to}, postgeo.DistanceOptions{})"}`,
	"/v2/address": `{"call": "db.MatchAddress(ctx, {address}, postgeo.AddressOptions{{options}})",
		"options": [{"param": "include", "before": "include, _ := address.ParseInclude({include})", "text": "Include: include"}]}`,
	"/v2/address/batch": `{"call": "c.MatchAddresses(ctx, {addresses}, address.Options{{options}})",
		"options": [{"param": "include", "before": "include, _ := address.ParseInclude({include})", "text": "Include: include"}]}`,
	"/v2/suggest": `{"call": "db.Suggest(ctx, {q}, postgeo.SuggestOptions{{options}})", "options": [
		{"param": "limit", "text": "Limit: {limit}"}, {"param": "state", "text": "State: {state}"}, {"param": "country", "text": "Country: {country}"},
		{"param": "proximity", "text": "Proximity: {proximity}"},
		{"param": "include", "before": "types, _ := suggest.ParseTypes({include})", "text": "Include: types"}]}`,
	"/v2/health": `{"call": "db.Ping(ctx)"}`,
}

// goCall returns the extension x-go of a path; nil where it has none.
func goCall(path string) json.RawMessage {
	if call, ok := goCalls[path]; ok {
		return json.RawMessage(call)
	}
	return nil
}
