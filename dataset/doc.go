// Package dataset has the manifest of a dataset file.
//
// A [Manifest] lists the sources of a file with their dates and licenses. The method
// Info of a postgeo.DB returns it:
//
//	for _, line := range db.Info().Attributions() {
//		fmt.Println(line)
//	}
//
// Package builder makes files, and package signed publishes and installs them.
package dataset
