package build

import "github.com/postgeo/postgeo/dataset"

// markSample turns what the catalogue says of a publisher's file into what is
// true of an invented one in its format: it has no address, no licence of the
// publisher and no rhythm.
func markSample(s *dataset.Source) {
	s.Title = "Sample: " + s.Title
	s.URL, s.Attribution = "", ""
	s.Vintage, s.Refresh = "sample", "with the program"
	s.Licence = "MIT"
	s.UserSupplied = false
	s.Note = "invented rows in the format of the named source, not the publisher's data"
}
