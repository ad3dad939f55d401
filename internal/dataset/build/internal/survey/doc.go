// Package survey reads tables of the American Community Survey.
package survey
