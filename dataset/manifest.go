package dataset

import "time"

// A Manifest says what a dataset is and what it was made from. It is stored
// inside the file.
type Manifest struct {
	Version string    // version of the data, e.g. "2026-06-30"; sample datasets begin with "sample"
	Sample  bool      // true: invented data around real codes, for trying things out
	Built   time.Time // SOURCE_DATE_EPOCH, or the date of the newest source; never the wall clock
	Builder string    // name and version of the program that built the file
	Layers  []string  // layers the build took, e.g. "identity", "timezones"
	Sources []Source  // in the order of the catalogue
	Gaps    []Gap     // known gaps, in the order of the report
}

// A Source is one file that a dataset was built from.
type Source struct {
	ID           string // short name in the catalogue, e.g. "gazetteer-zcta"
	Title        string
	URL          string // official address, or "" for a user-supplied file
	Vintage      string // as the file really is, e.g. "2025", "2026-03-30"
	Licence      string
	Attribution  string // the line that the licence asks for
	Refresh      string // how often the publisher renews it, e.g. "yearly", "monthly"
	UserSupplied bool
	Note         string // what differs from the official file, where that is known
	Rows         int64  // rows read
	SHA256       string // of the file as it was read, lower-case hexadecimal
}

// A Gap is a known hole of a dataset.
type Gap struct {
	Name  string // e.g. "ZIPs without a county"
	Count int64
}
