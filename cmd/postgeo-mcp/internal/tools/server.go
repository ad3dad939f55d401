package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// DefaultMaxResult is the default of [Options.MaxResult]: about the size that a
// model's client accepts at once.
const DefaultMaxResult = 64 << 10

// MostResult is the maximum of [Options.MaxResult]. It also limits results before
// the argument only selects members.
const MostResult = 4 << 20

// DefaultTimeout is the default of [Options.Timeout].
const DefaultTimeout = 30 * time.Second

// AllTools is the name that selects every tool.
const AllTools = "all"

// Options configures a server. The zero value serves the core tools.
type Options struct {
	Version    string        // of the program, as clients see it; default: "(devel)"
	Timeout    time.Duration // limit of a call; default: DefaultTimeout
	MaxResult  int           // limit of a result's JSON in bytes; default: DefaultMaxResult
	Tools      []string      // names of the offered tools, or AllTools; default: the core tools
	Structured bool          // declare output schemas and return structured content in place of text
	Logger     *slog.Logger  // receives internal errors; default: none
}

// links are the pages in errors.
var links = envelope.Links{
	Site: "https://github.com/postgeo/postgeo",
	Docs: "https://github.com/postgeo/postgeo/blob/main/docs/mcp.md",
}

// A service serves tools from a dataset.
type service struct {
	db         *postgeo.DB
	timeout    time.Duration
	most       int // bytes of a result
	structured bool
	logger     *slog.Logger
	light      *admission.Queue // of most calls
	heavy      *admission.Queue // of calls that may take long; they leave a core to the others
	tools      []string         // that are offered; none means the core
	names      []string         // of all tools
}

const instructions = `Postal geography of the United States and Canada from one local dataset: ZIP, ZIP+4, FSA and Canadian postal codes, coordinates, distances, radius searches, areas (counties, tracts, districts), US addresses and profiles of the American Community Survey.

A code is a ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), postal code (K1A 0B1) or latitude,longitude (34.0901,-118.4065). Distances are miles on the ellipsoid.
Read dataset_info first: a dataset whose version begins with "sample" holds invented figures around real codes, which must not be passed on as facts. Missing data is named in notices.
Every tool only reads. Lists are short unless limit is given, and only selects members of a result. The message of a failed call describes what to change.`

// New returns a server whose tools and resources read db, which must stay open
// while the server runs. It returns an error if options name an unknown tool.
func New(db *postgeo.DB, opt Options) (*mcp.Server, error) {
	opt.Version = cmp.Or(opt.Version, "(devel)")
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	if opt.MaxResult <= 0 {
		opt.MaxResult = DefaultMaxResult
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	cores := runtime.GOMAXPROCS(0)
	s := &service{db: db, timeout: opt.Timeout, most: opt.MaxResult, structured: opt.Structured, tools: opt.Tools, logger: opt.Logger, light: newQueue(cores), heavy: newQueue(max(1, cores-1))}
	server := mcp.NewServer(
		&mcp.Implementation{Name: "postgeo", Title: "postgeo: US and Canadian postal geography", Version: opt.Version, WebsiteURL: links.Site},
		&mcp.ServerOptions{
			Instructions: instructions,
			Logger:       opt.Logger,
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}}, // neither list changes
		},
	)
	s.addTools(server)
	for _, name := range opt.Tools {
		if name != AllTools && !slices.Contains(s.names, name) {
			return nil, fmt.Errorf("unknown tool %q; expected %s, or some of %s", name, AllTools, strings.Join(s.names, ", "))
		}
	}
	return server, nil
}

