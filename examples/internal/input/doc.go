// Package input is what the examples read: a dataset, and tables of one's own.
package input
