//go:build !unix

package builder_test

import "errors"

// confine fails: this system has neither limits of files nor users to become.
func (c childBuild) confine() error {
	if c.Limit > 0 || c.Nobody {
		return errors.New("not on this system")
	}
	return nil
}
