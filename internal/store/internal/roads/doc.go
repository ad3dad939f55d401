// Package roads holds the tables of address points and of street segments with
// ranges of house numbers. They are packed by street, and streets by ZIP Code or
// forward sortation area.
package roads
