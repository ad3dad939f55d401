package tools

import (
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/envelope"
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
	light      *queue   // of most calls
	heavy      *queue   // of calls that may take long; they leave a core to the others
	tools      []string // that are offered; none means the core
	names      []string // of all tools
}

const instructions = `Postal geography of the United States and Canada from one local dataset: ZIP, ZIP+4, FSA and Canadian postal codes, coordinates, distances, radius searches, areas (counties, tracts, districts), US addresses and profiles of the American Community Survey.

A code is a ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), postal code (K1A 0B1) or latitude,longitude (34.0901,-118.4065). Distances are miles on the ellipsoid.
Read dataset_info first: a dataset whose version begins with "sample" holds invented figures around real codes, which must not be passed on as facts. Missing data is named in notices.
Every tool only reads. Lists are short unless limit is given, and only selects members of a result. The message of a failed call describes what to change.`

// New returns a server whose tools and resources read db, which must stay open
// while the server runs. It returns an error if options name an unknown tool.
func New(db *postgeo.DB, opt Options) (*mcp.Server, error) {
	if opt.Version == "" {
		opt.Version = "(devel)"
	}
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
