// Package edit measures how far apart two words are by their letters. Misspelt
// streets, places and names of fields are found by it.
//
// # Usage
//
//	edit.Distance("MIAN", "MAIN", 2) // 1: two letters are swapped
package edit
