// Package address reads US addresses as USPS Publication 28 writes them and
// matches them to the records of the ZIP+4 product.
//
// # Usage
//
// [Parse] needs nothing but the text and returns up to eight readings, the
// likeliest first:
//
//	p, err := address.Parse("5515A W Reading Ave, Apt 3, Alexandria, VA 22311")
//	fmt.Println(p.Best().Line(), p.Best().ZIP)
//
// A [Matcher] lets a [Reference] decide between the readings. It corrects one
// component of the street, the spelling of its name, ZIP, city and state, and
// says so in notices; it never changes the house number, nor a direction into
// another one, and answers nothing rather than something doubtful.
//
// # Data
//
// A Reference is a set of street records: those of a dataset, or a [Memory].
//
// # Concurrency
//
// Parse is a pure function. A Matcher may be used from any number of
// goroutines at once.
//
// # Errors
//
// Errors are a [*fault.Error], the context's, or a failure of the dataset. A text
// that is too short, too long, or without a place or delivery matches
// [fault.ErrInvalidCode]. An address without a match matches [fault.ErrNotFound] or
// [fault.ErrAmbiguous]. If the dataset lacks the address records of the ZIP Code or
// city, the error matches [fault.ErrUnavailable], because the address may exist.
package address
