// Package sample embeds a small dataset for trying things out.
//
// # Usage
//
//	d, err := dataset.OpenFS(sample.FS(), sample.Name)
//
// # Data
//
// The dataset has about 400 ZIP Codes and 70 forward sortation areas: the
// demonstration codes, codes around them, and others of both countries. It is
// clipped from public files of the Census Bureau, GeoNames, Statistics Canada,
// HRSA, CMS, USGS, IANA and timezone-boundary-builder. The manifest has the
// license and the attribution of each.
//
// Outlines are those of the publishers around the codes. Elsewhere, states,
// provinces, time zones and large areas are stored coarsely; shares, points and
// boxes are measured before that. Counts of people by block group are complete in
// the codes, not in areas that reach beyond them, and so are points of states and
// boxes of metropolitan areas, which follow from their codes and counties.
//
// Class, city, county and area codes of ZIPs are a list of this project,
// codes.csv. Nobody gives ZIP+4 records, delivery statistics and most tables of
// the American Community Survey away. Those of the sample are invented, in
// invented.zip, and their sources are named "sample". Total populations of
// profiles are those of the Census.
//
// go generate builds the file by a test of dataset/builder, from a mirror of the
// publishers' files that $POSTGEO_MIRROR names.
package sample