// addTools registers everything. Limits are small, because results fill a model's
// context.
func (s *service) addTools(server *mcp.Server) {
	add(server, s, operation.Quick, tool{}, (*operation.QuickInput).Run)
	add(server, s, operation.Lookup, tool{core: true, choose: true}, (*operation.LookupInput).Run)
	add(server, s, operation.Suggest, tool{core: true, choose: true, limit: 10, most: 50}, (*operation.SuggestInput).Run)
	add(server, s, operation.Address, tool{core: true, choose: true}, (*operation.AddressInput).Run)
	add(server, s, operation.Geocode, tool{}, (*operation.GeocodeInput).Run)
	add(server, s, operation.Reverse, tool{}, (*operation.ReverseInput).Run)
	add(server, s, operation.Assess, tool{choose: true}, (*operation.AssessInput).Run)
	add(server, s, operation.SuggestAddress, tool{choose: true, limit: 10, most: 50}, (*operation.SuggestAddressInput).Run)
	add(server, s, operation.Parse, tool{}, (*operation.ParseInput).Run)
	add(server, s, operation.Radius, tool{core: true, choose: true, limit: 50, most: 500}, (*operation.RadiusInput).Run)
	add(server, s, operation.Auto, tool{}, (*operation.AutoInput).Run)
	add(server, s, operation.Nearest, tool{core: true, choose: true}, (*operation.NearestInput).Run)
	add(server, s, operation.Inside, tool{heavy: true, choose: true, limit: 50, most: 500}, (*operation.InsideInput).Run)
	add(server, s, operation.Distance, tool{core: true}, (*operation.DistanceInput).Run)
	add(server, s, operation.Matrix, tool{}, (*operation.MatrixInput).Run)
	add(server, s, operation.Pairs, tool{heavy: true, limit: 50, most: 500}, (*operation.PairsInput).Run)
	add(server, s, operation.Boundary, tool{}, (*operation.BoundaryInput).Run)
	add(server, s, operation.AreasAt, tool{core: true, choose: true}, (*operation.AreasAtInput).Run)
	add(server, s, operation.CodesIn, tool{core: true, choose: true, limit: 50, most: 5000}, (*operation.CodesInInput).Run)
	add(server, s, operation.Neighbors, tool{choose: true}, (*operation.NeighborsInput).Run)
	add(server, s, operation.ZIP3, tool{}, (*operation.ZIP3Input).Run)
	add(server, s, operation.Crosswalk, tool{heavy: true, choose: true, limit: 50, most: 500}, (*operation.CrosswalkInput).Run)
	add(server, s, operation.Profile, tool{core: true, choose: true}, (*operation.ProfileInput).Run)
	add(server, s, operation.Fields, tool{limit: 50, most: 1000}, (*operation.FieldsInput).Run)
	add(server, s, operation.Series, tool{}, (*operation.SeriesInput).Run)
	add(server, s, operation.Aggregate, tool{heavy: true}, (*operation.AggregateInput).Run)
	add(server, s, operation.Compare, tool{}, (*operation.CompareInput).Run)

	add(server, s, severalOf[lookups](operation.Lookup, "lookup_batch"), tool{choose: true, entries: types(lookup.QuickRecord{}, lookup.Record{})}, (*lookups).run)
	add(server, s, severalOf[searches](operation.Radius, "radius_batch"), tool{heavy: true, choose: true, limit: 10, most: 500, entries: types(radius.Result{})}, (*searches).run)
	add(server, s, severalOf[distances](operation.Distance, "distance_batch"), tool{choose: true, entries: types(radius.DistanceResult{})}, (*distances).run)
	add(server, s, severalOf[matches](operation.Address, "match_addresses"), tool{choose: true, entries: types(address.Match{})}, (*matches).run)

	s.addOutline(server)
	s.addLists(server)
	s.addDataset(server)
}

// severalOf describes the batch of an operation with input In.
func severalOf[In any](o *operation.Operation, name string) *operation.Operation {
	return operation.New[In, *list](operation.Operation{
		Name: name, Summary: o.Summary, Detail: "For up to 100 inputs: one item for each in order, including failed ones.",
	})
}

func types(values ...any) []reflect.Type {
	var list []reflect.Type
	for _, v := range values {
		list = append(list, reflect.TypeOf(v))
	}
	return list
}

// kept are members that every result has, regardless of the choice.
var kept = []string{"success", "input", "error", "notices", "batch", "total", "next_offset"}

// of returns the chosen members of a JSON document in their order.
func (c chosen) of(document []byte) ([]byte, error) {
	if len(c) == 0 {
		return document, nil
	}
	return c.append(make([]byte, 0, len(document)/2), document)
}

func (c chosen) append(dst, value []byte) ([]byte, error) {
	if len(c) == 0 || value[0] != '{' && value[0] != '[' {
		return append(dst, value...), nil
	}
	d := json.NewDecoder(bytes.NewReader(value))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	object := value[0] == '{'
	dst = append(dst, value[0])
	for first := true; d.More(); {
		of, wanted := c, true
		var name string
		if object {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name = key.(string)
			if of, wanted = c[name]; !wanted {
				wanted = slices.Contains(kept, name)
			}
		}
		var part json.RawMessage
		if err := d.Decode(&part); err != nil {
			return nil, err
		}
		if !wanted {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if object {
			dst = append(envelope.AppendString(dst, name), ':')
		}
		var err error
		if dst, err = of.append(dst, part); err != nil {
			return nil, err
		}
	}
	return append(dst, value[0]+2), nil // of the same kind: ] and } stand two after [ and {
}
