package store

import "github.com/postgeo/postgeo/internal/postcode"

// A Code is a ZIP Code or a forward sortation area.
type Code uint32

// NumCodes is the number of values a Code can take.
const NumCodes = postcode.NumZIPs + postcode.NumFSAs

// CodeOfZIP returns a ZIP Code.
func CodeOfZIP(z postcode.ZIP) Code { return Code(z) }

// CodeOfFSA returns a forward sortation area.
func CodeOfFSA(f postcode.FSA) Code { return postcode.NumZIPs + Code(f) }

// ZIP returns the ZIP Code; ok is false for a forward sortation area.
func (c Code) ZIP() (z postcode.ZIP, ok bool) { return postcode.ZIP(c), c < postcode.NumZIPs }

// FSA returns the forward sortation area; ok is false for a ZIP Code.
func (c Code) FSA() (f postcode.FSA, ok bool) {
	return postcode.FSA(c - postcode.NumZIPs), c >= postcode.NumZIPs
}

// Country returns the country of the code.
func (c Code) Country() Country {
	if _, ok := c.ZIP(); ok {
		return US
	}
	return CA
}

// String returns the code.
func (c Code) String() string {
	if f, ok := c.FSA(); ok {
		return f.String()
	}
	return postcode.ZIP(c).String()
}
