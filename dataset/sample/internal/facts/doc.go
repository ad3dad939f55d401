// Package facts holds what is real of the embedded sample: codes with their
// city, county or census division, rounded coordinates and area codes, and
// the names that belong to them. They were written from general knowledge,
// by metropolitan area, into the CSV files of the folder data, and a test
// compares them with official files where those are at hand.
package facts
