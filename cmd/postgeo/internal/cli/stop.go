package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// untilStopped returns a context that ends when the process is told to stop
// (SIGINT, SIGTERM), for a command that has something to clear up. A second
// signal ends the process as if nobody listened.
func untilStopped(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// A stoppable reads a stream that may have nothing to give for long, and ends
// with a context although a read of the stream cannot.
type stoppable struct {
	done   <-chan struct{}
	cause  func() error
	pieces chan piece
	free   chan []byte // goes back and forth, so that one is read while the other is used
	last   piece
	have   []byte // what is left of last
}

type piece struct {
	text []byte
	err  error
}

// newStoppable begins to read.
func newStoppable(ctx context.Context, in io.Reader) io.Reader {
	const size, buffers = 1 << 18, 2
	s := &stoppable{done: ctx.Done(), cause: ctx.Err, pieces: make(chan piece), free: make(chan []byte, buffers)}
	for range buffers {
		s.free <- make([]byte, size)
	}
	go s.read(in)
	return s
}

// read ends with the stream, or at the first piece that nobody wants. It may
// stay in a read of the stream for good.
func (s *stoppable) read(in io.Reader) {
	for buf := range s.free {
		n, err := in.Read(buf)
		select {
		case s.pieces <- piece{buf[:n], err}:
		case <-s.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// Read returns what has come, or the context's error once that is done.
func (s *stoppable) Read(p []byte) (int, error) {
	for len(s.have) == 0 {
		if s.last.err != nil {
			return 0, s.last.err
		}
		if s.last.text != nil {
			s.free <- s.last.text[:cap(s.last.text)]
			s.last = piece{}
		}
		select {
		case s.last = <-s.pieces:
			s.have = s.last.text
		case <-s.done:
			return 0, s.cause()
		}
	}
	n := copy(p, s.have)
	s.have = s.have[n:]
	return n, nil
}

// openPipe opens a named pipe, which waits for somebody who writes to it, or
// another thing that is no file.
func openPipe(ctx context.Context, path string) (io.Reader, error) {
	type opened struct {
		file *os.File
		err  error
	}
	ready := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		ready <- opened{f, err}
	}()
	select {
	case o := <-ready:
		return o.file, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
