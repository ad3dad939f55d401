// Package progress shows the progress of builds and tables on standard error:
// as a line that changes on a terminal, as lines elsewhere.
package progress
