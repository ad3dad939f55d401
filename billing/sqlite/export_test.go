package sqlite

import (
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
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

// WriteFormat1 makes an empty file of accounts in format 1.
func WriteFormat1(path string, p *billing.Pepper) error {
	c, err := dial(path, dsn(path))
	if err != nil {
		return err
	}
	fingerprint := p.Fingerprint()
	return errors.Join(
		c.script(schema),
		c.exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)),
		c.exec("PRAGMA user_version = 1"),
		c.exec("INSERT INTO settings (revision, pepper) VALUES (1, ?)", fingerprint[:]),
		c.close(),
	)
}

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
