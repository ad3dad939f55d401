// Package facts holds the real part of the embedded sample. It has codes with
// their city, county or census division, area codes and rounded coordinates, and
// the names of those areas.
//
// The CSV files of the folder data were written from general knowledge. A test
// compares them with official files if they are available.
package facts
