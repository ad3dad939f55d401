package tools

import (
	"log/slog"
	"runtime"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
)

// MaxResult is the most bytes of JSON that a result may have.
const MaxResult = 256 << 10

// DefaultTimeout is how long a call may take unless Options say otherwise.
const DefaultTimeout = 30 * time.Second

// Options say how tools are served. The zero value is ready for use.
type Options struct {
	Version string        // of the program, as clients see it; "" is "(devel)"
	Timeout time.Duration // the longest that a call may take; 0 is DefaultTimeout
	Logger  *slog.Logger  // told what went wrong that callers cannot mend; nil is told nothing
}

// links are the pages that errors point to.
var links = envelope.Links{
	Site: "https://github.com/postgeo/postgeo",
	Docs: "https://github.com/postgeo/postgeo/blob/main/docs/mcp.md",
}

// A service answers tools from a dataset.
type service struct {
	db      *postgeo.DB
	timeout time.Duration
	logger  *slog.Logger
	slots   chan struct{} // one for each call that is being worked
}

const instructions = `Postal geography of the United States and Canada from one local dataset: ZIP, ZIP+4, FSA and Canadian postal codes, coordinates, distances, radius searches, areas (counties, tracts, districts), US addresses and profiles of the American Community Survey.

A code is a ZIP (90210), ZIP+4 (90210-1234), FSA (K1A), postal code (K1A 0B1) or latitude,longitude (34.0901,-118.4065). Distances are miles on the ellipsoid.
Read dataset_info first: a dataset whose version begins with "sample" holds invented figures around real codes, which must not be passed on as facts. What the dataset does not hold is named in notices.
Every tool only reads. Lists are short unless limit asks for more; a failed call says in one sentence what to change.`

// New returns a server whose tools and resources answer from db, which has to
// stay open while the server runs.
func New(db *postgeo.DB, opt Options) *mcp.Server {
	if opt.Version == "" {
		opt.Version = "(devel)"
	}
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	s := &service{db: db, timeout: opt.Timeout, logger: opt.Logger, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	server := mcp.NewServer(
		&mcp.Implementation{Name: "postgeo", Title: "postgeo: US and Canadian postal geography", Version: opt.Version, WebsiteURL: links.Site},
		&mcp.ServerOptions{
			Instructions: instructions,
			Logger:       opt.Logger,
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}}, // neither list changes
		},
	)
	s.addLookups(server)
	s.addSearches(server)
	s.addDistances(server)
	s.addAddresses(server)
	s.addAreas(server)
	s.addCrosswalk(server)
	s.addSurvey(server)
	s.addSeries(server)
	s.addDataset(server)
	return server
}
