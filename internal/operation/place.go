package operation

import (
	"time"

	"github.com/postgeo/postgeo/envelope"
)

// Place is the input of operations on one code or coordinate.
type Place struct {
	Code string `arg:"" join:"codes" is:"code" aliases:"zip,zipcode,zip_code,postal,postalcode,postal_code" example:"90210" help:"ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), Canadian postal code (K1A 0B1), or latitude,longitude."`
}

// Echo returns the input as failed items repeat it.
func (p Place) Echo() envelope.Input { return envelope.Input{Code: p.Code} }

// Clock is the time of time zones.
type Clock struct {
	At time.Time `placeholder:"WHEN" chars:"35" help:"Date and time of the time zones, in RFC 3339 form such as 2027-01-31T12:00:00Z. Default: now."`
}
