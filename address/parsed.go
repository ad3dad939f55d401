package address

import (
	"cmp"

	"github.com/postgeo/postgeo/envelope"
)

// A Kind is the kind of delivery of an address line.
type Kind string

// The kinds of delivery that an address line may name.
const (
	NoDelivery      Kind = ""                       // neither street, box nor route
	Street          Kind = "street"                 // a street, with or without a number
	POBox           Kind = "PO box"                 // a post office box
	RuralRoute      Kind = "rural route"            // RR 2 BOX 12
	HighwayContract Kind = "highway contract route" // HC 68 BOX 12
	GeneralDelivery Kind = "general delivery"
	Military        Kind = "military" // PSC, CMR or UNIT with a box
)

// A Unit is a secondary unit: the standard abbreviation of its designator (APT,
// STE; # for a number without one) and its number. Either may be missing.
type Unit struct {
	Type   string `json:"type,omitzero"`   // such as "APT"
	Number string `json:"number,omitzero"` // as typed
}

// String returns the unit as written on an address line.
func (u Unit) String() string {
	switch {
	case u.Type == "":
		return u.Number
	case u.Number == "":
		return u.Type
	default:
		return u.Type + " " + u.Number
	}
}

// An Address is one reading of an address. All text is in capitals. Missing
// parts are "". Directions, suffix, designators and state are standard
// abbreviations; the other parts are as written.
type Address struct {
	Kind         Kind
	Recipient    string // name before the address
	Attention    string // behind ATTN or C/O
	Urbanization string // of Puerto Rico

	// Number is the house number (12, 12A, 92-10, 11 1/2, N6W23001), or that of
	// a box.
	Number          string
	PreDirectional  string // such as "N", before the street name
	PreType         string // kind of street before its name: COUNTY ROAD, CALLE
	Street          string // name; PO BOX, RR 2, HC 68, PSC 802, GENERAL DELIVERY
	Suffix          string // type of street, such as "ST"
	PostDirectional string // such as "SW", after the suffix
	Secondary       Unit   // the most exact unit
	Building        Unit   // a unit around it: BLDG 5 of BLDG 5 APT 3
	Mailbox         string // private mailbox: PMB 12
	Station         string // Canadian postal installation: STN A, RPO BROADWAY

	City    string   // as typed
	State   string   // two letters of the state or province
	ZIP     string   // five digits, or a postal code
	Plus4   string   // add-on of the ZIP
	Country string   // CA, or US if the address names it
	Unused  []string // words that were not understood

	// Cross is the other street of a crossing: SECOND AVE of MAIN ST AND SECOND
	// AVE.
	Cross string

	guessed bool // the end of the street is a guess
	dropped bool // words inside the street's part are among Unused
}

// Line returns the street, box or route on one line, without number and unit.
func (a *Address) Line() string {
	return joinWords(a.PreDirectional, a.PreType, a.Street, a.Suffix, a.PostDirectional)
}

// Name returns the name of the street with the kind of street before it, as
// the ZIP+4 product has them.
func (a *Address) Name() string { return joinWords(a.PreType, a.Street) }

// joinWords joins the nonempty words by spaces. A single word is returned as
// is.
func joinWords(words ...string) string {
	n, size, last := 0, 0, ""
	for _, w := range words {
		if w != "" {
			n, size, last = n+1, size+len(w)+1, w
		}
	}
	if n <= 1 {
		return last
	}
	b := make([]byte, 0, size)
	for _, w := range words {
		if w == "" {
			continue
		}
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, w...)
	}
	return string(b)
}

// A Reading is a parsed address in the shape of the contract's components, for
// programs that parse without matching.
type Reading struct {
	envelope.Item
	Kind          string     `json:"kind"`                    // kind of delivery, such as street; none without one
	RecipientName string     `json:"recipient_name,omitzero"` // person or firm
	AttentionLine string     `json:"attention_line,omitzero"` // line that begins with ATTN or C/O
	Urbanization  string     `json:"urbanization,omitzero"`   // of Puerto Rico, after URB
	Components    Components `json:"address_components"`
	Building      *Unit      `json:"building,omitzero"`        // a unit around the secondary one
	Mailbox       string     `json:"private_mailbox,omitzero"` // private mailbox, after PMB
	Station       string     `json:"station,omitzero"`         // Canadian postal installation
	CrossStreet   string     `json:"cross_street,omitzero"`    // other street of an intersection
	Unused        []string   `json:"unused,omitempty"`         // words that were not understood
}

// Reading returns the address in the shape of the contract's components.
func (a *Address) Reading() *Reading {
	r := &Reading{
		Kind: cmp.Or(string(a.Kind), "none"), RecipientName: a.Recipient, AttentionLine: a.Attention, Urbanization: a.Urbanization, Mailbox: a.Mailbox, Station: a.Station,
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
