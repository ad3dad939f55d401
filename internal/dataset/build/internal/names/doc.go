// Package names collects the names that suggestions find.
package names
