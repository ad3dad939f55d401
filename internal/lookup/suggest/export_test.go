package suggest

// LookThrough makes the engine scan every span key by key and count its
// matches, as a reference for the shortcuts.
func (e *Engine) LookThrough() {
	e.many = 1 << 30
	e.totals = nil
}

// Beginning returns the number of the first key from the start of a name that
// begins with q, and that behind the last.
func (e *Engine) Beginning(q string) (lo, hi int) {
	in := e.starts.prefix([]byte(q))
	return in.lo, in.hi
}

// Shortcut makes the engine take the ways around looking through a span for
// spans of any size.
func (e *Engine) Shortcut() { e.many = 0 }
