package postgeo

import _ "embed" // the changelog

//go:embed CHANGELOG.md
var changelog string

// Changelog returns what changed for users of this module from version to
// version, as Markdown. A program that does not call it does not carry it.
func Changelog() string { return changelog }
