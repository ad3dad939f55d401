package postgeo

import "github.com/postgeo/postgeo/internal/sample"

// OpenSample opens the embedded sample dataset: about 400 ZIP
// Codes and 70 FSAs from public sources. The linker omits the file from
// programs that do not call it.
func OpenSample(opt ...OpenOptions) (*DB, error) {
	return OpenFS(sample.FS(), sample.Name, opt...)
}
