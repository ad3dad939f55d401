// Package userdata finds the dataset file of a program.
package userdata

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// File is the name of the dataset in the folder of [Dir].
const File = "postgeo.db"

// Dir returns the folder for the datasets of a user with the home folder,
// or "" if the system has none. It follows the XDG base directory specification
// on Linux and other Unixes, and the platform's conventions on macOS ("darwin")
// and Windows. The value of goos is a [runtime.GOOS]; getenv is like
// [os.Getenv].
func Dir(goos, home string, getenv func(string) string) string {
	if goos == "windows" {
		if dir := getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "postgeo")
		}
		return ""
	}
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "postgeo")
	}
	switch {
	case home == "":
		return ""
	case goos == "darwin":
		return filepath.Join(home, "Library", "Application Support", "postgeo")
	default:
		return filepath.Join(home, ".local", "share", "postgeo")
	}
}

// OwnDir returns [Dir] of this process.
func OwnDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return Dir(runtime.GOOS, home, os.Getenv)
}

// Choose returns the dataset file of a program: the named one, else that of the
// environment variable POSTGEO_DATA. If neither is set, it returns the file in
// the folder userDir, if it exists. "" means the embedded sample.
func Choose(named string, getenv func(string) string, userDir string) (string, error) {
	if named != "" {
		return named, nil
	}
	if path := getenv("POSTGEO_DATA"); path != "" {
		return path, nil
	}
	if userDir == "" {
		return "", nil
	}
	path := filepath.Join(userDir, File)
	_, err := os.Stat(path)
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	default:
		return "", fmt.Errorf("look for the user's dataset: %w; name a dataset with --data", err)
	}
}
