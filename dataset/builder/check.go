package builder

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// A Freshness compares a source of a dataset with the publisher's file.
type Freshness struct {
	ID       string `json:"source"`
	Vintage  string `json:"vintage"`           // of the dataset's file
	State    string `json:"state"`             // one of the constants below
	Modified string `json:"modified,omitzero"` // date of the publisher's file
	Refresh  string `json:"refresh,omitzero"`  // rhythm of the publisher
	URL      string `json:"url,omitzero"`      // address of the publisher's file
	Note     string `json:"note,omitzero"`     // reason of the state
}

// States of a source, the most urgent first.
const (
	Changed   = "changed"   // a build would read another file
	Gone      = "gone"      // the server does not have the file
	Unknown   = "unknown"   // the note has the reason
	Unchanged = "unchanged" // the server has the file that the dataset was built from
)

var states = []string{Changed, Gone, Unknown, Unchanged}

// ErrUnreachable means that [CheckSources] reached none of the servers.
var ErrUnreachable = errors.New("no server of the sources can be reached")

// Numbers of simultaneous requests of a check.
const (
	checksAtOnce = 8
	checksAHost  = 2
)

// CheckSources requests the headers of the files of a dataset's sources and compares
// entity tag, date and size with those in the manifest. No file is downloaded; those of a
// mirror folder are read. Of the files of one source for all states or counties it checks
// the first. o names mirror, cache and catalog. done, unless nil, is called after each
// source. The most urgent states come first.
func CheckSources(ctx context.Context, o Options, held []dataset.Source, done func(done, total int)) ([]Freshness, error) {
	all, err := catalog.Load(o.Catalog)
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
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.refused != nil && c.reached == 0 {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, c.refused)
	}
	slices.SortStableFunc(results, func(a, b Freshness) int { return slices.Index(states, a.State) - slices.Index(states, b.State) })
	return results, nil
}

// A checkTask is a source of a dataset with the files to request: the catalog's, if it has
// another address, then the dataset's.
type checkTask struct {
	held   dataset.Source
	files  []fetch.Source
	reason string // why nothing is requested
}

func checked(all *catalog.Catalog, held []dataset.Source, mirror bool) (tasks []checkTask) {
	sources, parts := all.Sources(), map[string]bool{}
	for _, h := range held {
		t := checkTask{held: h}
		s, entry, part := all.Part(h.ID)
		if !part {
			if at := slices.IndexFunc(sources, func(s fetch.Source) bool { return s.ID == h.ID }); at >= 0 {
				s = sources[at]
			}
		}
		switch {
		case part && parts[entry]:
			continue
		case s.ID == "":
			t.reason = "the catalog does not have the source"
		case s.URL == "" || s.UserSupplied && !mirror:
			t.reason = "the file is supplied by the user"
		case s.MirrorOnly && !mirror:
			t.reason = "only a mirror has the file"
		case h.SHA256 == "" || h.URL == "" && OfficialURL(s.URL) != "":
			t.reason = "the dataset does not name the file that it was built from"
		default:
			t.files = []fetch.Source{s}
			if h.URL != "" && h.URL != s.URL {
				s.URL = h.URL
				t.files = append(t.files, s)
			}
		}
		parts[entry] = part
		tasks = append(tasks, t)
	}
	return tasks
}

// A checker makes few requests to a host at a time.
type checker struct {
	client  *fetch.Client
	mu      sync.Mutex
	hosts   map[string]chan struct{}
	reached int
	refused error // the first
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
	p, err := c.client.Probe(ctx, s)
	<-room
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.reached++
	} else if c.refused == nil {
		c.refused = err
	}
	return p, err
}

func (c *checker) check(ctx context.Context, t checkTask) Freshness {
	f := Freshness{ID: t.held.ID, Vintage: t.held.Vintage, State: Unknown, Refresh: t.held.Refresh, Note: t.reason, URL: t.held.URL}
	for i, s := range t.files {
		built := i == len(t.files)-1 // from the file at this address
		p, err := c.probe(ctx, s)
		if err != nil && !built && errors.Is(err, fetch.ErrContent) {
			continue // some servers have a page for every address
		}
		if err != nil {
			f.Note = firstLine(err)
			return f
		}
		if !p.Found && !built {
			continue
		}
		if !p.Modified.IsZero() {
			f.Modified = p.Modified.UTC().Format(time.DateOnly)
		}
		f.URL = OfficialURL(s.URL)
		switch {
		case !p.Found:
			f.State = Gone
		case !built:
			f.State, f.Note = Changed, "the catalog has a newer file: "+s.Vintage
		default:
			f.State, f.Note = compare(t.held, p)
			if p.Moved != "" {
				f.Note, f.URL = strings.TrimPrefix(f.Note+"; the server redirects for good", "; "), p.Moved
			}
		}
		return f
	}
	return f
}

// compare returns the state of a file that the server has. The strongest property that
// both sides know decides: the content, the entity tag, the date, then the size.
func compare(held dataset.Source, p fetch.Probe) (state, note string) {
	state = Changed
	weak := func(tag string) string { return strings.TrimPrefix(tag, "W/") }
	switch {
	case p.SHA256 != "":
		if p.SHA256 == held.SHA256 {
			state = Unchanged
		}
	case p.ETag != "" && held.ETag != "":
		if weak(p.ETag) == weak(held.ETag) {
			state = Unchanged
		}
	case p.LastModified != "" && held.LastModified != "":
		if p.LastModified == held.LastModified {
			state = Unchanged
		}
	case p.Size > 0 && held.Size > 0 && p.Size != held.Size:
		note = fmt.Sprintf("%d bytes, not %d", p.Size, held.Size)
	default:
		return compareDates(held, p)
	}
	return state, note
}

// compareDates compares a file without other signs of a change with the day that the
// vintage of the dataset's names.
func compareDates(held dataset.Source, p fetch.Probe) (state, note string) {
	date, err := time.Parse(time.DateOnly, held.Vintage)
	dated, sized := err == nil && !p.Modified.IsZero(), p.Size > 0 && held.Size > 0
	later := dated && p.Modified.Sub(date) >= 48*time.Hour // midnight, of any time zone
	switch {
	case later && sized:
		return Unknown, "newer date, but the same size"
	case later:
		return Changed, "newer date"
	case sized:
		return Unchanged, "the same size"
	case dated:
		return Unchanged, "no newer date"
	}
	return Unknown, "the server and the dataset have no entity tag, date or size to compare"
}
