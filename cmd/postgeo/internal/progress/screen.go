package progress

import (
	"fmt"
	"io"

	"github.com/postgeo/postgeo/internal/plain"
)

// A screen shows a status: on a terminal as a line that changes, else as lines.
type screen struct {
	w        io.Writer
	terminal bool
	drawn    bool // the terminal shows a status
}

func newScreen(w io.Writer, terminal bool) screen {
	if terminal {
		w = plain.Raw(w) // drawn with control characters
	}
	return screen{w: w, terminal: terminal}
}

// draw shows a status.
func (s *screen) draw(text string) {
	if !s.terminal {
		_ = plain.Linef(s.w, "%s", text)
		return
	}
	s.drawn = true
	fmt.Fprintf(s.w, "\r\x1b[K%s", plain.Line(text))
}

// clear removes the status from a terminal.
func (s *screen) clear() {
	if s.drawn {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.drawn = false
	}
}

// keep leaves the status on a terminal and continues below it.
func (s *screen) keep() {
	if s.drawn {
		fmt.Fprintln(s.w)
		s.drawn = false
	}
}
