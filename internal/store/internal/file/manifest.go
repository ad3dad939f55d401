package file

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset"
)

// A tableDigest digests the rows of a table.
type tableDigest struct {
	hash hash.Hash
	rows int64
	e    encoder
}

// row adds a row in the order of the table.
func (d *tableDigest) row(values []driver.Value) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	d.e.b = d.e.b[:0]
	for _, v := range values {
		switch v := v.(type) {
		case int64:
			d.e.byte(1)
			d.e.int(v)
		case float64:
			d.e.byte(2)
			d.e.float(v)
		case string:
			d.e.byte(3)
			d.e.text(v)
		case []byte:
			d.e.byte(4)
			d.e.uint(uint64(len(v)))
			d.hash.Write(d.e.b)
			d.hash.Write(v)
			d.e.b = d.e.b[:0]
		default:
			d.e.byte(0)
		}
	}
	d.hash.Write(d.e.b)
	d.rows++
}

// table returns the entry of the manifest.
func (d *tableDigest) table(name string) dataset.Table {
	t := dataset.Table{Name: name, Rows: d.rows}
	if d.hash != nil {
		t.SHA256 = hex.EncodeToString(d.hash.Sum(nil))
	}
	return t
}

// DigestTable digests a table.
func DigestTable(ctx context.Context, c *Connection, table string) (dataset.Table, error) {
	var d tableDigest
	err := c.Query("SELECT * FROM "+table, func(values []driver.Value) error {
		d.row(values)
		return ctx.Err()
	})
	return d.table(table), err
}

// descriptions are the tables of the manifest.
var descriptions = [...]string{"(SELECT * FROM manifest WHERE key <> 'digest' ORDER BY key)", "source", "gap", "content"}

// ManifestDigest covers the tables, through their digests, and all other values of the
// manifest. A single changed letter is detected.
func ManifestDigest(c *Connection) (string, error) {
	all := sha256.New()
	for _, name := range descriptions {
		t, err := DigestTable(context.Background(), c, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(all, t.Rows, t.SHA256)
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// ID returns the identity that every page of a file with the digest of a manifest has.
func ID(digest string) uint64 {
	id, _ := strconv.ParseUint(digest[:16], 16, 64)
	return id
}

// readManifest reads the manifest and holds it against its digest.
func readManifest(c *Connection) (dataset.Manifest, error) {
	m := dataset.Manifest{Format: FormatVersion}
	values := map[string]string{}
	err := c.Query("SELECT key, value FROM manifest", func(v []driver.Value) error {
		key, _ := v[0].(string)
		values[key], _ = v[1].(string)
		return nil
	})
	err = cmp.Or(err, c.Query("SELECT * FROM source ORDER BY id", Into(&m.Sources, 1)), c.Query("SELECT * FROM gap ORDER BY id", Into(&m.Gaps, 1)),
		c.Query("SELECT * FROM content ORDER BY id", Into(&m.Tables, 1)))
	if err != nil {
		return m, err
	}
	m.Version, m.Builder, m.Digest, m.Sample = values["version"], values["builder"], values["digest"], values["sample"] == "true"
	if list := values["layers"]; list != "" {
		m.Layers = strings.Split(list, "\n")
	}
	if built := values["built"]; built != "" {
		if m.Built, err = time.Parse(time.RFC3339Nano, built); err != nil {
			return m, fmt.Errorf("the manifest's time %q is malformed", built)
		}
		m.Built = m.Built.UTC()
	}
	got, err := ManifestDigest(c)
	if err == nil && got != m.Digest {
		err = fmt.Errorf("the manifest's digest is %q, computed %q", m.Digest, got)
	}
	return m, err
}
