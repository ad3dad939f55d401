package builder

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/fetch"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
)

// A Freshness compares a source of a dataset with its publisher's.
type Freshness struct {
	ID      string `json:"source"`
	Have    string `json:"have"`             // edition or vintage of the dataset, or else of the catalog
	Newest  string `json:"newest,omitzero"`  // newest edition, or the date of a renewed file
	State   string `json:"state"`            // one of the constants below
	Refresh string `json:"refresh,omitzero"` // rhythm of the publisher
	URL     string `json:"url,omitzero"`     // address of the newest file
	Note    string `json:"note,omitzero"`    // reason of a state that needs one
}

// States of a source, the most urgent first.
const (
	NewerEdition = "newer edition" // the publisher has a later edition
	Renewed      = "renewed"       // the file at the same address has changed
	Moved        = "moved"         // the file has another address
	Missing      = "missing"       // the server does not have the file
	Unreachable  = "unreachable"   // the server refuses or does not respond
	Pinned       = "pinned"        // the edition stays; newer ones are not requested
	Current      = "current"
)

var states = []string{NewerEdition, Renewed, Moved, Missing, Unreachable, Pinned, Current}

// IsNewer reports whether a build would read newer data.
func (f Freshness) IsNewer() bool { return f.State == NewerEdition || f.State == Renewed }

// Numbers of simultaneous requests of a check.
const (
	checksAtOnce = 8
	checksAHost  = 2
)

// CheckSources requests the headers of the files of a dataset's sources, and of later
// editions. Without sources it checks those of the catalog that are downloaded.
// Of the counties of street segments it checks the first one. o names mirror,
// cache and catalog. done, unless nil, is called after each source. The most
// urgent states come first.
func CheckSources(ctx context.Context, o Options, held []dataset.Source, done func(done, total int)) ([]Freshness, error) {
	all, err := catalog.Load(o.Catalog, o.Editions)
	if err != nil {
		return nil, err
	}
	client, err := newClient(ctx, o)
	if err != nil {
		return nil, err
	}
	tasks := checked(all, held, o.Mirror != "")
	c := checker{client: client, hosts: map[string]chan struct{}{}}
	results := make([]Freshness, len(tasks))
	var wait sync.WaitGroup
	room, finished := make(chan struct{}, checksAtOnce), 0
	for i, t := range tasks {
		room <- struct{}{}
		wait.Go(func() {
			defer func() { <-room }()
			results[i] = c.check(ctx, t)
			c.mu.Lock()
			defer c.mu.Unlock()
			if finished++; done != nil {
				done(finished, len(tasks))
			}
		})
	}
	wait.Wait()
	slices.SortStableFunc(results, func(a, b Freshness) int { return slices.Index(states, a.State) - slices.Index(states, b.State) })
	return results, ctx.Err()
}

// A checkTask is a source of the catalog and the one of the dataset.
type checkTask struct {
	source fetch.Source
	held   dataset.Source // SHA256 is "" without a dataset
}

func checked(all *catalog.Catalog, held []dataset.Source, mirror bool) (tasks []checkTask) {
	sources, parts := all.Sources(), map[string]bool{} // of sources with many files, one is checked
	if len(held) == 0 {
		for _, s := range sources {
			if !s.UserSupplied && (mirror || !s.MirrorOnly) {
				tasks = append(tasks, checkTask{source: s})
			}
		}
	}
	for _, h := range held {
		at := slices.IndexFunc(sources, func(s fetch.Source) bool { return s.ID == h.ID })
		part, entry, divided := all.Part(h.ID)
		switch {
		case divided && !parts[entry]:
			parts[entry] = true
			tasks = append(tasks, checkTask{part, h})
		case at >= 0 && sources[at].URL != "" && (mirror || !sources[at].UserSupplied && !sources[at].MirrorOnly):
			tasks = append(tasks, checkTask{sources[at], h})
		}
	}
	return tasks
}

// A checker makes few requests to a host at a time.
type checker struct {
	client *fetch.Client
	mu     sync.Mutex
	hosts  map[string]chan struct{}
}

func (c *checker) probe(ctx context.Context, s fetch.Source) (fetch.Probe, error) {
	host := ""
	if u, err := url.Parse(s.URL); err == nil {
		host = u.Host
	}
	c.mu.Lock()
	room := c.hosts[host]
	if room == nil {
		room = make(chan struct{}, checksAHost)
		c.hosts[host] = room
	}
	c.mu.Unlock()
	room <- struct{}{}
	defer func() { <-room }()
	return c.client.Probe(ctx, s)
}

func (c *checker) check(ctx context.Context, t checkTask) Freshness {
	have, later := t.editions()
	f := Freshness{ID: t.source.ID, Have: have.Edition, Refresh: t.source.Refresh, URL: OfficialURL(have.URL), State: Current}
	if f.Have == "" {
		f.Have = t.held.Vintage
	}
	var refused error
	for _, s := range later {
		p, err := c.probe(ctx, s)
		if err == nil && p.Found {
			f.State, f.Newest, f.URL = NewerEdition, s.Edition, OfficialURL(s.URL)
			return f
		}
		if !errors.Is(err, fetch.ErrContent) { // some servers have a page for every address
			refused = errors.Join(refused, err)
		}
	}
	p, err := c.probe(ctx, have)
	if err == nil {
		err = refused
	}
	date := p.Modified.UTC().Format(time.DateOnly)
	switch {
	case err != nil:
		f.State, f.Note = Unreachable, firstLine(err)
	case !p.Found:
		f.State = Missing
	case p.Changed && (t.held.SHA256 == "" || p.Copy == t.held.SHA256):
		f.State, f.Newest = Renewed, date
	case have.Edition == "" && !have.MirrorOnly && p.Copy != t.held.SHA256 && t.renewed(p):
		f.State, f.Newest = Renewed, date
	case p.Moved != "":
		f.State, f.Note, f.URL = Moved, "the server redirects for good", p.Moved
	case have.Pinned != "" && have.Edition != "":
		f.State, f.Note = Pinned, have.Pinned
	}
	return f
}

// editions returns the source in the edition of the dataset, and later ones, the
// newest first.
func (t checkTask) editions() (have fetch.Source, later []fetch.Source) {
	all := slices.Concat(t.source.Newer, []fetch.Source{t.source}, t.source.Earlier)
	at := slices.IndexFunc(all, func(s fetch.Source) bool { return s.URL == t.held.URL })
	if at >= 0 {
		return all[at], all[:at]
	}
	known := len(t.source.Newer)
	if t.held.URL == "" || t.source.Edition == "" {
		return t.source, all[:known]
	}
	have = t.source // of an edition that the catalog no longer has
	have.URL, have.Edition = t.held.URL, ""
	return have, all[:known+1]
}

// renewed reports whether the date of a file is after the vintage of the dataset's.
func (t checkTask) renewed(p fetch.Probe) bool {
	if p.Vintage != "" && p.Vintage == t.held.Vintage {
		return false // a mirror's file
	}
	date, err := time.Parse(time.DateOnly, t.held.Vintage)
	return err == nil && p.Modified.Sub(date) >= 48*time.Hour // midnight, of any time zone
}
