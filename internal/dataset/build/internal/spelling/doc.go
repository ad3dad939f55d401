// Package spelling writes and compares names of places.
package spelling
