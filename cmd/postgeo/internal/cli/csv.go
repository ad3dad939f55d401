package cli

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
)

// csvColumns yields for each row of a CSV file the values of some columns,
// joined by commas; empty ones are left out. The first row names the columns.
func csvColumns(env *Env, path string, names []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in := env.Stdin
		if path != "-" {
			f, err := os.Open(path)
			if err != nil {
				yield("", fmt.Errorf("read --csv: %w", err))
				return
			}
			defer f.Close()
			in = f
		}
		buffered := bufio.NewReader(in)
		if bom, err := buffered.Peek(3); err == nil && string(bom) == "\ufeff" {
			_, _ = buffered.Discard(len(bom)) // it was peeked
		}
		rows := csv.NewReader(buffered)
		rows.FieldsPerRecord, rows.LazyQuotes, rows.ReuseRecord = -1, true, true
		if strings.HasSuffix(strings.ToLower(path), ".tsv") {
			rows.Comma = '\t'
		}
		head, err := rows.Read()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the file is empty; its first row names the columns")
			}
			yield("", fmt.Errorf("read --csv %s: %w", path, err))
			return
		}
		at := make([]int, len(names))
		for i, name := range names {
			at[i] = slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), strings.TrimSpace(name)) })
			if at[i] < 0 {
				yield("", wrongUse("--column %q is not in %s; it has %s", name, path, strings.Join(head, ", ")))
				return
			}
		}
		for {
			row, err := rows.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield("", fmt.Errorf("read --csv %s: %w", path, err))
				return
			}
			var parts []string
			for _, k := range at {
				if k < len(row) && strings.TrimSpace(row[k]) != "" {
					parts = append(parts, strings.TrimSpace(row[k]))
				}
			}
			if !yield(strings.Join(parts, ", "), nil) {
				return
			}
		}
	}
}

// delimiter reads what divides cells, 0 for "".
func delimiter(text string) (byte, error) {
	switch {
	case text == "":
		return 0, nil
	case text == "tab" || text == `\t`:
		return '\t', nil
	case len(text) == 1 && !strings.ContainsAny(text, "\"\r\n"):
		return text[0], nil
	default:
		return 0, wrongUse("--delimiter %q; expected one character such as ';' or '|', or tab", text)
	}
}
