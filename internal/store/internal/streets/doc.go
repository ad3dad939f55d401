// Package streets holds the tables of street records, ZIP+4 codes, city names and
// other names of streets.
package streets
