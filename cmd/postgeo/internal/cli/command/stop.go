package command

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// UntilStopped returns a context that ends with SIGINT or SIGTERM, for a command
// that has to clean up. A second signal ends the process.
func UntilStopped(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// A stoppable reads a stream that may block, and ends with a context.
type stoppable struct {
	done   <-chan struct{}
	cause  func() error
	pieces chan piece
	free   chan []byte // one is read while the other is used
	last   piece
	have   []byte // the rest of last
}

type piece struct {
	text []byte
	err  error
}

// Stoppable returns a reader of a stream that ends with the context.
func Stoppable(ctx context.Context, in io.Reader) io.Reader {
	const size, buffers = 1 << 18, 2
	s := &stoppable{done: ctx.Done(), cause: ctx.Err, pieces: make(chan piece), free: make(chan []byte, buffers)}
	for range buffers {
		s.free <- make([]byte, size)
	}
	go s.read(in)
	return s
}

// read ends with the stream, or with the first piece after the context's end. It
// may block in a read of the stream forever.
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

// Read returns the next bytes, or the context's error after its end.
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

// openPipe opens a named pipe, which waits for a writer, or a device.
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
