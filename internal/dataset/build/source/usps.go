package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// uspsDetails yields the records with a detail code, mostly D, of a product of
// the Postal Service's Address Information System. It leaves out the copyright
// records (C), which begin each file and occur again in joined files, and those
// whose detail code is in skip. Any other code is a bad value.
func uspsDetails(in *format.Input, length int, detail byte, skip string) iter.Seq2[format.Block, error] {
	return func(yield func(format.Block, error) bool) {
		for blk, err := range format.NewBlocks(in, length).All() {
			if err == nil {
				switch c := blk.Byte(1); {
				case c == detail:
				case c == 'C', strings.IndexByte(skip, c) >= 0:
					continue
				default:
					err = blk.Errorf("detail code", "%q, expected C, %c or one of %q; check that the file is of the product with records of %d bytes", c, detail, skip, length)
				}
			}
			if !yield(blk, err) {
				return
			}
		}
	}
}

// uspsRows turns the records of a product with a detail code into typed rows.
func uspsRows[R any](in *format.Input, length int, detail byte, skip string, parse func(format.Block) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for blk, err := range uspsDetails(in, length, detail, skip) {
			var row R
			if err == nil {
				row, err = parse(blk)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// uspsZIP reads the ZIP Code, which all products have in bytes 2 to 6.
func uspsZIP(b format.Block) (dataset.ZIP, error) {
	z, ok := dataset.ParseZIP(b.Raw(2, 5))
	if !ok {
		return 0, b.Errorf("ZIP Code", "%q, expected five digits", b.Raw(2, 5))
	}
	return z, nil
}

// uspsCode reads one of the allowed letters; a space gives 0 if it is allowed
// too.
func uspsCode(b format.Block, name string, pos int, allowed string, blank bool) (byte, error) {
	c := b.Byte(pos)
	if blank && c == ' ' {
		return 0, nil
	}
	if c == ' ' || strings.IndexByte(allowed, c) < 0 {
		return 0, b.Errorf(name, "%q, expected one of %s", c, allowed)
	}
	return c, nil
}

// uspsPlace reads the state abbreviation and the county number, which stand
// one after the other. A county is blank for military places.
func uspsPlace(b format.Block, start int) (state, county string, err error) {
	state, county = b.Field(start, 2), b.Field(start+2, 3)
	if len(state) != 2 {
		return "", "", b.Errorf("state", "%q, expected two letters", state)
	}
	if county != "" && !isDigits(county, 3) {
		return "", "", b.Errorf("county number", "%q, expected three digits or spaces", county)
	}
	return state, county, nil
}
