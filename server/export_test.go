package server

import "github.com/postgeo/postgeo/lookup"

// AppendQuick appends a record as /v2/quick-zip writes it.
func AppendQuick(dst []byte, r *lookup.QuickRecord) ([]byte, error) {
	return quickItem{r}.AppendJSON(dst)
}

// Deadline is the context of a request's work.
var Deadline = newDeadline
