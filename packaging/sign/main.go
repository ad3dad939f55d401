// Sign signs the files of a release, and makes keys.
//
//	sign -new release.key            # and release.key.pub
//	sign -key release.key dist       # SHA256SUMS and the provenance
package main

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/postgeo/postgeo/internal/minisign"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sign:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sign", flag.ContinueOnError)
	fresh := flags.String("new", "", "`FILE` of a key to make, with FILE.pub")
	path := flags.String("key", "", "`FILE` of the secret key of minisign, without a password")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *fresh != "" && flags.NArg() == 0:
		return newKey(*fresh)
	case *path == "" || flags.NArg() != 1:
		return errors.New("usage: sign -key FILE FOLDER, or sign -new FILE")
	}
	text, err := os.ReadFile(*path)
	if err != nil {
		return err
	}
	key, err := minisign.ParseSecretKey(string(text))
	if err != nil {
		return err
	}
	return sign(key, flags.Arg(0), out)
}

// newKey writes a key, which only its owner can read, and its public part.
func newKey(path string) error {
	key, err := minisign.NewKey(rand.Reader)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name, text string
		mode       os.FileMode
	}{{path, key.Text(), 0o600}, {path + ".pub", key.Public().String(), 0o644}} {
		file, err := os.OpenFile(f.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.mode)
		if err != nil {
			return err
		}
		_, err = file.WriteString(f.text)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sign writes the signatures of the files of a folder that list the others.
func sign(key minisign.SecretKey, folder string, out io.Writer) error {
	statements, err := filepath.Glob(filepath.Join(folder, "postgeo_*_provenance.json"))
	if err != nil || len(statements) != 1 {
		return fmt.Errorf("the folder %s has %d files of provenance; expected the output of scripts/release.sh", folder, len(statements))
	}
	version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(statements[0]), "postgeo_"), "_provenance.json")
	for _, path := range []string{filepath.Join(folder, "SHA256SUMS"), statements[0]} {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		// No time: equal files and keys give equal signatures.
		signature, err := key.Sign(file, "postgeo "+version+": "+filepath.Base(path))
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		if err := os.WriteFile(path+minisign.Extension, []byte(signature), 0o644); err != nil {
			return err
		}
		fmt.Fprintln(out, path+minisign.Extension)
	}
	return nil
}
