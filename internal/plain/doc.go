// Package plain makes text safe to show. Names in datasets, arguments and file
// names may contain characters that control a terminal, reorder a line or are
// invisible. Others are markup in Markdown or a formula in a spreadsheet.
//
// # Usage
//
// A [Writer] around standard output and standard error escapes every hidden
// character. [Line] and [Linef] also keep a text on one line. [Markdown] and
// [Formula] are for cells of tables.
//
// # Hidden characters
//
// Hidden characters are the control characters C0, DEL and C1, and the line and
// paragraph separators. Tab, line feed and the carriage return before one are
// not hidden. The format characters and default ignorable ones of Unicode are
// hidden, too: marks of direction, zero-width characters, tags. They are escaped
// as in JSON, \u001b, so JSON keeps its values. Invalid UTF-8 becomes U+FFFD.
// Joiners in emoji and in scripts that need them, and single variation
// selectors, are kept.
package plain
