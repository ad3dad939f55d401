package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// maxConnections is how many connections read at once; further readers wait.
// A point read takes microseconds, so that this many keep a disk busy.
const maxConnections = 32

// A pool hands out connections to the file. They are opened when they are
// first needed and kept until the pool is closed.
type pool struct {
	path, dsn string
	slots     chan struct{} // holds one element for each Connection in use
	stop      chan struct{} // closed by close
	done      func() error  // unregisters the file system; nil: there is none

	mu      sync.Mutex
	idle    []*Connection // the last used is used first: it has warm pages
	inUse   int
	closed  bool
	drained chan struct{} // closed when the last Connection came back after close
}

func newPool(path, dsn string) *pool {
	return &pool{
		path: path, dsn: dsn,
		slots: make(chan struct{}, maxConnections), stop: make(chan struct{}), drained: make(chan struct{}),
	}
}

func (p *pool) closedError() error { return fmt.Errorf("%w: %s", ErrClosed, p.path) }

// usable reports a closed pool.
func (p *pool) usable() error {
	select {
	case <-p.stop:
		return p.closedError()
	default:
		return nil
	}
}

// Use calls f with a Connection, which is f's until it returns.
func (p *pool) Use(ctx context.Context, f func(*Connection) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case p.slots <- struct{}{}:
	case <-p.stop:
		return p.closedError()
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.slots }()
	c, err := p.get()
	if err != nil {
		return err
	}
	defer func() { p.put(c) }()
	err = f(c)
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnreadable) {
		_ = c.close() // it only read, and may keep the damaged page in memory
		c = nil
	}
	return err
}

// scan calls f as use does, with a context that ends when the pool is closed.
func (p *pool) scan(ctx context.Context, f func(context.Context, *Connection) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	finished := make(chan struct{})
	defer close(finished)
	go func() {
		select {
		case <-p.stop:
			cancel(p.closedError())
		case <-finished:
		}
	}()
	err := p.Use(ctx, func(c *Connection) error { return f(ctx, c) })
	if err != nil && errors.Is(context.Cause(ctx), ErrClosed) {
		return context.Cause(ctx)
	}
	return err
}

func (p *pool) get() (*Connection, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, p.closedError()
	}
	p.inUse++
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	c, err := connect(p.path, p.dsn)
	if err != nil {
		p.put(nil)
	}
	return c, err
}

// put takes a Connection back; nil stands for one that could not be opened or
// was closed.
func (p *pool) put(c *Connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inUse--
	if c != nil && p.closed {
		_ = c.close() // it only read: there is nothing to lose
	} else if c != nil {
		p.idle = append(p.idle, c)
	}
	if p.closed && p.inUse == 0 {
		close(p.drained)
	}
}

// close waits for the readers and closes all connections. A second close does
// nothing.
func (p *pool) close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	close(p.stop)
	var errs []error
	for _, c := range p.idle {
		errs = append(errs, c.close())
	}
	p.idle = nil
	busy := p.inUse > 0
	p.mu.Unlock()
	if busy {
		<-p.drained
	}
	if p.done != nil {
		errs = append(errs, p.done())
	}
	return errors.Join(errs...)
}
