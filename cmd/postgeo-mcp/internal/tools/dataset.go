package tools

import (
	"cmp"
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/operation"
)

// The addresses of the resources.
const (
	datasetURI = "postgeo://dataset"
	fieldsURI  = "postgeo://acs/fields"
)

// datasetIn selects the parts of a description.
type datasetIn struct {
	Sources bool `help:"Add the sources with dates, licenses and attributions, and the known gaps."`
}

// datasetAnswer describes a dataset.
type datasetAnswer struct {
	dataset.Manifest

	ACSYears    []int `json:"acs_years"`       // years with tables for ZIP Codes, newest first
	TractYears  []int `json:"acs_tract_years"` // years with tables for census tracts
	SourceCount int   `json:"source_count"`
	GapCount    int   `json:"gap_count"`
}

// datasetInfo describes the dataset.
var datasetInfo = operation.New((*datasetIn).Run, operation.Operation{
	Name: "dataset_info", Summary: "Describe the dataset behind all results: version, layers and survey years.",
	Detail: "It reports whether it is the sample, and with sources also its sources and known gaps.",
})

// Run describes the dataset.
func (in *datasetIn) Run(ctx context.Context, db *postgeo.DB) (*datasetAnswer, error) {
	m := db.Info()
	out := &datasetAnswer{Manifest: m, SourceCount: len(m.Sources), GapCount: len(m.Gaps)}
	out.Tables = nil // rows and digests of tables, for verify
	if !in.Sources {
		out.Sources, out.Gaps = nil, nil
	}
	var err error
	if out.ACSYears, err = db.ACSYears(ctx, acs.ZCTA); err == nil {
		out.TractYears, err = db.ACSYears(ctx, acs.Tract)
	}
	return out, err
}

// lookupCode is [operation.Lookup], or for three digits [operation.ZIP3] (decision D82).
var lookupCode = operation.New((*lookupIn).Run, operation.Operation{
	Name: operation.Lookup.Name, Summary: operation.Lookup.Summary,
	Detail: operation.Lookup.Detail + " Three digits, such as 902, count the people of all ZIP Codes that begin so, and safe_harbor is how 45 CFR 164.514 allows to keep them.",
})

type lookupIn struct{ operation.LookupInput }

// Run looks up the code.
func (in *lookupIn) Run(ctx context.Context, db *postgeo.DB) (any, error) {
	if operation.IsZIP3(in.Code) {
		return (&operation.ZIP3Input{Code: in.Code}).Run(ctx, db)
	}
	return in.LookupInput.Run(ctx, db)
}

func (s *service) addResources(server *mcp.Server) {
	s.addResource(server, &mcp.Resource{
		URI: datasetURI, Name: "dataset", Title: "About the dataset", MIMEType: "application/json",
		Description: "Version, layers, sources with licenses and attributions, and known gaps of the dataset.",
	}, func(ctx context.Context) (any, error) { return (&datasetIn{Sources: true}).Run(ctx, s.db) })
	s.addResource(server, &mcp.Resource{
		URI: fieldsURI, Name: "acs-fields", Title: "Fields of the American Community Survey", MIMEType: "application/json",
		Description: "Every field of the four profiles: key, label, kind and served years.",
	}, func(ctx context.Context) (any, error) { return new(operation.FieldsInput).Run(ctx, s.db) })
}

// addResource registers a document, which is made for each read.
func (s *service) addResource(server *mcp.Server, r *mcp.Resource, read func(context.Context) (any, error)) {
	server.AddResource(r, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		out, err := s.work(ctx, cmp.Or(Caller(ctx), fmt.Sprintf("session %p", req.Session)), func(ctx context.Context) ([]byte, error) {
			v, err := read(ctx)
			if err != nil {
				return nil, err
			}
			return written(v, nil, MostResult)
		})
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.URI, MIMEType: r.MIMEType, Text: string(out)}}}, nil
	})
}
