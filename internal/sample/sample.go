package sample

import (
	"embed"
	"io/fs"
)

//go:generate go test ../../dataset/builder -count 1 -run ^TestSample$ -update

// Name is the name of the dataset file in [FS].
const Name = "sample.db"

//go:embed sample.db
var files embed.FS

// FS returns the file system that holds the sample dataset under [Name].
func FS() fs.FS { return files }
