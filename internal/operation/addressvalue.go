package operation

import (
	"context"
	"encoding/json"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/envelope"
)

// An AddressValue is an address in JSON: a text on one line, or an object with the
// fields street, unit, city, state, zip and country.
type AddressValue struct {
	Text   string
	Fields *postgeo.AddressFields // nil for a text
}

// UnmarshalJSON reads a text or an object. Other members of the object are ignored.
func (a *AddressValue) UnmarshalJSON(data []byte) error {
	*a = AddressValue{}
	if len(data) > 0 && data[0] == '{' {
		a.Fields = new(postgeo.AddressFields)
		return json.Unmarshal(data, a.Fields)
	}
	return json.Unmarshal(data, &a.Text)
}

// Echo returns the input as failed items repeat it.
func (a AddressValue) Echo() envelope.Input {
	if a.Fields != nil {
		return envelope.Input{Address: a.Fields.String()}
	}
	return envelope.Input{Address: a.Text}
}

// Match matches the address.
func (a AddressValue) Match(ctx context.Context, db *postgeo.DB, opt postgeo.AddressOptions) (*postgeo.AddressMatch, error) {
	if a.Fields != nil {
		return db.MatchAddressFields(ctx, *a.Fields, opt)
	}
	return db.MatchAddress(ctx, a.Text, opt)
}
