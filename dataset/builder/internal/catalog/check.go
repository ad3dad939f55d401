package catalog

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// check returns the faults of an entry.
func (e *Entry) check() (faults []error) {
	refuse := func(field, format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s: %s: %s", e.ID, field, fmt.Sprintf(format, args...)))
	}
	for field, value := range map[string]string{"title": e.Title, "license": e.License, "refresh": e.Refresh, "format": e.Format.String()} {
		if value == "" {
			refuse(field, "it is missing")
		}
	}
	if !slices.Contains(redistributions, e.Redistribution) {
		refuse("redistribution", "%q, expected one of %s", e.Redistribution, strings.Join(redistributions, ", "))
	}
	if u, err := url.Parse(e.URL); e.URL != "" && (err != nil || u.Scheme != "https" || u.Host == "" || u.Path == "" || u.RawQuery != "") {
		refuse("url", "%q is not a plain https address of a file", e.URL)
	}
	switch {
	case !e.UserSupplied && (e.URL == "" || len(e.Layers) == 0):
		refuse("url", "a source that users do not supply needs an address and layers")
	case !e.UserSupplied && !e.MirrorOnly && e.Size <= 0:
		refuse("size", "a source that is downloaded needs its approximate size")
	case (e.UserSupplied || e.MirrorOnly && e.Refresh != "superseded") && e.Note == "":
		refuse("note", "a source that is not downloaded needs a note about its origin")
	case e.MirrorOnly && (e.UserSupplied || !e.Optional):
		refuse("mirror_only", "a source of mirrors must be optional and cannot be supplied by users")
	case e.Size < 0 || e.Rows < 0 || e.Every < 0:
		refuse("size", "size, rows and every cannot be negative")
	}
	for _, l := range e.Layers {
		if !slices.ContainsFunc(All, func(c Choice) bool { return c.Name == l }) {
			refuse("layers", "unknown layer %q", l)
		}
	}
	if len(e.Feeds) == 0 {
		refuse("feeds", "it names no field of results")
	}
	e.checkEdition(refuse)
	return faults
}

func (e *Entry) checkEdition(refuse func(field, format string, args ...any)) {
	this, ok := parseEdition(e.Edition)
	if e.Edition == "" {
		if placeholder.MatchString(e.URL) {
			refuse("edition", "the address has a placeholder and no edition")
		}
		return
	}
	if !ok {
		refuse("edition", "%q is not a year or a year and a letter, such as 2026 or 2026b", e.Edition)
		return
	}
	part := map[string]string{"county": "55059", "state": "55"}[e.division()]
	if _, err := e.at(this, part); err != nil {
		refuse("edition", "%v", err)
	}
	oldest, ok := parseEdition(e.Oldest)
	if e.Oldest != "" && (!ok || this.before(oldest) || (oldest.letter == 0) != (this.letter == 0)) {
		refuse("oldest", "%q is not an edition before %s", e.Oldest, e.Edition)
	}
}
