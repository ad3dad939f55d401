package dataset

import "github.com/postgeo/postgeo/internal/dataset/internal/rooms"

// Writer builds a dataset file.
type Writer = rooms.Writer

// Extension writes a copy of a dataset with more tables of the survey.
type Extension = rooms.Extension

// Create begins a dataset file at the path. Close the writer with Finish or
// Abort.
func Create(path string) (*Writer, error) { return rooms.Create(path) }

// Extend begins a file at the path, which must not be the path of base. Keep
// base open until Finish or Abort.
func Extend(path string, base *Dataset) (*Extension, error) { return rooms.Extend(path, base.rooms) }
