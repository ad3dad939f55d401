package source

import (
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
)

// pointPublishers lists columns, as [pointColumns] does, that only the files of a
// publisher have together, with its name in the catalog.
var pointPublishers = []struct {
	name    string
	headers []string
}{
	{"nad", []string{"addnumber", "addauth", "nadsource"}},
	{"nad", []string{"addnumber", "addauth", "streetname", "stnpredir", "guid"}}, // to release 21
	{"statcan-register", []string{"locguid", "addrguid", "civicno"}},
	{"statcan-addresses", []string{"strnamepcs", "csduid", "provider"}},
	{"openaddresses", []string{"number", "street", "district", "region", "postcode"}},
}

// PointPublisher returns the publisher whose format a file of address points has, an
// entry of publishers of the catalog. It returns "" for an unknown format, for several
// in one zip, and for unreadable files.
func PointPublisher(path string) string {
	found := ""
	for in, err := range pointInputs(path) {
		if err != nil {
			return ""
		}
		headers, err := pointHeaders(in)
		if err != nil {
			return ""
		}
		heads := pointHeads(headers)
		heads["geometry"] = "geometry"
		if !complete(heads) {
			continue
		}
		name := publisherOf(headers)
		if name == "" || found != "" && found != name {
			return ""
		}
		found = name
	}
	return found
}

func publisherOf(headers []string) string {
	have := map[string]bool{}
	for _, h := range headers {
		have[plainHeader(h)] = true
	}
	for _, p := range pointPublishers {
		if !slices.ContainsFunc(p.headers, func(h string) bool { return !have[h] }) {
			return p.name
		}
	}
	return ""
}

// pointHeaders returns the names of the columns, or of the properties of the first
// feature.
func pointHeaders(in *format.Input) ([]string, error) {
	t, err := pointTable(in)
	if err != nil {
		return nil, err
	}
	if t != nil {
		return t.Header(), nil
	}
	for s, err := range featuresIn(in) {
		return s.Names(), err
	}
	return nil, lacksColumns(in.Name())
}

// PointLicense returns the license and the attribution in the metadata of a file of
// OpenAddresses: NAME.geojson.meta for NAME.geojson.gz, or LICENSE.txt of a zip with one
// source. They are "" without that file.
func PointLicense(path string) (license, attribution string) {
	if archive, err := format.OpenArchive(path, format.Limits{}); err == nil {
		defer archive.Close()
		return archiveLicense(archive)
	}
	text, err := os.ReadFile(strings.TrimSuffix(path, ".gz") + ".meta")
	if err != nil {
		return "", ""
	}
	var meta struct{ License json.RawMessage }
	if json.Unmarshal(text, &meta) != nil {
		return "", ""
	}
	if json.Unmarshal(meta.License, &license) == nil {
		return license, ""
	}
	var terms struct {
		Text, URL string
		Name      string `json:"attribution name"`
	}
	if json.Unmarshal(meta.License, &terms) != nil {
		return "", ""
	}
	if terms.Text == "" {
		terms.Text = terms.URL
	}
	return terms.Text, terms.Name
}

// archiveLicense returns the terms of an archive's only source. Its line is SOURCE: TERMS, or
// SOURCE: ATTRIBUTION; TERMS.
func archiveLicense(a *format.Archive) (license, attribution string) {
	const longest = 1 << 10
	in, err := a.Open("LICENSE.txt")
	if err != nil {
		return "", ""
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, longest))
	_, terms, ok := strings.Cut(strings.TrimSpace(string(text)), ": ")
	if err != nil || !ok || len(text) == longest || strings.Contains(terms, "\n") {
		return "", ""
	}
	terms = strings.TrimSuffix(terms, ".")
	if owner, rest, ok := strings.Cut(terms, "; "); ok {
		return rest, owner
	}
	return terms, ""
}
