package tools

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
)

// The addresses of the resources.
const (
	datasetURI = "postgeo://dataset"
	fieldsURI  = "postgeo://acs/fields"
)

// datasetAnswer is what a dataset is.
type datasetAnswer struct {
	dataset.Manifest
	ACSYears   []int `json:"acs_years"`       // of which there are tables for ZIP Codes, newest first
	TractYears []int `json:"acs_tract_years"` // of which there are tables for census tracts
}

// verified is what a check of the dataset found.
type verified struct {
	Version string `json:"version"`
	Digest  string `json:"digest"`
	Intact  bool   `json:"intact"`
	Problem string `json:"problem,omitzero"` // what is damaged
}

func (s *service) addDataset(server *mcp.Server) {
	about := func() *datasetAnswer {
		out := &datasetAnswer{Manifest: s.db.Info(), ACSYears: append([]int{}, s.db.ACSYears()...), TractYears: append([]int{}, s.db.ACSTractYears()...)}
		out.Tables = nil
		return out
	}
	add(server, s, definition{
		name: "dataset_info", title: "About the dataset",
		description: "Which data answers: version, whether it is a sample of invented figures, layers, years, sources with their dates, licences and attributions, and known gaps.",
		choose:      true,
	}, func(context.Context, struct{}) (*datasetAnswer, error) { return about(), nil })
	add(server, s, definition{
		name: "dataset_verify", title: "Check the dataset",
		heavy:       true,
		description: "Checks every byte of the dataset against its checksums, which takes seconds on a national file: for when answers look wrong.",
	}, func(ctx context.Context, _ struct{}) (*verified, error) {
		out := &verified{Version: s.db.Info().Version, Digest: s.db.Info().Digest}
		err := s.db.Verify(ctx)
		switch {
		case err == nil:
			out.Intact = true
		case ctx.Err() != nil || errors.Is(err, dataset.ErrClosed):
			return nil, err
		default:
			out.Problem = sentence(err)
		}
		return out, nil
	})
	s.addResource(server, &mcp.Resource{
		URI: datasetURI, Name: "dataset", Title: "About the dataset", MIMEType: "application/json",
		Description: "Version, layers, sources with licences and attributions, and known gaps of the dataset that answers.",
	}, func() any { return about() })
	s.addResource(server, &mcp.Resource{
		URI: fieldsURI, Name: "acs-fields", Title: "Fields of the American Community Survey", MIMEType: "application/json",
		Description: "Every field of the four profiles: key, label, kind and the years in which it is served.",
	}, func() any {
		all := catalogue(acs.Query{})
		return fieldsAnswer{Fields: all, Total: len(all)}
	})
}

// addResource registers a document that is made when it is read.
func (s *service) addResource(server *mcp.Server, r *mcp.Resource, read func() any) {
	server.AddResource(r, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		out, err := s.work(ctx, s.light, callerOf(ctx, req.Session), func(context.Context) ([]byte, error) { return written(read(), nil, MostResult) })
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.URI, MIMEType: r.MIMEType, Text: string(out)}}}, nil
	})
}
