package tools

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/store"
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
	Version     string           `json:"version"` // begins with "sample" if the figures are invented
	Sample      bool             `json:"sample,omitzero"`
	Built       time.Time        `json:"built,omitzero"`
	Builder     string           `json:"builder,omitzero"`
	Layers      []string         `json:"layers,omitempty"`
	Format      int              `json:"format_version,omitzero"`
	Digest      string           `json:"digest,omitzero"`
	ACSYears    []int            `json:"acs_years"`       // years with tables for ZIP Codes, newest first
	TractYears  []int            `json:"acs_tract_years"` // years with tables for census tracts
	SourceCount int              `json:"source_count"`
	GapCount    int              `json:"gap_count"`
	Sources     []dataset.Source `json:"sources,omitempty"`
	Gaps        []dataset.Gap    `json:"gaps,omitempty"`
}

// about describes the dataset, optionally with its sources and gaps.
func about(ctx context.Context, db *postgeo.DB, sources bool) (*datasetAnswer, error) {
	m := db.Info()
	zips, err := db.ACSYears(ctx, acs.ZCTA)
	if err != nil {
		return nil, err
	}
	tracts, err := db.ACSYears(ctx, acs.Tract)
	if err != nil {
		return nil, err
	}
	out := &datasetAnswer{
		Version: m.Version, Sample: m.Sample, Built: m.Built, Builder: m.Builder, Layers: m.Layers, Format: m.Format, Digest: m.Digest,
		ACSYears: append([]int{}, zips...), TractYears: append([]int{}, tracts...),
		SourceCount: len(m.Sources), GapCount: len(m.Gaps),
	}
	if sources {
		out.Sources, out.Gaps = m.Sources, m.Gaps
	}
	return out, nil
}

// verified is the result of a check.
type verified struct {
	Version string `json:"version"`
	Digest  string `json:"digest"`
	Intact  bool   `json:"intact"`
	Problem string `json:"problem,omitzero"` // the damage
}

func (s *service) addDataset(server *mcp.Server) {
	add(server, s, operation.New[datasetIn, *datasetAnswer](operation.Operation{
		Name: "dataset_info", Summary: "Describe the dataset behind all results: version, layers and survey years.",
		Detail: "It reports whether the figures are an invented sample, and with sources also its sources and known gaps.",
	}), tool{core: true, choose: true}, func(in *datasetIn, ctx context.Context, db *postgeo.DB) (*datasetAnswer, error) {
		return about(ctx, db, in.Sources)
	})
	add(server, s, operation.New[struct{}, *verified](operation.Operation{
		Name: "dataset_verify", Summary: "Check every byte of the dataset against its checksums.",
		Detail: "It takes seconds on a national file. Use it if results look wrong.",
	}), tool{heavy: true}, func(_ *struct{}, ctx context.Context, db *postgeo.DB) (*verified, error) {
		out := &verified{Version: db.Info().Version, Digest: db.Info().Digest}
		err := db.Verify(ctx)
		switch {
		case err == nil:
			out.Intact = true
		case ctx.Err() != nil || errors.Is(err, store.ErrClosed):
			return nil, err
		default:
			out.Problem = capitalized(err)
		}
		return out, nil
	})
	s.addResource(server, &mcp.Resource{
		URI: datasetURI, Name: "dataset", Title: "About the dataset", MIMEType: "application/json",
		Description: "Version, layers, sources with licenses and attributions, and known gaps of the dataset.",
	}, func(ctx context.Context) (any, error) { return about(ctx, s.db, true) })
	s.addResource(server, &mcp.Resource{
		URI: fieldsURI, Name: "acs-fields", Title: "Fields of the American Community Survey", MIMEType: "application/json",
		Description: "Every field of the four profiles: key, label, kind and served years.",
	}, func(context.Context) (any, error) {
		all := operation.Catalog(acs.Query{})
		return operation.FieldsResult{Fields: all, Total: len(all)}, nil
	})
}

// addResource registers a document, which is made for each read.
func (s *service) addResource(server *mcp.Server, r *mcp.Resource, read func(context.Context) (any, error)) {
	server.AddResource(r, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		out, err := s.work(ctx, s.light, callerOf(ctx, req.Session), func(ctx context.Context) ([]byte, error) {
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
