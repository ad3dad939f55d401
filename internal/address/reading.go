package address

import "github.com/postgeo/postgeo/internal/envelope"

// A Reading is a parsed address in the shape of the contract's components, for
// programs that parse without matching.
type Reading struct {
	envelope.Item
	Kind          string     `json:"kind"` // of [Kind.String]
	RecipientName string     `json:"recipient_name,omitzero"`
	AttentionLine string     `json:"attention_line,omitzero"`
	Urbanization  string     `json:"urbanization,omitzero"`
	Components    Components `json:"address_components"`
	Building      *Unit      `json:"building,omitzero"` // a unit around the secondary one
	Mailbox       string     `json:"private_mailbox,omitzero"`
	Station       string     `json:"station,omitzero"` // Canadian postal installation
	CrossStreet   string     `json:"cross_street,omitzero"`
	Unused        []string   `json:"unused,omitempty"`
}

// Reading returns the address in the shape of the contract's components.
func (a *Address) Reading() *Reading {
	r := &Reading{
		Kind: a.Kind.String(), RecipientName: a.Recipient, AttentionLine: a.Attention, Urbanization: a.Urbanization, Mailbox: a.Mailbox, Station: a.Station,
		CrossStreet: a.Cross, Unused: a.Unused,
		Components: Components{
			Number: a.Number, PreDirectional: a.PreDirectional, StreetPreType: a.PreType, Street: a.Street, Suffix: a.Suffix,
			PostDirectional: a.PostDirectional, SecondaryType: a.Secondary.Type, SecondaryNumber: a.Secondary.Number,
			City: a.City, State: a.State, ZIP: a.ZIP, Plus4: a.Plus4, Country: a.Country,
		},
	}
	r.Success = true
	if a.Building != (Unit{}) {
		r.Building = &a.Building
	}
	return r
}
