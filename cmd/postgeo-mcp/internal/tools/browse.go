package tools

import (
	"context"
	"iter"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// How many names a page of a list has unless asked for more, and the most.
const (
	usualNames = 200
	mostNames  = 5_000
)

// pageIn are the arguments of a list of names in pages.
type pageIn struct {
	After string `json:"after,omitempty" jsonschema:"Only what comes after this one; with the last of a page, the page that follows."`
	Limit *int   `json:"limit,omitempty" jsonschema:"The most names. Default: 200."`
}

type listCodesIn struct {
	Kind   string `json:"kind" jsonschema:"What kind of codes."`
	Prefix string `json:"prefix,omitempty" jsonschema:"Only codes that begin so, e.g. 902 or K1A."`
	pageIn
}

type listAreasIn struct {
	Layer  string `json:"layer" jsonschema:"Kind of area."`
	Prefix string `json:"prefix,omitempty" jsonschema:"Only codes of areas that begin so; those of the United States begin with the state's two digits, e.g. 06 for California."`
	pageIn
}

// codesPage is a page of codes.
type codesPage struct {
	Kind  lookup.CodeType `json:"kind"`
	Codes []string        `json:"codes"`
	More  bool            `json:"more"` // others follow the last
}

// areasPage is a page of the codes of areas.
type areasPage struct {
	Layer  string   `json:"layer"`
	GEOIDs []string `json:"geoids"`
	More   bool     `json:"more"` // others follow the last
}

// codeKinds are the kinds of codes that are listed.
var codeKinds = []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal}

func (s *service) addLists(server *mcp.Server) {
	var kinds []string
	for _, k := range codeKinds {
		kinds = append(kinds, k.String())
	}
	add(server, s, definition{
		name: "list_codes", title: "List codes",
		description: "All ZIPs, FSAs or Canadian postal codes of the dataset in ascending order, in pages. codes_in and radius find those of a place.",
		bounds:      []bound{oneOf("kind", kinds...), chars(maxCode, "prefix", "after"), limited(mostNames)},
	}, func(ctx context.Context, in listCodesIn) (*codesPage, error) {
		for _, kind := range codeKinds {
			if kind.String() == in.Kind {
				names, more, err := page(ctx, s.db.Codes(ctx, kind), in.Prefix, in.pageIn)
				return &codesPage{Kind: kind, Codes: names, More: more}, err
			}
		}
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("kind", oneOfWords(kinds)))
	})
	add(server, s, definition{
		name: "list_areas", title: "List areas",
		description: "The codes of all areas of a layer in ascending order, in pages. suggest finds areas by name, outline returns the name of one.",
		bounds:      []bound{oneOf("layer", layers()...), chars(maxCode, "prefix", "after"), limited(mostNames)},
	}, func(ctx context.Context, in listAreasIn) (*areasPage, error) {
		id, err := layer(in.Layer)
		if err != nil {
			return nil, err
		}
		names, more, err := page(ctx, s.db.AreaIDs(ctx, id), in.Prefix, in.pageIn)
		return &areasPage{Layer: id.String(), GEOIDs: names, More: more}, err
	})
}

// page takes a page of names, which are in ascending order.
func page(ctx context.Context, all iter.Seq2[string, error], prefix string, in pageIn) (names []string, more bool, err error) {
	names = []string{}
	limit := defaulted(in.Limit, usualNames)
	for name, err := range all {
		switch {
		case err != nil:
			return nil, false, err
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case !comesAfter(name, in.After) || !hasPrefix(name, prefix):
		case len(names) == limit:
			return names, true, nil
		default:
			names = append(names, name)
		}
	}
	return names, false, nil
}

// comesAfter reports whether a name comes after another one, or after none. It
// ignores case and blanks, so that K1A 0B2 comes after k1a0b1.
func comesAfter(name, other string) bool {
	i := 0
	for _, c := range []byte(other) {
		if c == ' ' {
			continue
		}
		for i < len(name) && name[i] == ' ' {
			i++
		}
		if i == len(name) || upper(name[i]) != upper(c) {
			return i < len(name) && upper(name[i]) > upper(c)
		}
		i++
	}
	return i < len(name)
}

// hasPrefix ignores case and blanks, so that k1a0 is the beginning of K1A 0B1.
func hasPrefix(name, prefix string) bool {
	i := 0
	for _, c := range []byte(prefix) {
		if c == ' ' {
			continue
		}
		for i < len(name) && name[i] == ' ' {
			i++
		}
		if i == len(name) || upper(name[i]) != upper(c) {
			return false
		}
		i++
	}
	return true
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
