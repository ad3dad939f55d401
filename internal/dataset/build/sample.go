package build

import "github.com/postgeo/postgeo/internal/dataset"

// markSample replaces the publisher's properties of a source by those of an
// invented file in its format: without address, license of the publisher and
// rhythm.
func markSample(s *dataset.Source) {
	s.Title = "Sample: " + s.Title
	s.URL, s.Attribution = "", ""
	s.Vintage, s.Refresh = "sample", "with the program"
	s.License = "MIT"
	s.UserSupplied = false
	s.Note = "invented rows in the format of the named source, not the publisher's data"
}
