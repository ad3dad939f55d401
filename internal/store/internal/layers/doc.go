// Package layers holds the tables of areas: outlines of codes, states, counties
// and time zones, the layers of the census and their overlaps with codes.
package layers
