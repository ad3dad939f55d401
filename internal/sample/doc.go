// Package sample embeds a small dataset for trying things out.
//
// # Usage
//
//	d, err := dataset.OpenFS(sample.FS(), sample.Name)
//
// # Data
//
// The dataset covers 40 cities of the United States and Canada. It has about 800
// ZIP Codes, 120 forward sortation areas, 1,100 full postal codes and 5,000
// ZIP+4 records.
//
// ZIPs and FSAs are real, with their cities, counties, census divisions, area
// codes, metropolitan areas and time zones. Their points are real to about a
// mile. Everything else is invented: outlines, areas, elevations, populations,
// the last three characters of postal codes except K1A 0B1, and the contents of
// the postal products. Do not use them for real mail or real decisions. The
// version of the manifest and the vintages of all sources begin with "sample".
//
// The file is reproducibly built by go generate. The package dataset/synth grows
// an invented country around the facts of internal/facts and writes it in the
// formats of the official sources. The package dataset/build builds the dataset
// from these files.
package sample
