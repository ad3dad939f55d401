// Package codes derives states, counties, places, ZIP Codes, FSAs and postal codes.
package codes
