// Package namekey normalizes names of places to search keys. The builder and the
// queries use the same functions, so that their keys match.
//
// # Usage
//
// [Fold] splits a text into lowercase words. [Canonical] expands an abbreviation.
// [Of] does both for a whole name.
//
//	namekey.Of("St. Louis")       // "saint louis"
//	namekey.Of("Coeur d'Alene")   // "coeur dalene"
//	namekey.Of("Trois-Rivières")  // "trois rivieres"
//
// # Concurrency
//
// All functions are safe for concurrent use.
package namekey
