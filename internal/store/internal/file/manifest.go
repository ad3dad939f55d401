package file

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/postgeo/postgeo/dataset"
)

// A TableDigest digests the rows of a table.
type TableDigest struct {
	hash hash.Hash
	rows int64
	e    Encoder
}

// Row adds a row in the order of the table.
func (d *TableDigest) Row(values []driver.Value) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	d.e.B = d.e.B[:0]
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			d.e.Byte(1)
			d.e.Int(v)
		case float64:
			d.e.Byte(2)
			d.e.Float(v)
		case string:
			d.e.Byte(3)
			d.e.Text(v)
		case []byte:
			d.e.Byte(4)
			d.e.Uint(uint64(len(v)))
			d.hash.Write(d.e.B)
			d.hash.Write(v)
			d.e.B = d.e.B[:0]
		default:
			d.e.Byte(0)
		}
	}
	d.hash.Write(d.e.B)
	d.rows++
}

// Table returns the entry of the manifest.
func (d *TableDigest) Table(name string) dataset.Table {
	t := dataset.Table{Name: name, Rows: d.rows}
	if d.hash != nil {
		t.SHA256 = hex.EncodeToString(d.hash.Sum(nil))
	}
	return t
}

// digestTable digests a table. row is called with the values of each row, which are valid
// until it returns.
func digestTable(c *Connection, table string, row func([]driver.Value) error) (dataset.Table, error) {
	var d TableDigest
	err := c.query("SELECT * FROM "+table, nil, func(values []driver.Value) error {
		d.Row(values)
		return row(values)
	})
	return d.Table(table), err
}

// digest covers the tables, through their digests, and all other values of the
// manifest. A single changed letter is detected.
func digest(m *dataset.Manifest) string {
	var e Encoder
	e.Uint(uint64(m.Format))
	e.Text(m.Version)
	e.Bool(m.Sample)
	e.Text(builtText(m.Built))
	e.Text(m.Builder)
	e.Uint(uint64(len(m.Layers)))
	for _, l := range m.Layers {
		e.Text(l)
	}
	e.Uint(uint64(len(m.Sources)))
	for _, s := range m.Sources {
		for _, v := range sourceTexts(&s) {
			e.Text(*v)
		}
		e.Bool(s.UserSupplied)
		e.Int(s.Rows)
	}
	e.B = append(e.B, downloadsText(m.Sources)...)
	e.Uint(uint64(len(m.Gaps)))
	for _, g := range m.Gaps {
		e.Text(g.Name)
		e.Int(g.Count)
	}
	e.Uint(uint64(len(m.Tables)))
	for _, t := range m.Tables {
		e.Text(t.Name)
		e.Int(t.Rows)
		e.Text(t.SHA256)
	}
	sum := sha256.Sum256(e.B)
	return hex.EncodeToString(sum[:])
}

// fileID returns the identity that every page has.
func fileID(digest string) uint64 {
	id, _ := strconv.ParseUint(digest[:16], 16, 64)
	return id
}

func sourceTexts(s *dataset.Source) []*string {
	return []*string{
		&s.ID, &s.Title, &s.URL, &s.Vintage, &s.License, &s.Attribution, &s.Redistribution, &s.Refresh, &s.Note, &s.SHA256,
	}
}

// checkManifest refuses texts that the file could not give back.
func checkManifest(m *dataset.Manifest) error {
	texts := append([]string{m.Version, m.Builder}, m.Layers...)
	for i := range m.Sources {
		s := &m.Sources[i]
		for _, text := range sourceTexts(s) {
			texts = append(texts, *text)
		}
		if strings.Contains(s.ETag+s.LastModified, "\n") {
			return Invalid("entity tag %q or date %q of %s; expected one line", s.ETag, s.LastModified, s.ID)
		}
		texts = append(texts, s.ETag, s.LastModified)
	}
	for _, g := range m.Gaps {
		texts = append(texts, g.Name)
	}
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return Invalid("manifest text %q; expected UTF-8 without zero bytes", s)
		}
	}
	if y := m.Built.UTC().Year(); y < 0 || y > 9999 {
		return Invalid("manifest time %v; expected a year from 0 to 9999", m.Built)
	}
	return nil
}

// builtText is "" for the zero time.
func builtText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func builtTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	return t.UTC(), err
}

