// Command release builds an archive and a bill of materials for each platform,
// Debian packages for Linux, and a file of checksums.
//
// # Usage
//
//	go run -C packaging/release . -C ../.. -o ../../dist [-targets linux/amd64,…] [-version v1.2.3]
//
// The command has its own module. -C is the top of the checkout. Version,
// revision and date come from the commit. Flags replace them, for a copy of the
// sources without git.
//
// # Data
//
// Equal sources give equal bytes with one version of Go, on any machine and in
// any folder. Entries of archives are in a fixed order and have the commit's date
// and no owner. Binaries contain no paths. All programs are
// pure Go and linked statically.
package main
