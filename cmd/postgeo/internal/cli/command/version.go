package command

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"aead.dev/minisign"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
)

type versionOptions struct {
	Verify string   `help:"Check this program, and the files, against the signed provenance of a release, with its signature FILE.minisig." placeholder:"FILE" type:"path"`
	Key    string   `help:"With --verify: public key of the release, as a file or its base64 text." placeholder:"KEY"`
	Files  []string `arg:"" optional:"" name:"file" help:"With --verify: archives and packages of the release."`
	Format
}

// VersionCommand returns "version".
func VersionCommand() *Command {
	return New(Spec[versionOptions, Version]{
		Name: "version", Group: program, Short: "Show the version of the program.",
		Examples: Examples(
			"postgeo version", "with the commit and the platform",
			"postgeo version --verify postgeo_0.1.0_provenance.json --key postgeo.pub", "whether it is the program of the release",
		),
		Check: func(o *versionOptions, _ *Env) error {
			if (o.Verify == "") != (o.Key == "") || o.Verify == "" && len(o.Files) > 0 {
				return Usage(message.VerifyNeedsKey)
			}
			return nil
		},
		Run: func(o *versionOptions, _ *Call) (Result, error) {
			v := ReadVersion()
			if o.Verify != "" {
				var err error
				if v.Verified, err = o.verify(); err != nil {
					return Result{}, Failure(message.NotVerified, err)
				}
			}
			return Row(v)
		},
	})
}

// A Verified describes the release that contains the program and the files.
type Verified struct {
	Key     string   `json:"key"`     // number of the key
	Release string   `json:"release"` // e.g. "v0.1.0"
	Commit  string   `json:"commit"`
	Files   []string `json:"files"` // names in the release, the program's first
}

// provenance has the fields of an in-toto statement that are read.
type provenance struct {
	Subject []struct {
		Name   string `json:"name"`
		Digest struct {
			SHA256 string `json:"sha256"`
		} `json:"digest"`
	} `json:"subject"`
	Predicate struct {
		BuildDefinition struct {
			ExternalParameters struct {
				Version string `json:"version"`
			} `json:"externalParameters"`
			ResolvedDependencies []struct {
				Digest struct {
					GitCommit string `json:"gitCommit"`
				} `json:"digest"`
			} `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
	} `json:"predicate"`
}

func (o *versionOptions) verify() (*Verified, error) {
	key, err := readKey(o.Key)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(o.Verify)
	if err != nil {
		return nil, err
	}
	signature, err := os.ReadFile(o.Verify + ".minisig")
	if err != nil {
		return nil, err
	}
	if err := checkSignature(key, data, signature); err != nil {
		return nil, fmt.Errorf("%s: %w", o.Verify, err)
	}
	var p provenance
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("%s: %w", o.Verify, err)
	}
	d := &p.Predicate.BuildDefinition
	v := &Verified{Key: fmt.Sprintf("%016X", key.ID()), Release: d.ExternalParameters.Version}
	if len(d.ResolvedDependencies) > 0 {
		v.Commit = d.ResolvedDependencies[0].Digest.GitCommit
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for _, path := range append([]string{self}, o.Files...) {
		name, err := p.nameOf(path)
		if err != nil {
			return nil, err
		}
		v.Files = append(v.Files, name)
	}
	return v, nil
}

// readKey reads a public key, as the base64 text or a file.
func readKey(text string) (key minisign.PublicKey, err error) {
	if key.UnmarshalText([]byte(text)) == nil {
		return key, nil
	}
	data, err := os.ReadFile(text)
	if err != nil {
		return key, err
	}
	if err := key.UnmarshalText(data); err != nil {
		return key, fmt.Errorf("%s: %w", text, err)
	}
	return key, nil
}

func checkSignature(key minisign.PublicKey, data, signature []byte) error {
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		return err
	}
	if s.KeyID != key.ID() {
		return fmt.Errorf(message.OtherKey, s.KeyID, key.ID())
	}
	if !minisign.Verify(key, data, signature) {
		return errors.New(message.NotAsSigned)
	}
	return nil
}

// nameOf returns the name of a file in the release.
func (p *provenance) nameOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, file)
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	sum := hex.EncodeToString(h.Sum(nil))
	for _, s := range p.Subject {
		if s.Digest.SHA256 == sum {
			return s.Name, nil
		}
	}
	return "", fmt.Errorf(message.NotInRelease, filepath.Base(path), sum)
}
