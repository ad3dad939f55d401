//go:build !race

package dataset_test

// underRace reports whether the race detector watches the tests.
const underRace = false

// fewMutations is how many damaged files a run of all tests opens.
const fewMutations = 126
