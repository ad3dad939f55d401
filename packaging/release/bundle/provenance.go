package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"runtime"
	"strings"
)

// A statement is an in-toto statement, version 1, with a predicate of SLSA
// provenance, version 1.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []subject  `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     provenance `json:"predicate"`
}

// A subject is a file of the release, or a program in an archive.
type subject struct {
	Name   string `json:"name"`
	Digest digest `json:"digest"`
}

type digest struct {
	SHA256    string `json:"sha256,omitempty"`
	GitCommit string `json:"gitCommit,omitempty"`
}

type provenance struct {
	BuildDefinition struct {
		BuildType            string     `json:"buildType"`
		ExternalParameters   parameters `json:"externalParameters"`
		ResolvedDependencies []source   `json:"resolvedDependencies"`
	} `json:"buildDefinition"`
	RunDetails struct {
		Builder struct {
			ID      string            `json:"id"`
			Version map[string]string `json:"version"`
		} `json:"builder"`
	} `json:"runDetails"`
}

type parameters struct {
	Version string   `json:"version"`
	Date    int64    `json:"date"`
	Targets []string `json:"targets"`
}

type source struct {
	URI    string `json:"uri"`
	Digest digest `json:"digest"`
}

// hexSum returns the SHA-256 of data.
func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// provenance writes the statement of how the files of the release were built. It
// depends on the release only: a second build has the same bytes.
func (r *release) provenance() error {
	s := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	s.Subject = append(r.sorted(), r.programs...)
	d := &s.Predicate.BuildDefinition
	d.BuildType = "https://" + self + "/blob/main/docs/releasing.md"
	d.ExternalParameters = parameters{Version: r.version, Date: r.date.Unix()}
	for _, t := range r.targets {
		d.ExternalParameters.Targets = append(d.ExternalParameters.Targets, t.String())
	}
	d.ResolvedDependencies = []source{{"git+https://" + self + "@refs/tags/" + r.version, digest{GitCommit: r.revision}}}
	s.Predicate.RunDetails.Builder.ID = "https://" + self + "/blob/main/scripts/release.sh"
	s.Predicate.RunDetails.Builder.Version = map[string]string{"go": runtime.Version()}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return r.write("postgeo_"+strings.TrimPrefix(r.version, "v")+"_provenance.json", append(data, '\n'))
}
