// Command release builds what is published: an archive for each platform, a
// Debian package for those of Linux, a bill of materials for each, and the
// checksums of all of them.
//
// # Usage
//
//	go run ./packaging/release -o dist [-targets linux/amd64,…] [-version v1.2.3]
//
// It runs at the top of a checkout. Version, revision and date are those of
// the commit unless flags give them, as for a copy of the sources without git.
//
// # Data
//
// Equal sources give equal bytes with one version of Go, on whatever machine
// and in whatever folder: entries of archives are in a fixed order, carry the
// commit's date and nobody's name, and binaries know no path. Both programs are
// pure Go and linked statically.
package main
