// Package namekey turns names of places, as people write them, into the keys
// under which suggestions find them. The builder and the queries use the same
// functions, so that what is stored and what is asked meet.
//
// # Usage
//
// [Fold] leaves words of small letters and digits. [Canonical] replaces an
// abbreviation by the word it stands for, and [Of] does both for a whole name.
//
//	namekey.Of("St. Louis")       // "saint louis"
//	namekey.Of("Coeur d'Alene")   // "coeur dalene"
//	namekey.Of("Trois-Rivières")  // "trois rivieres"
//
// # Concurrency
//
// All functions may be called from any number of goroutines.
package namekey
