// Package address reads US addresses as USPS Publication 28 writes them and
// matches them to the records of the ZIP+4 product.
//
// # Usage
//
// [Parse] needs nothing but the text and returns up to eight readings, the
// likeliest first:
//
//	p, err := address.Parse("5515A W Reading Ave, Apt 3, Alexandria, VA 22311")
//	fmt.Println(p[0].Line(), p[0].ZIP)
//
// An [Engine] lets the records of a dataset decide between the readings. It
// corrects one component of the street, the spelling of its name, ZIP, city and
// state, and adds a notice for each. It never changes the house number, nor a
// direction into another one. If the evidence is doubtful, it returns no match.
//
// # Rules
//
// The tables of rules.txt hold everything that distinguishes the readings. Each rule
// has a name, a pattern of words, a weight and an example.
//
// # Concurrency
//
// Parse is a pure function. An Engine is safe for concurrent use.
//
// # Errors
//
// Errors are a [*envelope.Failure], the context's, or a failure of the dataset. A text
// that is too short, too long, or without a place or delivery matches
// [envelope.ErrInvalidCode]. An address without a match matches [envelope.ErrNotFound] or
// [envelope.ErrAmbiguous]. If the dataset lacks the address records of the ZIP Code or
// city, the error matches [envelope.ErrUnavailable], because the address may exist.
package address
