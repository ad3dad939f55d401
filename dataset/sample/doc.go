// Package sample embeds a small dataset for trying things out.
//
// # Usage
//
//	d, err := dataset.OpenFS(sample.FS(), sample.Name)
//
// # Data
//
// The dataset has some 800 ZIP Codes, 120 forward sortation areas, 1,100 full
// postal codes and a few thousand ZIP+4 records in some forty cities of the
// United States and Canada. Real are the ZIPs and FSAs, their cities, counties
// and census divisions, their area codes, metropolitan areas and time zones,
// and their points, to about a mile. Invented are all outlines and areas,
// which tile the ground around the points of a city and stop at the border
// between the countries, elevations, populations, the last three characters of every postal code
// but K1A 0B1, and every street, house number, add-on, key, route and count of the
// postal products. Nothing of it is fit for real mail or real decisions. The manifest says so:
// its version begins with "sample", and so does the vintage of every source.
//
// The file is made by go generate: the folder internal/facts holds what is
// real, dataset/synth grows an invented country around it and writes it in
// the formats of the official sources, and dataset/build builds the dataset
// from them, as it would from the real ones. The same bytes come out every
// time.
package sample
