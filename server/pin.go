package server

import "github.com/postgeo/postgeo"

// pin chooses the dataset that answers the whole call, a batch with all its
// items included, however often the server's is replaced meanwhile. unpin gives
// it back. A DB that is not postgeo's own is asked as it is.
func (c *call) pin() error {
	c.db = c.s.db
	db, ok := c.s.db.(*postgeo.DB)
	if !ok {
		return nil
	}
	s, err := db.Snapshot()
	if err == nil {
		c.db, c.pinned = s, s
	}
	return err
}

// unpin ends what pin began. That an old file did not close is nobody's to
// know: nothing was written to it.
func (c *call) unpin() {
	if c.pinned != nil {
		_ = c.pinned.Close()
	}
}
