package suggest

// LookThrough makes the engine look through every span key by key, and count
// what it finds there anew, as a measure for the ways around that.
func (e *Engine) LookThrough() {
	e.many = 1 << 30
	e.totals = nil
}

// Shortcut makes the engine take the ways around looking through a span for
// spans of any size.
func (e *Engine) Shortcut() { e.many = 0 }
