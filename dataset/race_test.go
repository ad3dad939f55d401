//go:build race

package dataset_test

// underRace reports whether the race detector watches the tests.
const underRace = true

// fewMutations is how many damaged files a run of all tests opens; under the
// race detector each takes ten times as long.
const fewMutations = 42
