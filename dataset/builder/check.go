package builder

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// A Freshness compares a source of a dataset with the publisher's file.
type Freshness struct {
	ID       string `json:"source"`            // of the source
	Vintage  string `json:"vintage"`           // of the dataset's file
	State    string `json:"state"`             // [Changed], [Gone], [Unknown] or [Unchanged]
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

// CheckSources requests the headers of the files of a dataset's sources and compares
// entity tag, date and size with those in the manifest. No file is downloaded; those of a
// mirror folder are read. Of the files of one source for all states or counties it checks
// the first. It makes one request to a host at a time. o names mirror and cache. done,
// unless nil, is called after each source. The most urgent states come first.
func CheckSources(ctx context.Context, o Options, held []dataset.Source, done func(done, total int)) ([]Freshness, error) {
	client, err := newClient(ctx, o)
	if err != nil {
		return nil, err
	}
	all, c := catalog.Load(o.change), checker{client: client, mirror: o.Mirror != ""}
	// A goroutine for each host keeps the promise of one request at a time, and lets a
	// slow host delay only itself. Each check writes to a Freshness of its own; mu guards
	// finished and the calls of done.
	hosts, parts, results := map[string][]func(){}, map[string]bool{}, []*Freshness{}
	for _, h := range held {
		s, entry := all.Find(h.ID)
		if parts[entry] {
			continue
		}
		parts[entry] = entry != ""
		f := &Freshness{ID: h.ID, Vintage: h.Vintage, State: Unknown, Refresh: h.Refresh, URL: h.URL}
		results = append(results, f)
		host := ""
		if u, err := url.Parse(s.URL); err == nil {
			host = u.Host
		}
		hosts[host] = append(hosts[host], func() { c.check(ctx, h, s, f) })
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	finished := 0
	for _, checks := range hosts {
		wait.Go(func() {
			for _, check := range checks {
				check()
				mu.Lock()
				if finished++; done != nil {
					done(finished, len(results))
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if refused := c.refused.Load(); refused != nil && !c.reached.Load() {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, *refused)
	}
	list := make([]Freshness, len(results))
	for i, f := range results {
		list[i] = *f
	}
	slices.SortStableFunc(list, func(a, b Freshness) int { return slices.Index(states, a.State) - slices.Index(states, b.State) })
	return list, nil
}

// A checker checks the sources of one call. Goroutines of several hosts share it.
//
// reached is set if any server had its file or answered that the file is gone. Without
// it, and with an error, the whole call fails: a list of unknown states would hide that
// this machine has no network.
type checker struct {
	client  *fetch.Client
	mirror  bool
	reached atomic.Bool
	refused atomic.Pointer[error] // the last error of a request
}

// check compares the file at the catalog's address, then, if the dataset was built from
// another, the one at that. The catalog of a newer program may name the file of the next
// year before the publisher has it. Some servers return a web page for such an address in
// place of 404, which Probe reports as [fetch.ErrContent].
func (c *checker) check(ctx context.Context, h dataset.Source, s fetch.Source, f *Freshness) {
	switch {
	case s.ID == "":
		f.Note = "the catalog does not have the source"
		return
	case s.URL == "" || s.UserSupplied && !c.mirror:
		f.Note = "the file is supplied by the user"
		return
	case s.MirrorOnly && !c.mirror:
		f.Note = "only a mirror has the file"
		return
	case h.SHA256 == "" || h.URL == "" && OfficialURL(s.URL) != "":
		f.Note = "the dataset does not name the file that it was built from"
		return
	}
	built := h.URL == "" || h.URL == s.URL // from the file at this address
	p, err := c.client.Probe(ctx, s)
	if err == nil {
		c.reached.Store(true)
	}
	if !built && (err == nil && !p.Found || errors.Is(err, fetch.ErrContent)) {
		s.URL, built = h.URL, true
		p, err = c.client.Probe(ctx, s)
	}
	if err != nil {
		c.refused.Store(&err)
		f.Note = firstLine(err)
		return
	}
	c.reached.Store(true)
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
		f.State, f.Note = compare(h, p)
	}
}

// compare returns the state of a file that the server has. The strongest property that
// both sides know decides: the content, the entity tag, the date, the size, then the day
// that the dataset has as the source's vintage.
func compare(held dataset.Source, p fetch.Probe) (state, note string) {
	weak := func(tag string) string { return strings.TrimPrefix(tag, "W/") }
	for _, sign := range [...][2]string{{held.SHA256, p.SHA256}, {weak(held.ETag), weak(p.ETag)}, {held.LastModified, p.LastModified}} {
		switch {
		case sign[0] == "" || sign[1] == "":
		case sign[0] == sign[1]:
			return Unchanged, ""
		default:
			return Changed, ""
		}
	}
	date, err := time.Parse(time.DateOnly, held.Vintage)
	dated, sized := err == nil && !p.Modified.IsZero(), p.Size > 0 && held.Size > 0
	// The vintage is a day without a time zone, and the file may be of any hour of it: up
	// to 24 hours for the day, and less than 24 for the zone of the publisher's clock.
	later := dated && p.Modified.Sub(date) >= 48*time.Hour
	switch {
	case sized && p.Size != held.Size:
		return Changed, fmt.Sprintf("%d bytes, not %d", p.Size, held.Size)
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
