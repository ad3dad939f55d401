package server_test

import (
	"errors"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// TestGoldenEnrichments checks complete responses with boundary families,
// Medicare and demographics, and their cost.
func TestGoldenEnrichments(t *testing.T) {
	path := lookuptest.Path(t)
	d := lookuptest.OpenFile(t, path)
	path = filepath.Join(t.TempDir(), "roads.db")
	w, err := storewrite.Extend(path, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(addRoads(w), w.Finish(d.Manifest()), d.Close()); err != nil {
		t.Fatal(err)
	}
	db := sampletest.File(t, path)
	zip := func(code, include string) *http.Request { return get("/v2/zip?code=" + code + "&include=" + include) }
	for name, r := range map[string]*http.Request{
		"zip-families":             zip("90210", "census,cd,state-leg,school_district"),
		"zip-families-null":        zip("10001", "state_leg,school_district"),
		"zip-families-point-only":  zip("90209", "census,cd,medicare"),
		"zip-families-coordinates": zip("34.09,-118.41", "cd,school_district"),
		"zip-families-fsa":         zip("K1A", "census,cd,state_leg,school_district,demographics,medicare"),
		"zip-families-postal":      zip("K1A0B1", "census,cd"),
		"zip-legacy":               zip("90210", "demographics,medicare,weather"),
		"zip-batch-families":       post("/v2/zip/batch", `{"codes":["90210","K1A","90209","90210"],"include":["cd","medicare","weather"]}`),

		"geocode-areas":       get("/v2/geocode?address=400+N+Sample+Dr+90210&include=census,cd,state_leg,acs_tract_social"),
		"geocode-batch-areas": post("/v2/geocode/batch", `{"addresses":["400 N Sample Dr 90210","1 Nowhere Ln 90210"],"include":["cd"]}`),
		"reverse-areas":       get("/v2/reverse?point=34.101,-118.4&include=cd"),
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, dump(t, do(newServer(t, db), r)))
		})
	}
}
