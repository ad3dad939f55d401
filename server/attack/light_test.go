package attack_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// A feel is how the server felt to a light caller.
type feel struct {
	requests, unavailable, failed int
	took                          []time.Duration
}

// add takes in what another measurement found.
func (f *feel) add(other *feel) {
	f.requests += other.requests
	f.unavailable += other.unavailable
	f.failed += other.failed
	f.took = append(f.took, other.took...)
}

func (f *feel) percentile(p int) time.Duration {
	if len(f.took) == 0 {
		return 0
	}
	slices.Sort(f.took)
	return f.took[min(len(f.took)*p/100, len(f.took)-1)]
}

func (f *feel) String() string {
	ms := func(d time.Duration) string { return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 2, 64) }
	return fmt.Sprintf("p50 %s ms, p99 %s ms, %d × 503, %d other failures of %d", ms(f.percentile(50)), ms(f.percentile(99)), f.unavailable, f.failed, f.requests)
}

// A victim is an honest caller: it sends a request in each interval, over connections
// in turn. A connection that still waits for an answer then misses its turn.
type victim struct {
	name        string
	path        string
	connections int
	every       time.Duration
}

// victims look codes up, and search near one. The last ones wait for turns.
var victims = []victim{
	{"lookups", lightLookup, 1, 2 * time.Millisecond},
	{"lookups, 4 connections", lightLookup, 4, 2 * time.Millisecond},
	{"searches of 25 miles", nearSearch, 1, 25 * time.Millisecond},
}

// feel sends the requests of a victim for a while.
func (s *target) feel(t testing.TB, v victim, span time.Duration) *feel {
	t.Helper()
	var f feel
	var mu sync.Mutex
	var wg sync.WaitGroup
	began := time.Now()
	for n := range v.connections {
		wg.Go(func() {
			c, keys := &lightClient{address: s.address, path: v.path}, s.customers[light].keys
			defer c.close()
			for i := n; ; i += v.connections {
				due := began.Add(time.Duration(i) * v.every)
				if due.Sub(began) > span {
					return
				}
				if time.Since(due) > v.every {
					continue
				}
				time.Sleep(time.Until(due))
				sent := time.Now()
				status, err := c.request(keys[i%len(keys)])
				took := time.Since(sent)
				mu.Lock()
				f.requests++
				f.took = append(f.took, took)
				switch {
				case status == http.StatusServiceUnavailable:
					f.unavailable++
				case err != nil || status != http.StatusOK:
					f.failed++
				}
				mu.Unlock()
				if err != nil {
					t.Errorf("light caller: %v", err)
				}
			}
		})
	}
	wg.Wait()
	return &f
}

// A lightClient sends requests over one connection with little work.
type lightClient struct {
	address string
	path    string
	conn    net.Conn
	r       *bufio.Reader
}

func (c *lightClient) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

// request sends one request and reads the answer. It gives up after ten seconds.
func (c *lightClient) request(key string) (status int, err error) {
	if c.conn == nil {
		if c.conn, err = net.Dial("tcp", c.address); err != nil {
			return 0, err
		}
		c.r = bufio.NewReaderSize(c.conn, 8<<10)
	}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if err := c.conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return 0, err
	}
	if _, err := io.WriteString(c.conn, "GET "+c.path+" HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nX-Api-Key: "+key+"\r\n\r\n"); err != nil {
		return 0, err
	}
	length := -1
	for line := []byte("-"); len(line) > 0; {
		if line, err = c.r.ReadSlice('\n'); err != nil {
			return status, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if status == 0 {
			if len(line) < 12 {
				return 0, fmt.Errorf("status line %q", line)
			}
			status, err = strconv.Atoi(string(line[9:12]))
		} else if v, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, err = strconv.Atoi(string(v))
		}
		if err != nil {
			return status, err
		}
	}
	if length < 0 {
		return status, errors.New("no Content-Length")
	}
	_, err = c.r.Discard(length)
	return status, err
}
