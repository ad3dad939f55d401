package server

import "github.com/postgeo/postgeo"

// pin selects one version of the dataset for the whole call, including all items of
// a batch. Only a [postgeo.DB] has versions.
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

// unpin releases the version. Errors are ignored, because it is read-only.
func (c *call) unpin() {
	if c.pinned != nil {
		_ = c.pinned.Close()
	}
}
