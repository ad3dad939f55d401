package tools

import (
	"context"
	"iter"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
)

// pageIn are the arguments of a list of names in pages.
type pageIn struct {
	After string `is:"code" help:"Only names after this one; with the last of a page, the next page."`
	Limit int    `least:"1" most:"5000" default:"200" help:"Maximum number of names."`
}

type listCodesIn struct {
	Kind   string `required:"" values:"ZIP,FSA,Postal" help:"Kind of codes."`
	Prefix string `is:"code" help:"Beginning of the codes, such as 902 or K1A."`
	pageIn
}

type listAreasIn struct {
	operation.LayerInput
	Prefix string `is:"code" help:"Beginning of the IDs; those of the United States begin with the two digits of the state, such as 06 for California."`
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

// codeKinds are the listed kinds of codes.
var codeKinds = []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal}

func (s *service) addLists(server *mcp.Server) {
	add(server, s, operation.New[listCodesIn, *codesPage](operation.Operation{
		Name: "list_codes", Summary: "List all ZIPs, FSAs or Canadian postal codes of the dataset in ascending order, in pages.",
		Detail: "codes_in and radius find those of a place.",
	}), tool{}, (*listCodesIn).run)
	add(server, s, operation.New[listAreasIn, *areasPage](operation.Operation{
		Name: "list_areas", Summary: "List the IDs of all areas of a layer in ascending order, in pages.",
		Detail: "suggest finds areas by name, outline returns the name of one.",
	}), tool{}, (*listAreasIn).run)
}

func (in *listCodesIn) run(ctx context.Context, db *postgeo.DB) (*codesPage, error) {
	for _, kind := range codeKinds {
		if kind.String() == in.Kind {
			names, more, err := page(ctx, db.Codes(ctx, kind), in.Prefix, in.pageIn)
			return &codesPage{Kind: kind, Codes: names, More: more}, err
		}
	}
	return nil, envelope.NewFault(envelope.ValidationInvalidParam, wording.InvalidParam("kind", "one of ZIP, FSA, Postal"))
}

func (in *listAreasIn) run(ctx context.Context, db *postgeo.DB) (*areasPage, error) {
	id, err := in.ID()
	if err != nil {
		return nil, err
	}
	names, more, err := page(ctx, db.AreaIDs(ctx, id), in.Prefix, in.pageIn)
	return &areasPage{Layer: string(id), GEOIDs: names, More: more}, err
}

// page returns a page of names in ascending order.
func page(ctx context.Context, all iter.Seq2[string, error], prefix string, in pageIn) (names []string, more bool, err error) {
	names = []string{}
	after, prefix := plainName(in.After), plainName(prefix)
	for name, err := range all {
		plain := plainName(name)
		switch {
		case err != nil:
			return nil, false, err
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case plain <= after || !strings.HasPrefix(plain, prefix):
		case len(names) == in.Limit:
			return names, true, nil
		default:
			names = append(names, name)
		}
	}
	return names, false, nil
}

// plainName drops the spaces and the case of a name: K1A 0B2 comes after k1a0b1
// and begins with k1a0.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return -1
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return r
	}, name)
}
