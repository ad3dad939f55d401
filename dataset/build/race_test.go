//go:build race

package build_test

// underRace reports whether the race detector watches the tests.
const underRace = true
