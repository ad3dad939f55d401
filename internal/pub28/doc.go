// Package pub28 is the vocabulary of US addresses as USPS Publication 28
// standardizes it. It has street suffixes (appendix C1), secondary units (C2),
// directionals, states (B), highways (F), Spanish words (H) and ordinals. It
// also has ranges of alphanumeric numbers (E), and the common key of the
// spellings of a street name.
//
// # Usage
//
// All functions take words in capitals without punctuation, as package address
// cleans them:
//
//	abbr, ok := pub28.Suffix("AVENU")  // "AVE", true
//	key := pub28.Key("MT PLEASANT")    // "MOUNTPLEASANT", as of "MOUNT PLEASANT"
//
// # Concurrency
//
// The tables are made once and only read, so everything may be called from any
// number of goroutines.
package pub28
