// Package survey holds the tables of the American Community Survey.
package survey
