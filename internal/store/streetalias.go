package store

import (
	"context"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
)

// A StreetAlias is another name of a street of a ZIP Code, or of a range of its
// numbers. It comes from the City State product.
type StreetAlias struct {
	PreDir, Street, Suffix, PostDir                 string
	BasePreDir, BaseStreet, BaseSuffix, BasePostDir string
	Type                                            byte // A abbreviated, C changed, O other, P preferred; 0 blank
	Low, High                                       string
	OddEven                                         byte // O, E or B; 0 blank
}

// StreetAliases appends the other names of the ZIP Code's streets whose key, as
// pub28.Key makes it of the other name, is the given one.
func (d *Dataset) StreetAliases(ctx context.Context, z postcode.ZIP, key string, into []StreetAlias) ([]StreetAlias, error) {
	if d.Need(sectionRecords); !d.aliases[z] {
		return into, d.Usable()
	}
	list, err := readRows[StreetAlias](ctx, d, z.String(), "SELECT * FROM street_alias WHERE zip = ?", 2)
	for _, a := range list {
		if pub28.Key(a.Street) == key {
			into = append(into, a)
		}
	}
	return into, err
}
