package dataset

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"strings"
	"time"
	"unicode/utf8"
)

// tableHash digests the rows of one table.
type tableHash struct {
	hash hash.Hash
	rows int64
	e    encoder
}

func newTableHash() *tableHash { return &tableHash{hash: sha256.New()} }

func (h *tableHash) row(id int64, data []byte) {
	h.e.b = h.e.b[:0]
	h.e.rowHead(id, uint64(len(data)))
	h.hash.Write(h.e.b)
	h.hash.Write(data)
	h.rows++
}

// rowHead appends the part of a table's digest before the bytes of a row.
func (e *encoder) rowHead(id int64, size uint64) {
	e.int(id)
	e.uint(size)
}

func (h *tableHash) table(name string) Table {
	return Table{Name: name, Rows: h.rows, SHA256: hex.EncodeToString(h.hash.Sum(nil))}
}

// digest covers the tables, through their own digests, and everything that
// the manifest says, so that a manifest with one letter changed is refused.
func (m *Manifest) digest() string {
	var e encoder
	e.uint(uint64(m.Format))
	e.string(m.Version)
	e.bool(m.Sample)
	e.string(builtText(m.Built))
	e.string(m.Builder)
	e.uint(uint64(len(m.Layers)))
	for _, l := range m.Layers {
		e.string(l)
	}
	e.uint(uint64(len(m.Sources)))
	for _, s := range m.Sources {
		for _, v := range s.texts() {
			e.string(*v)
		}
		e.bool(s.UserSupplied)
		e.int(s.Rows)
	}
	e.uint(uint64(len(m.Gaps)))
	for _, g := range m.Gaps {
		e.string(g.Name)
		e.int(g.Count)
	}
	e.uint(uint64(len(m.Tables)))
	for _, t := range m.Tables {
		e.string(t.Name)
		e.int(t.Rows)
		e.string(t.SHA256)
	}
	sum := sha256.Sum256(e.b)
	return hex.EncodeToString(sum[:])
}

func (s *Source) texts() []*string {
	return []*string{
		&s.ID, &s.Title, &s.URL, &s.Vintage, &s.Licence, &s.Attribution, &s.Refresh, &s.Note, &s.SHA256,
	}
}

// rows returns the number of rows of a table, 0 for one that is not listed.
func (m *Manifest) rows(table string) int64 {
	for _, t := range m.Tables {
		if t.Name == table {
			return t.Rows
		}
	}
	return 0
}

// check refuses texts that the file could not give back.
func (m *Manifest) check() error {
	texts := append([]string{m.Version, m.Builder}, m.Layers...)
	for i := range m.Sources {
		for _, s := range m.Sources[i].texts() {
			texts = append(texts, *s)
		}
	}
	for _, g := range m.Gaps {
		texts = append(texts, g.Name)
	}
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return invalid("manifest text %q; expected UTF-8 without zero bytes", s)
		}
	}
	if y := m.Built.UTC().Year(); y < 0 || y > 9999 {
		return invalid("manifest time %v; expected a year from 0 to 9999", m.Built)
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

// write inserts the manifest into its tables.
func (m *Manifest) write(insert func(table string, values ...driver.Value) error) error {
	layers, err := json.Marshal(m.Layers)
	if err != nil {
		return err
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
		if err := insert("source", int64(i+1), s.ID, s.Title, s.URL, s.Vintage, s.Licence, s.Attribution,
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
	return nil
}

// readManifest reads the manifest and holds it against its digest.
func readManifest(ctx context.Context, c *connection) (Manifest, error) {
	m := Manifest{Format: formatVersion}
	values := map[string]string{}
	if err := c.each(ctx, "SELECT key, value FROM manifest ORDER BY id", func(r *scanner) error {
		k := r.text()
		values[k] = r.text()
		return nil
	}); err != nil {
		return m, err
	}
	if err := c.each(ctx, "SELECT name, title, url, vintage, licence, attribution, refresh, note, sha256,"+
		" user_supplied, row_count FROM source ORDER BY id", func(r *scanner) error {
		var s Source
		for _, v := range s.texts() {
			*v = r.text()
		}
		s.UserSupplied = r.int() != 0
		s.Rows = r.int()
		m.Sources = append(m.Sources, s)
		return nil
	}); err != nil {
		return m, err
	}
	if err := c.each(ctx, "SELECT name, amount FROM gap ORDER BY id", func(r *scanner) error {
		m.Gaps = append(m.Gaps, Gap{r.text(), r.int()})
		return nil
	}); err != nil {
		return m, err
	}
	if err := c.each(ctx, "SELECT name, row_count, sha256 FROM content ORDER BY id", func(r *scanner) error {
		m.Tables = append(m.Tables, Table{r.text(), r.int(), r.text()})
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
	if err := json.Unmarshal([]byte(values["layers"]), &m.Layers); err != nil {
		return m, fmt.Errorf("the manifest's layers %q are malformed", values["layers"])
	}
	if got := m.digest(); got != m.Digest {
		return m, fmt.Errorf("the manifest's digest is %q, computed %q", m.Digest, got)
	}
	return m, nil
}
