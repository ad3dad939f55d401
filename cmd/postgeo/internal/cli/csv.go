package cli

import (
	"context"
	"errors"
	"iter"
	"os"
	"strings"

	"github.com/postgeo/postgeo/enrich/table"
)

// openTable opens a table in a file, or "-" for standard input. What is no file
// may have nothing to give for long, and is read so that the context ends it.
func openTable(ctx context.Context, env *Env, path string, in table.Input) (*table.Source, error) {
	if path != "-" {
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() || info.IsDir() {
			return table.Open(path, in)
		}
	}
	if in.Shards > 0 {
		return nil, wrongUse("--shard needs an input that is a file, whose length is known")
	}
	if path == "-" {
		return table.Read(newStoppable(ctx, env.Stdin), in)
	}
	if f, zipped, known := table.FormatOf(path); known {
		if in.Format == 0 {
			in.Format = f
		}
		in.Gzip = in.Gzip || zipped
	}
	pipe, err := openPipe(ctx, path)
	if err != nil {
		return nil, err
	}
	return table.Read(newStoppable(ctx, pipe), in)
}

// delimiter reads what divides cells, 0 for "".
func delimiter(flag, text string) (byte, error) {
	switch {
	case text == "":
		return 0, nil
	case text == "tab" || text == `\t`:
		return '\t', nil
	case len(text) == 1 && !strings.ContainsAny(text, "\"\r\n"):
		return text[0], nil
	default:
		return 0, wrongUse("%s %q; expected one character such as ';' or '|', or tab", flag, text)
	}
}

// tableColumns yields for each row of a table the values of some columns,
// joined by commas; empty ones are left out. The caller closes the table.
func tableColumns(src *table.Source, names []string) (iter.Seq2[string, error], error) {
	keys, err := src.FindKeys(table.Names{Address: names})
	if missing, ok := errors.AsType[*table.KeyError](err); ok {
		return nil, wrongUse("--column: %s", strings.TrimPrefix(missing.Error(), "table: "))
	}
	if err != nil {
		return nil, err
	}
	return src.Keys(keys), nil
}
