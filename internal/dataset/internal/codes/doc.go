// Package codes holds the tables of ZIP Codes, forward sortation areas and postal
// codes. Small tables have the states, counties, metropolitan areas and time
// zones of codes.
package codes
