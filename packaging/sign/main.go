// Sign signs the files of a release, and makes keys.
//
//	sign -new release.key            # and release.key.pub
//	sign -key release.key dist       # SHA256SUMS and the provenance
package main

import (
	"bytes"
	"encoding"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"aead.dev/minisign"
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
	key, err := readKey(*path)
	if err != nil {
		return err
	}
	return sign(key, flags.Arg(0), out)
}

func readKey(path string) (key minisign.PrivateKey, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return key, err
	}
	if minisign.IsEncrypted(text) {
		return key, fmt.Errorf("the key %s has a password; sign with the program minisign (minisign -Sm FILE)", path)
	}
	if err := key.UnmarshalText(text); err != nil {
		return key, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// newKey writes a key, which only its owner can read, and its public part.
func newKey(path string) error {
	public, key, err := minisign.GenerateKey(nil)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		key  encoding.TextMarshaler
		mode os.FileMode
	}{{path, key, 0o600}, {path + ".pub", public, 0o644}} {
		text, err := f.key.MarshalText()
		if err != nil {
			return err
		}
		file, err := os.OpenFile(f.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.mode)
		if err != nil {
			return err
		}
		_, err = file.Write(append(text, '\n'))
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sign writes the signatures of the files of a folder that list the others.
func sign(key minisign.PrivateKey, folder string, out io.Writer) error {
	statements, err := filepath.Glob(filepath.Join(folder, "postgeo_*_provenance.json"))
	if err != nil || len(statements) != 1 {
		return fmt.Errorf("the folder %s has %d files of provenance; expected the output of scripts/release.sh", folder, len(statements))
	}
	version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(statements[0]), "postgeo_"), "_provenance.json")
	for _, path := range []string{filepath.Join(folder, "SHA256SUMS"), statements[0]} {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		reader := minisign.NewReader(bytes.NewReader(text)) // of the digest, as the program minisign signs
		if _, err := io.Copy(io.Discard, reader); err != nil {
			return err
		}
		// No time: equal files and keys give equal signatures.
		signature := reader.SignWithComments(key, "postgeo "+version+": "+filepath.Base(path), "signature from minisign secret key")
		if !minisign.Verify(key.Public().(minisign.PublicKey), text, signature) {
			return errors.New("the key is damaged: its signature does not verify")
		}
		if err := os.WriteFile(path+".minisig", signature, 0o644); err != nil {
			return err
		}
		fmt.Fprintln(out, path+".minisig")
	}
	return nil
}
