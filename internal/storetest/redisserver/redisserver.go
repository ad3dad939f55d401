// Package redisserver starts Redis or Valkey servers for tests. A server saves
// nothing to the disk and listens on a socket in its folder, not on a port.
package redisserver

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A Server is a running Redis server.
type Server struct {
	t      testing.TB
	bin    string
	folder string
	cmd    *exec.Cmd
	done   chan struct{} // closed when the server has ended
}

// Start starts a server that is stopped when the test ends. The test is skipped if
// neither Redis nor Valkey is installed.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t}
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			s.bin = path
			break
		}
	}
	if s.bin == "" {
		t.Skip("neither Redis nor Valkey is installed; on Debian: apt-get install redis-server")
	}
	// The path of a socket may have about 100 characters: no t.TempDir here.
	folder, err := os.MkdirTemp("", "rd")
	if err != nil {
		t.Fatal(err)
	}
	s.folder = folder
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	s.Run()
	t.Cleanup(s.Kill)
	return s
}

func (s *Server) socket() string { return filepath.Join(s.folder, "socket") }

// Run starts the server, empty, after Kill and waits until it is ready.
func (s *Server) Run() {
	s.t.Helper()
	s.cmd = exec.Command(s.bin, "--port", "0", "--unixsocket", s.socket(), "--save", "", "--appendonly", "no", "--dir", s.folder, "--daemonize", "no")
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		_ = s.cmd.Wait() // it is stopped by a signal
	}()
	for {
		conn, err := net.Dial("unix", s.socket())
		if err == nil {
			conn.Close()
			return
		}
		select {
		case <-done:
			s.t.Fatalf("%s ended: %v", s.bin, err)
		case <-s.t.Context().Done():
			s.t.Fatal(err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// URL returns the server's address.
func (s *Server) URL() string { return "unix://" + s.socket() }

// Kill ends the server at once, without saving its data.
func (s *Server) Kill() {
	s.t.Helper()
	if s.cmd == nil {
		return
	}
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Error(err)
	}
	<-s.done
	s.cmd = nil
	if err := os.Remove(s.socket()); err != nil && !os.IsNotExist(err) {
		s.t.Error(err)
	}
}
