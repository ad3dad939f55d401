// Code generated from api/names.txt by "go test ./api -update"; DO NOT EDIT.

package server

import (
	"github.com/postgeo/postgeo/envelope"
)

// Links are the URLs of the pages of errors.
//
//	type Links struct {
//		Site     string // general site
//		Account  string // account page
//		Pricing  string // pricing page
//		Docs     string // documentation
//		AuthDocs string // the documentation's section on authentication
//	}
//	func (l Links) Error(err error) *envelope.Error
type Links = envelope.Links
