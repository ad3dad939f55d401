package streets

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// An Alias is another name of a street of a ZIP Code, or of a range of its
// numbers. It comes from the City State product.
type Alias struct {
	PreDir, Street, Suffix, PostDir                 string
	BasePreDir, BaseStreet, BaseSuffix, BasePostDir string
	Type                                            byte // A abbreviated, C changed, O other, P preferred; 0 blank
	Low, High                                       string
	OddEven                                         byte // O, E or B; 0 blank
}

const maxAliases = 10_000 // of one ZIP

// AddStreetAliases adds the other names of a ZIP Code's streets, once.
func (w *Writer) AddStreetAliases(z dataset.ZIP, list []Alias) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if z >= dataset.NumZIPs || len(list) == 0 || len(list) > maxAliases {
		return file.Invalid("%d aliases of streets of ZIP number %d; expected 1 to %d of a ZIP up to %d", len(list), uint32(z), maxAliases, dataset.NumZIPs-1)
	}
	c := file.NewCoder(nil)
	codeAliases(&c, &list)
	payload, err := c.Bytes()
	if err != nil {
		return file.InvalidRow("aliases of streets of ZIP "+z.String(), err)
	}
	w.aliases = append(w.aliases, uint32(z))
	return w.out.Spool(streetAliasRows, int64(z), payload)
}

func codeAliases(c *file.Coder, list *[]Alias) {
	file.List(c, list, func(a *Alias) {
		c.Byte(&a.Type)
		c.Byte(&a.OddEven)
		c.Text(&a.PreDir, &a.Street, &a.Suffix, &a.PostDir,
			&a.BasePreDir, &a.BaseStreet, &a.BaseSuffix, &a.BasePostDir, &a.Low, &a.High)
	})
}

func decodeAliases(payload []byte) (list []Alias, err error) {
	c := file.DecodeWith(nil, payload)
	codeAliases(&c, &list)
	return list, c.End()
}

var streetAliasCodesTable = table{
	Name: "street.aliases",
	Encode: func(w *Writer, c *file.Columns) error {
		if len(w.aliases) == 0 {
			return nil
		}
		slices.SortFunc(w.aliases, cmp.Compare)
		for i, z := range w.aliases[1:] {
			if z == w.aliases[i] {
				return file.Invalid("the aliases of the streets of ZIP %s were given twice", dataset.ZIP(z))
			}
		}
		file.AddCodes(c, "street.aliases", w.aliases)
		return nil
	},
	Decode: func(d *Reader, c *file.Columns) (err error) {
		if c.Has("street.aliases") {
			d.aliases, err = file.TakeCodes(c, "street.aliases", dataset.NumZIPs, nil)
		}
		return err
	},
}

var streetAliasRows = &file.RowKind{Name: "street_alias", Noun: func(id int64) string { return fmt.Sprintf("the aliases of the streets of ZIP %s", dataset.ZIP(id)) }}

var streetAliasTable = file.RowTable[*Reader]{
	RowKind: streetAliasRows,
	Check: func(_ *Reader, _ int64, payload []byte) error {
		_, err := decodeAliases(payload)
		return err
	},
}

// StreetAliases appends the other names of the ZIP Code's streets whose key, as
// pub28.Key makes it of the other name, is the given one.
func (d *Reader) StreetAliases(ctx context.Context, z dataset.ZIP, key string, into []Alias) ([]Alias, error) {
	if err := d.file.Load(ctx, SectionStreets); err != nil {
		return into, err
	}
	if _, ok := d.aliases.Row(uint32(z)); !ok {
		return into, d.file.Usable()
	}
	list, err := file.ReadRow(ctx, d.file, streetAliasRows, int64(z), decodeAliases)
	if err != nil {
		return into, err
	}
	for _, a := range list {
		if pub28.Key(a.Street) == key {
			into = append(into, a)
		}
	}
	return into, nil
}
