package postgeo

// ACSMemory returns how much memory the columns of the survey may have in the
// dataset that answers now, and how much they have.
func (db *DB) ACSMemory() (limit, used int64) { return db.current.Load().data.ACSMemory() }
