package main

// The boundary for tests.
var (
	Open         = postgeo_open
	Close        = postgeo_close
	LastError    = func() string { return text(lastError()) }
	Free         = postgeo_free
	Call         = postgeo_call
	OpenColumns  = postgeo_columns_open
	CloseColumns = postgeo_columns_close
	Index        = postgeo_columns_index
	Text         = postgeo_columns_text
	Arrow        = postgeo_columns_arrow
)
