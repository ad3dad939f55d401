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
	for _, of := range append([]Older{{URL: e.URL, Vintage: "any"}}, e.Older...) {
		address := strings.ReplaceAll(of.URL, "{"+e.division()+"}", "55")
		if u, err := url.Parse(address); of.URL != "" && (err != nil || u.Scheme != "https" || u.Host == "" || u.Path == "" || u.RawQuery != "" || strings.ContainsAny(address, "{}")) {
			refuse("url", "%q is not a plain https address of a file", of.URL)
		}
		if of.URL == "" && len(e.Older) > 0 || of.Vintage == "" {
			refuse("older", "an older file needs an address and a vintage")
		}
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
	case e.Size < 0 || e.Rows < 0:
		refuse("size", "size and rows cannot be negative")
	}
	for _, l := range e.Layers {
		if !slices.ContainsFunc(All, func(c Choice) bool { return c.Name == l }) {
			refuse("layers", "unknown layer %q", l)
		}
	}
	if len(e.Feeds) == 0 {
		refuse("feeds", "it names no field of results")
	}
	return faults
}
