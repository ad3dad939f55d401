package sqlite

import (
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

// RoundTrip decodes the records of finished holds and encodes them again.
func RoundTrip(b []byte) ([]byte, error) {
	var out []byte
	err := unpack(b, func(h *book.Hold) error {
		out = appendRecord(out, h)
		return nil
	})
	return out, err
}

// RoundTripLines decodes the lines of a hold and encodes them again.
func RoundTripLines(b []byte) ([]byte, error) {
	lines, _, err := nextLines(b, -1)
	return appendLines(nil, lines), err
}

// WriteFormat makes a file of accounts in a format and runs statements in it.
func WriteFormat(path string, p *billing.Pepper, format int, statements string) error {
	c, err := dial(path, dsn(path))
	if err != nil {
		return err
	}
	fingerprint := p.Fingerprint()
	errs := []error{
		c.script(schema),
		c.exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)),
		c.exec(fmt.Sprintf("PRAGMA user_version = %d", format)),
		c.exec("INSERT INTO settings (revision, pepper) VALUES (1, ?)", fingerprint[:]),
	}
	for _, script := range upgrades[:format-1] {
		errs = append(errs, c.script(script))
	}
	return errors.Join(append(errs, c.script(statements), c.close())...)
}

// Record encodes a finished hold.
func Record(h *book.Hold) []byte { return appendRecord(nil, h) }

// ReadJournal returns how many settlements of a round a journal in a file has,
// and where it would go on.
func ReadJournal(path string, salt, round int64) (n int, at int64, err error) {
	j, err := openJournal(path)
	if err != nil {
		return 0, 0, err
	}
	j.salt = salt
	holds, err := j.read(round)
	return len(holds), j.at, errors.Join(err, j.close())
}

// WriteJournal writes settlements of a round.
func WriteJournal(path string, salt, round int64, holds ...*book.Hold) error {
	j, err := openJournal(path)
	if err != nil {
		return err
	}
	j.salt = salt
	for _, h := range holds {
		if err := j.add(round, h); err != nil {
			return err
		}
	}
	return j.close()
}
