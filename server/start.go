package server

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

//go:embed start/index.html start/start.css start/start.js
var startFiles embed.FS

// A startPage is "/": what to try on the loaded dataset. It loads nothing from
// elsewhere.
type startPage struct {
	page   *template.Template
	assets map[string]startAsset
}

// A startAsset is the page or one of the files that it needs.
type startAsset struct {
	contentType []string
	data        []byte // nil: the page, which is made for each request
}

func newStartPage() (*startPage, error) {
	page, err := template.ParseFS(startFiles, "start/index.html")
	if err != nil {
		return nil, fmt.Errorf("server: start page: %w", err)
	}
	p := &startPage{page: page, assets: map[string]startAsset{
		"/": {contentType: []string{"text/html; charset=utf-8"}},
	}}
	for path, contentType := range map[string]string{
		"/start.css": "text/css; charset=utf-8",
		"/start.js":  "text/javascript; charset=utf-8",
	} {
		data, err := startFiles.ReadFile("start" + path)
		if err != nil {
			return nil, fmt.Errorf("server: start page: %w", err)
		}
		p.assets[path] = startAsset{[]string{contentType}, data}
	}
	return p, nil
}

// asset returns what the start page has under exactly this path.
func (p *startPage) asset(path string) (startAsset, bool) {
	a, ok := p.assets[path]
	return a, ok
}

var startRoute = &route{path: "/", methods: readMethods}

// serveStart answers for the start page and its files.
func (c *call) serveStart(a startAsset) {
	c.route = startRoute.path
	if !startRoute.allows(c.r.Method) {
		c.write(c.methodNotAllowed(startRoute))
		return
	}
	data := a.data
	if data == nil {
		var page bytes.Buffer
		if err := c.s.start.page.Execute(&page, c.s.startView(c.r.Context())); err != nil {
			c.write(c.fail(fmt.Errorf("server: start page: %w", err)))
			return
		}
		data = page.Bytes()
	}
	h := c.w.Header()
	h["Content-Type"] = a.contentType
	h["Content-Security-Policy"] = headerCSP
	h["Referrer-Policy"] = headerNoReferrer
	h["X-Content-Type-Options"] = headerNoSniff
	_ = c.send(http.StatusOK, data) // kept for the log
}

// A startView is what the template of the start page reads.
type startView struct {
	Dataset  dataset.Manifest
	Keys     bool // callers are asked for keys
	Examples []exampleGroup
	Routes   []routeView
}

type exampleGroup struct {
	Title    string
	Examples []example
}

// An example is one call that the loaded dataset answers with a result.
type example struct {
	Label string
	Path  string // with its query
	Go    string // the same call on a *postgeo.DB
}

type routeView struct {
	Path    string
	Summary string
	Params  []paramView
}

type paramView struct {
	Name     string
	Required bool
	Doc      string
}

// showCodes are the codes that the start page offers where the dataset has
// them, with what is worth seeing in each.
var showCodes = []struct{ code, label string }{
	{"90210", "a ZIP Code"},
	{"90210-1001", "a ZIP+4 with its street"},
	{"99546", "beyond the antimeridian"},
	{"00601", "in Puerto Rico"},
	{"10118", "of a single building"},
	{"09012", "of the military"},
	{"M5V", "a forward sortation area"},
	{"K1A 0B1", "a postal code"},
	{"K1A 9Z9", "a postal code that its area answers for"},
	{"34.1,-118.4", "a coordinate, resolved by the areas of codes"},
}

var showSearches = []struct {
	center, max, label string
	opt                radius.Options
	goOpt              string
}{
	{"90210", "10", "Points within 10 miles of 90210", radius.Options{Max: 10}, "postgeo.RadiusOptions{Max: 10}"},
	{"90210", "5", "Areas within 5 miles of 90210", radius.Options{Max: 5, Mode: radius.Spatial}, "postgeo.RadiusOptions{Max: 5, Mode: postgeo.Spatial}"},
	{"48201", "auto", "As far as it takes around 48201", radius.Options{Auto: radius.Density}, "postgeo.RadiusOptions{Auto: postgeo.Density}"},
}

var showPairs = [][2]string{{"90210", "10001"}, {"48201", "N9A"}, {"98101", "M5V"}}

func (s *Server) startView(ctx context.Context) startView {
	v := startView{Dataset: s.db.Info(), Keys: s.cfg.Accounts != nil}
	quick := exampleGroup{Title: "Quick lookup"}
	full := exampleGroup{Title: "Full record"}
	for _, c := range showCodes {
		if _, err := s.db.QuickLookup(ctx, c.code, lookup.QuickOptions{}); err != nil {
			continue
		}
		q := url.Values{"code": {c.code}}
		quick.Examples = append(quick.Examples, example{
			Label: c.code + " · " + c.label,
			Path:  "/v2/quick-zip?" + q.Encode(),
			Go:    fmt.Sprintf("db.QuickLookup(ctx, %q, postgeo.QuickLookupOptions{})", c.code),
		})
		if _, err := s.db.Lookup(ctx, c.code, lookup.Options{}); err != nil {
			continue
		}
		q.Set("include", flagTimezone)
		full.Examples = append(full.Examples, example{
			Label: c.code + " with its time zones",
			Path:  "/v2/zip?" + q.Encode(),
			Go:    fmt.Sprintf("db.Lookup(ctx, %q, postgeo.LookupOptions{Include: postgeo.Include{Timezone: true}})", c.code),
		})
	}
	distance := exampleGroup{Title: "Distance"}
	for _, p := range showPairs {
		if _, err := s.db.Distance(ctx, p[0], p[1]); err != nil {
			continue
		}
		distance.Examples = append(distance.Examples, example{
			Label: p[0] + " to " + p[1],
			Path:  "/v2/distance?" + url.Values{"from": {p[0]}, "to": {p[1]}}.Encode(),
			Go:    fmt.Sprintf("db.Distance(ctx, %q, %q)", p[0], p[1]),
		})
	}
	around := exampleGroup{Title: "Radius"}
	for _, r := range showSearches {
		if _, err := s.db.Radius(ctx, r.center, r.opt); err != nil {
			continue
		}
		q := url.Values{"code": {r.center}, "max": {r.max}, "mode": {r.opt.Mode.String()}}
		around.Examples = append(around.Examples, example{
			Label: r.label,
			Path:  "/v2/radius?" + q.Encode(),
			Go:    fmt.Sprintf("db.Radius(ctx, %q, %s)", r.center, r.goOpt),
		})
	}
	health := exampleGroup{Title: "Health", Examples: []example{
		{Label: "State of the service", Path: "/v2/health", Go: "db.Ping(ctx)"},
	}}
	for _, g := range []exampleGroup{quick, full, around, distance, health} {
		if len(g.Examples) > 0 {
			v.Examples = append(v.Examples, g)
		}
	}
	for _, rt := range s.list {
		rv := routeView{Path: rt.path, Summary: rt.summary}
		for _, p := range rt.params {
			rv.Params = append(rv.Params, paramView{p.name, p.required, p.doc})
		}
		v.Routes = append(v.Routes, rv)
	}
	return v
}
