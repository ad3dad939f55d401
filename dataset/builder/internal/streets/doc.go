// Package streets writes ZIP+4 records and ranges of house numbers.
package streets