func writeManifest(m *dataset.Manifest, insert func(table string, values ...driver.Value) error) error {
	layers, err := json.Marshal(m.Layers)
	if err != nil {
		return err
	}
	if names, ok := parseNames(string(layers)); !ok || !slices.Equal(names, m.Layers) {
		return Invalid("the layers %q have names with special characters", m.Layers)
	}
	sample := "false"
	if m.Sample {
		sample = "true"
	}
	for i, kv := range [...][2]string{
		{"version", m.Version},
		{"sample", sample},
		{"built", builtText(m.Built)},
		{"builder", m.Builder},
		{"layers", string(layers)},
		{"digest", m.Digest},
	} {
		if err := insert("manifest", int64(i+1), kv[0], kv[1]); err != nil {
			return err
		}
	}
	for i, s := range m.Sources {
		if err := insert("source", int64(i+1), s.ID, s.Title, s.URL, s.Vintage, s.License, s.Attribution, s.Redistribution,
			s.Refresh, s.UserSupplied, s.Note, s.Rows, s.SHA256); err != nil {
			return err
		}
	}
	for i, g := range m.Gaps {
		if err := insert("gap", int64(i+1), g.Name, g.Count); err != nil {
			return err
		}
	}
	for i, t := range m.Tables {
		if err := insert("content", int64(i+1), t.Name, t.Rows, t.SHA256); err != nil {
			return err
		}
	}
	if text := downloadsText(m.Sources); text != "" {
		return insert("manifest", int64(7), "downloads", text)
	}
	return nil
}

// downloadsText returns a line for each of size, entity tag and date of the sources, in
// their order; "" if none has any.
func downloadsText(sources []dataset.Source) string {
	var b strings.Builder
	known := false
	for _, s := range sources {
		known = known || s.Size != 0 || s.ETag != "" || s.LastModified != ""
		b.WriteString(strconv.FormatInt(s.Size, 10) + "\n" + s.ETag + "\n" + s.LastModified + "\n")
	}
	if !known {
		return ""
	}
	return b.String()
}

func readDownloads(text string, sources []dataset.Source) error {
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	if len(lines) != 3*len(sources)+1 {
		return fmt.Errorf("the manifest has %d lines about downloads, expected %d", len(lines)-1, 3*len(sources))
	}
	for i := range sources {
		s := &sources[i]
		s.Size, _ = strconv.ParseInt(lines[3*i], 10, 64)
		s.ETag, s.LastModified = lines[3*i+1], lines[3*i+2]
	}
	return nil
}

// readManifest reads the manifest and holds it against its digest.
func readManifest(c *Connection) (dataset.Manifest, error) {
	m := dataset.Manifest{Format: FormatVersion}
	values := map[string]string{}
	if err := c.each("SELECT key, value FROM manifest ORDER BY id", func(r *Scanner) error {
		k := r.text()
		values[k] = r.text()
		return nil
	}); err != nil {
		return m, err
	}
	if err := c.each("SELECT name, title, url, vintage, license, attribution, redistribution, refresh, note, sha256,"+
		" user_supplied, row_count FROM source ORDER BY id", func(r *Scanner) error {
		var s dataset.Source
		for _, v := range sourceTexts(&s) {
			*v = r.text()
		}
		s.UserSupplied = r.Int() != 0
		s.Rows = r.Int()
		m.Sources = append(m.Sources, s)
		return nil
	}); err != nil {
		return m, err
	}
	if err := c.each("SELECT name, amount FROM gap ORDER BY id", func(r *Scanner) error {
		m.Gaps = append(m.Gaps, dataset.Gap{Name: r.text(), Count: r.Int()})
		return nil
	}); err != nil {
		return m, err
	}
	if err := c.each("SELECT name, row_count, sha256 FROM content ORDER BY id", func(r *Scanner) error {
		m.Tables = append(m.Tables, dataset.Table{Name: r.text(), Rows: r.Int(), SHA256: r.text()})
		return nil
	}); err != nil {
		return m, err
	}
	m.Version, m.Builder, m.Digest = values["version"], values["builder"], values["digest"]
	m.Sample = values["sample"] == "true"
	var err error
	if m.Built, err = builtTime(values["built"]); err != nil {
		return m, fmt.Errorf("the manifest's time %q is malformed", values["built"])
	}
	names, ok := parseNames(values["layers"])
	if m.Layers = names; !ok {
		return m, fmt.Errorf("the manifest's layers %q are malformed", values["layers"])
	}
	if err := readDownloads(values["downloads"], m.Sources); err != nil {
		return m, err
	}
	if got := digest(&m); got != m.Digest {
		return m, fmt.Errorf("the manifest's digest is %q, computed %q", m.Digest, got)
	}
	return m, nil
}

// parseNames reads a JSON array of texts without escapes. encoding/json would add its
// decoder to every program.
func parseNames(text string) (names []string, ok bool) {
	if text == "null" || text == "[]" {
		return nil, true
	}
	inner, opened := strings.CutPrefix(text, `["`)
	inner, closed := strings.CutSuffix(inner, `"]`)
	names = strings.Split(inner, `","`)
	special := func(name string) bool { return strings.ContainsAny(name, `"\`) }
	return names, opened && closed && !slices.ContainsFunc(names, special)
}
