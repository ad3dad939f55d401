// Command pull measures the first lookup on an empty machine over a slow link, and pulls
// over a fast one. It publishes datasets to a folder and serves it in
// this process. It is started by run.sh.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
)

func main() {
	postgeo := flag.String("program", "postgeo", "command to measure")
	mirror := flag.String("mirror", filepath.Join("..", "shared", "data", "mirror"), "folder with the publishers' `files` under their addresses")
	count := flag.Int("count", 5, "runs of each measurement")
	program.Main("pull", func(ctx context.Context, dir string) error { return run(ctx, dir, *postgeo, *mirror, *count) })
}

func run(ctx context.Context, dir, postgeo, mirror string, count int) error {
	site, key := filepath.Join(dir, "site"), filepath.Join(dir, "channel.key")
	free, err := publishable(mirror, filepath.Join(dir, "mirror"))
	if err != nil {
		return err
	}
	var files []string
	for _, layers := range []string{"identity", "all"} {
		file := filepath.Join(dir, layers+".db")
		if _, err := program.Run(ctx, nil, postgeo, "dataset", "build", "--mirror", free, "--offline", "--layers", layers, "-o", file); err != nil {
			return err
		}
		files = append(files, file)
	}
	if _, err := program.Run(ctx, nil, postgeo, "dataset", "key", "new", "-o", key); err != nil {
		return err
	}
	if _, err := program.Run(ctx, nil, append([]string{postgeo, "dataset", "publish", "--key", key, "--to", site}, files...)...); err != nil {
		return err
	}
	table := results.Table{Title: "pull", Columns: []string{"command on an empty machine", "link", "time", "received", "memory"}}
	const slow = 10e6 / 8 // bytes per second
	for _, m := range []struct {
		args    []string
		link    string
		rate    float64
		latency time.Duration
	}{
		{[]string{"lookup", "90210", "--pull"}, "10 Mbit/s, 50 ms", slow, 50 * time.Millisecond},
		{[]string{"dataset", "pull", "--layers", "identity"}, "loopback", 0, 0},
		{[]string{"dataset", "pull"}, "loopback", 0, 0},
	} {
		var times, memory, received []float64
		for i := range count {
			l, err := listen(m.rate, m.latency)
			if err != nil {
				return err
			}
			server := &http.Server{Handler: http.FileServer(http.Dir(site)), ReadHeaderTimeout: time.Minute}
			go func() { _ = server.Serve(l) }() // until it is closed
			home := filepath.Join(dir, fmt.Sprintf("home%d", i))
			usage, err := program.Run(ctx, []string{
				"POSTGEO_CHANNEL=http://" + l.Addr().String(), "POSTGEO_TRUST=" + key + ".pub", "HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CACHE_HOME=" + home,
			}, append([]string{postgeo}, m.args...)...)
			if err := errors.Join(err, server.Close(), os.RemoveAll(home)); err != nil {
				return err
			}
			times, memory, received = append(times, float64(usage.Time)), append(memory, float64(usage.Memory)), append(received, float64(l.sent.Load()))
		}
		table.Add("`postgeo "+strings.Join(m.args, " ")+"`", m.link, results.Duration(results.Median(times)), results.Megabytes(results.Median(received)), results.Megabytes(results.Median(memory)))
	}
	table.Print(os.Stdout)
	return nil
}

// publishable links the publishers of a mirror whose licenses allow a channel.
func publishable(mirror, dir string) (string, error) {
	const licensed = "www.unitedstateszipcodes.org"
	entries, err := os.ReadDir(mirror)
	if err != nil {
		return "", err
	}
	mirror, err = filepath.Abs(mirror)
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	for _, e := range entries {
		if err == nil && e.Name() != licensed {
			err = os.Symlink(filepath.Join(mirror, e.Name()), filepath.Join(dir, e.Name()))
		}
	}
	return dir, err
}

// A link is a listener whose connections share a rate, and wait for a round trip
// before they open and before each response.
type link struct {
	net.Listener
	rate    float64 // bytes per second; 0 for no limit
	latency time.Duration
	sent    atomic.Int64
	free    chan time.Time // the time at which all earlier bytes are sent
}

func listen(rate float64, latency time.Duration) (*link, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	slow := &link{Listener: l, rate: rate, latency: latency, free: make(chan time.Time, 1)}
	slow.free <- time.Time{}
	return slow, nil
}

// Accept waits for a connection.
func (l *link) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	opened := &conn{Conn: c, link: l}
	time.Sleep(l.latency)
	return opened, nil
}

type conn struct {
	net.Conn
	link  *link
	heard atomic.Int64 // when the last bytes of the client arrived, in nanoseconds
}

// Read notes the time of a request.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.heard.Store(time.Now().UnixNano())
	return n, err
}

// Write sends in pieces, each after those of other connections.
func (c *conn) Write(p []byte) (int, error) {
	const piece = 16 << 10
	if c.link.rate == 0 {
		c.link.sent.Add(int64(len(p)))
		return c.Conn.Write(p)
	}
	time.Sleep(time.Until(time.Unix(0, c.heard.Load()).Add(c.link.latency)))
	for sent := 0; sent < len(p); {
		part := p[sent:min(sent+piece, len(p))]
		free := <-c.link.free
		if now := time.Now(); free.Before(now) {
			free = now
		}
		free = free.Add(time.Duration(float64(len(part)) / c.link.rate * float64(time.Second)))
		c.link.free <- free
		time.Sleep(time.Until(free))
		n, err := c.Conn.Write(part)
		sent += n
		c.link.sent.Add(int64(n))
		if err != nil {
			return sent, err
		}
	}
	return len(p), nil
}
