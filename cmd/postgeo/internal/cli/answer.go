package cli

import (
	"errors"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
)

// answer writes what a command found: in JSON the whole of it, as a server
// would, in the other formats its rows. f has what went wrong with their
// outlines; nil where they have none.
func answer[Row any](env *Env, opts output.Options, f *featurer, whole any, rows []Row) error {
	w := output.NewWriter(env.Stdout, opts)
	if opts.Format == output.JSON {
		if err := w.Write(whole); err != nil {
			return err
		}
		rows = nil
	}
	if err := writeRows(w, rows); err != nil {
		return err
	}
	err := w.Close()
	if f != nil {
		err = errors.Join(err, f.err)
	}
	return err
}

// writeRows writes rows as items.
func writeRows[Row any](w *output.Writer, rows []Row) error {
	for i := range rows {
		if err := w.Write(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// writeFailed tells the failure of the one input that a command has, and
// writes its item for programs.
func writeFailed(env *Env, opts output.Options, fails *failures, input envelope.Input, err error) error {
	item, ok := fails.item(input, err)
	if !ok {
		return err
	}
	if !people(opts.Format) {
		if err := writeAll(env.Stdout, opts, []envelope.Item{item}); err != nil {
			return err
		}
	}
	return fails.result()
}
