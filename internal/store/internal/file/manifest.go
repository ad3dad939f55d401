package file

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset"
)

// DigestTable counts and digests the rows of a table in their order. It digests the values,
// each with its type and length, and not the bytes of the file. So two files with
// equal rows have equal digests, whatever version of SQLite laid out their pages.
func DigestTable(ctx context.Context, c *Connection, table string) (dataset.Table, error) {
	t := dataset.Table{Name: table}
	hash := sha256.New()
	var e encoder
	err := c.Query("SELECT * FROM "+table, func(values []driver.Value) error {
		for _, v := range values {
			switch v := v.(type) {
			case int64:
				e.byte(1)
				e.int(v)
			case float64:
				e.byte(2)
				e.float(v)
			case string:
				e.byte(3)
				e.text(v)
			case []byte:
				e.byte(4)
				e.uint(uint64(len(v)))
				hash.Write(e.b)
				hash.Write(v)
				e.b = e.b[:0]
			default:
				e.byte(0)
			}
		}
		hash.Write(e.b)
		e.b = e.b[:0]
		t.Rows++
		return ctx.Err()
	})
	if t.Rows > 0 {
		t.SHA256 = hex.EncodeToString(hash.Sum(nil))
	}
	return t, err
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

// ID returns the identity that every page of a file with the digest of a manifest has. It follows
// from the contents, so that equal builds give equal bytes.
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
