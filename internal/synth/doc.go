// Package synth invents a country and writes it down in the formats of the
// official sources.
//
// # Usage
//
// [New] draws a country from a seed, from a few hundred codes to the real size.
// [FromFacts] grows one around given codes. Both return a [Country], a
// consistent model in memory. [Country.WriteMirror] writes the files of the
// official download sites. [Country.WriteZIP4] and its siblings write the
// products that users supply.
//
//	c, err := synth.New(synth.Options{Seed: 1, ZIPs: 400})
//	…
//	err = c.WriteMirror(ctx, dir)
//
// The same options produce the same bytes on every machine.
//
// # Data
//
// Everything is invented except the frame: states and provinces with their FIPS
// codes and code prefixes, Census regions, and time zones. Land is cut into
// cells. Every cell lies in one state, county, ZIP Code and time zone, or in one
// province, census division, municipality and FSA. All areas are unions of
// cells: ZIPs tile counties, and counties tile states. Neighbors share the same
// border line. Land and water of the parts add up to the square meter.
//
// The country contains the hard cases of the real files:
//
//   - All classes of ZIP Codes, PO Box ZIPs with an area, decommissioned ZIPs,
//     and military ZIPs without a state.
//   - An area on both sides of the antimeridian, islands of the territories.
//   - Planning regions in Connecticut, an independent city named like a county.
//   - ZIPs in two counties and two time zones, zones without daylight saving
//     time and with half hours.
//   - Borders between Ontario and both Michigan and New York.
//   - Accents, apostrophes, zero and far-off coordinates, and duplicate rows.
//
// # Concurrency
//
// A Country is immutable and safe for concurrent use.
//
// # Errors
//
// New and FromFacts return an error that describes the option out of range or
// the contradictory facts. Writing returns errors of the file system and of the
// context.
package synth
