package dataset

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/postgeo/postgeo/dataset/pub28"
)

// A StreetAlias is another name of a street of a ZIP Code, or of a range of its
// numbers, as the City State product has it.
type StreetAlias struct {
	PreDir, Street, Suffix, PostDir                 string
	BasePreDir, BaseStreet, BaseSuffix, BasePostDir string
	Type                                            byte // A abbreviated, C changed, O other, P preferred; 0 blank
	Low, High                                       string
	OddEven                                         byte // O, E or B; 0 blank
}

const (
	aliasTexts = 10
	maxAliases = 10_000 // of one ZIP
)

func (a *StreetAlias) texts() [aliasTexts]*string {
	return [aliasTexts]*string{
		&a.PreDir, &a.Street, &a.Suffix, &a.PostDir,
		&a.BasePreDir, &a.BaseStreet, &a.BaseSuffix, &a.BasePostDir, &a.Low, &a.High,
	}
}

// AddStreetAliases adds the other names of a ZIP Code's streets, once.
func (w *streetsWriter) AddStreetAliases(z ZIP, list []StreetAlias) error {
	if err := w.out.open(); err != nil {
		return err
	}
	if z >= NumZIPs || len(list) == 0 || len(list) > maxAliases {
		return invalid("%d aliases of streets of ZIP number %d; expected 1 to %d of a ZIP up to %d", len(list), uint32(z), maxAliases, NumZIPs-1)
	}
	w.aliases = append(w.aliases, uint32(z))
	return w.out.spoolRow(streetAliasRows, int64(z), encodeAliases(list))
}

func encodeAliases(list []StreetAlias) []byte {
	var e encoder
	e.uint(uint64(len(list)))
	for i := range list {
		e.byte(list[i].Type)
		e.byte(list[i].OddEven)
		for _, s := range list[i].texts() {
			e.string(*s)
		}
	}
	return e.b
}

func decodeAliases(payload []byte) ([]StreetAlias, error) {
	d := decoder{b: payload}
	list := make([]StreetAlias, 0, min(d.count(), maxAliases))
	for i := 0; i < cap(list) && d.err == nil; i++ {
		a := StreetAlias{Type: d.byte(), OddEven: d.byte()}
		for _, s := range a.texts() {
			*s = d.string()
		}
		list = append(list, a)
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	return list, nil
}

var streetAliasCodesTable = streetsTable{
	name: "street.aliases",
	encode: func(w *streetsWriter, c *columnSet) error {
		if len(w.aliases) == 0 {
			return nil
		}
		slices.SortFunc(w.aliases, cmp.Compare)
		for i, z := range w.aliases[1:] {
			if z == w.aliases[i] {
				return invalid("the aliases of the streets of ZIP %s were given twice", ZIP(z))
			}
		}
		data, rows := encodeCodes(slices.Values(w.aliases))
		c.add(column{name: "street.aliases", rows: rows, data: data})
		return nil
	},
	decode: func(d *streetsReader, c *columnSet) error {
		if !c.has("street.aliases") {
			return nil
		}
		col, err := c.take("street.aliases", 0)
		if err != nil {
			return err
		}
		d.aliases, err = decodeCodes(col, NumZIPs)
		return err
	},
}

var streetAliasRows = &rowKind{name: "street_alias", noun: func(id int64) string { return fmt.Sprintf("the aliases of the streets of ZIP %s", ZIP(id)) }}

var streetAliasTable = rowTable[*streetsReader]{
	rowKind: streetAliasRows,
	ids: func(d *streetsReader) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for _, z := range d.aliases.all() {
				if !yield(int64(z)) {
					return
				}
			}
		}
	},
	check: func(_ *streetsReader, _ int64, payload []byte) error {
		_, err := decodeAliases(payload)
		return err
	},
}

// StreetAliases appends the other names of the ZIP Code's streets whose key, as
// pub28.Key makes it of the other name, is the given one.
func (d *streetsReader) StreetAliases(ctx context.Context, z ZIP, key string, into []StreetAlias) ([]StreetAlias, error) {
	if err := d.file.load(ctx, SectionStreets); err != nil {
		return into, err
	}
	if _, ok := d.aliases.row(uint32(z)); !ok {
		return into, d.file.usable()
	}
	payload, err := d.file.row(ctx, streetAliasRows, int64(z))
	if err != nil {
		return into, err
	}
	list, err := decodeAliases(payload)
	if err != nil {
		return into, d.file.damaged("%s: %v", streetAliasRows.noun(int64(z)), err)
	}
	for _, a := range list {
		if pub28.Key(a.Street) == key {
			into = append(into, a)
		}
	}
	return into, nil
}
