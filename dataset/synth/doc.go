// Package synth invents a country and writes it down in the formats of the
// official sources.
//
// # Usage
//
// [New] draws a country from a seed, from a few hundred codes to the size of
// the real one; [FromFacts] grows one around codes that are given. Either
// returns a [Country], a model in memory that agrees with itself, and the
// Country writes itself as files: [Country.WriteMirror] lays out a tree of
// <host>/<path> as the official download sites have it, and [Country.WriteZIP4]
// and its siblings write the products that a user has to supply.
//
//	c, err := synth.New(synth.Options{Seed: 1, ZIPs: 400})
//	…
//	err = c.WriteMirror(ctx, dir)
//
// The same options give the same bytes, on every machine.
//
// # Data
//
// Everything is invented except names and numbers that belong to the frame:
// states and provinces with their FIPS codes and code prefixes, Census regions,
// and time zones. Land is cut into cells; every cell lies in one state, county,
// ZIP Code and time zone (or one province, census division, municipality and
// FSA). All areas are unions of cells, so ZIPs tile counties, counties tile
// states, nothing overlaps, every shared border is the same line on both sides,
// and the land and water of the parts add up to those of the whole, to the
// square metre.
//
// The hard cases of the real files are there on purpose: all classes of ZIP
// Codes, PO Box ZIPs with an area of the same code, an area on both sides of
// the antimeridian, islands of the territories, planning regions in
// Connecticut, an independent city that bears the name of its county, ZIPs in
// two counties and two time zones, time zones without daylight saving time and
// with half hours, a border between Michigan and Ontario and one between New
// York and Ontario, accents and apostrophes, zero and far-off coordinates,
// duplicate rows, military ZIPs without a state, and ZIPs that were given up.
//
// # Concurrency
//
// A Country does not change after it was made; its methods may run at the same
// time.
//
// # Errors
//
// Options out of range and facts that contradict each other are refused with
// an error that says which. Writing fails with the error of the file system or
// of the context.
package synth
