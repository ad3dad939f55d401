package udf

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/function"
)

// key returns the key of a row, "" if it is null, and its place to measure to. It
// returns false for a row that cannot be read.
func (w *worker) key(row []byte) (key, to string, ok bool) {
	var err error
	if w.cells = w.cells[:0]; w.Format == JSON {
		w.cells, err = appendMembers(w.cells, row)
	} else {
		for cell := range bytes.SplitSeq(row, []byte{'\t'}) {
			w.cells = append(w.cells, unescape(string(cell)))
		}
	}
	if err != nil {
		return "", "", false
	}
	cells, to := w.cells, ""
	if w.Split != nil {
		cells, to = w.Split(w.cells)
	}
	key, ok = function.Key(w.Kind, cells)
	return key, to, ok
}

// unescape reads a cell of TSV.
func unescape(cell string) string {
	if cell == `\N` {
		return ""
	}
	if strings.IndexByte(cell, '\\') < 0 {
		return cell
	}
	var b strings.Builder
	for i := 0; i < len(cell); i++ {
		c := cell[i]
		if c == '\\' && i+1 < len(cell) {
			i++
			c = cell[i]
			if at := strings.IndexByte("tnrb0f", c); at >= 0 {
				c = "\t\n\r\b\x00\f"[at]
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// appendMembers appends the values of an object or list in their order.
func appendMembers(cells []string, row []byte) ([]string, error) {
	d := json.NewDecoder(bytes.NewReader(row))
	d.UseNumber()
	open, err := d.Token()
	if err != nil {
		return nil, err
	}
	if open != json.Delim('{') && open != json.Delim('[') {
		return nil, errors.New("neither an object nor a list")
	}
	for d.More() {
		if open == json.Delim('{') {
			if _, err := d.Token(); err != nil {
				return nil, err
			}
		}
		value, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch v := value.(type) {
		case nil:
			cells = append(cells, "")
		case string:
			cells = append(cells, v)
		case json.Number:
			cells = append(cells, v.String())
		default:
			return nil, errors.New("a value is neither text nor a number")
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text follows the row")
	}
	return cells, nil
}

var escapes = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

func (w *worker) appendTSV(values []enrich.Value) {
	for i, v := range values {
		if i > 0 {
			w.out = append(w.out, '\t')
		}
		from := len(w.out)
		if w.out = v.AppendText(w.out); v.IsNull() {
			w.out = append(w.out, `\N`...)
		} else if cell := w.out[from:]; bytes.ContainsAny(cell, "\\\t\n\r") {
			w.out = append(w.out[:from], escapes.Replace(string(cell))...)
		}
	}
	w.out = append(w.out, '\n')
}

// appendJSON appends the values as a member of an object or an entry of a list. Several
// values are an object.
func (w *worker) appendJSON(values []enrich.Value, list bool) {
	if list {
		w.out = append(w.out, '[')
	} else {
		w.out = append(envelope.AppendString(append(w.out, '{'), w.Result), ':')
	}
	w.out = function.AppendJSON(w.out, w.Enricher.Columns(), values, "status", "reason")
	if list {
		w.out = append(w.out, "]\n"...)
	} else {
		w.out = append(w.out, "}\n"...)
	}
}
