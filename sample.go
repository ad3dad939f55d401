package postgeo

import "github.com/postgeo/postgeo/dataset/sample"

// OpenSample opens the dataset that is embedded in the module: real codes of a
// dozen metropolitan areas with invented data around them, for trying things
// out. A program that does not call it does not link the file.
func OpenSample() (*DB, error) { return OpenSampleWith(OpenOptions{}) }

// OpenSampleWith is [OpenSample] with options.
func OpenSampleWith(opt OpenOptions) (*DB, error) { return OpenFS(sample.FS(), sample.Name, opt) }
