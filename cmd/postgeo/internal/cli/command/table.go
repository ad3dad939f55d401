package command

import (
	"context"
	"os"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/enrich/table"
)

// OpenTable opens a table in a file, or "-" for standard input. The end of the
// context ends the reading of a pipe.
func OpenTable(ctx context.Context, env *Env, path string, in table.Input) (*table.Source, error) {
	if path != "-" {
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() || info.IsDir() {
			return table.Open(path, in)
		}
	}
	if in.Shards > 0 {
		return nil, Usage(message.ShardNeedsFile)
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

// Delimiter reads a delimiter, 0 for "".
func Delimiter(flag, text string) (byte, error) {
	switch {
	case text == "":
		return 0, nil
	case text == "tab" || text == `\t`:
		return '\t', nil
	case len(text) == 1 && !strings.ContainsAny(text, "\"\r\n"):
		return text[0], nil
	default:
		return 0, Usage(message.InvalidValue, flag, text, message.Delimiter)
	}
}
