//go:build unix

// Package pgserver starts PostgreSQL servers for tests. A server has its
// own folder and listens on a socket in it, not on a port.
package pgserver

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Server is a running PostgreSQL server.
type Server struct {
	t       testing.TB
	bin     string
	folder  string
	options []string
	account *syscall.Credential // user that runs the server; nil: the user of the test
	cmd     *exec.Cmd
	log     *os.File
	done    chan struct{} // closed when the server has ended

	database string
	made     int // databases of Shared
}

// binFolders are the folders that are searched for the programs after the PATH.
var binFolders = []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin"}

// Start starts a server that is stopped when the test ends. The test is skipped
// if PostgreSQL is not installed. It is also skipped for root without a user
// postgres, because the server refuses to run as root. Options are settings; without any
// a commit does not wait for the disk.
func Start(t testing.TB, options ...string) *Server {
	t.Helper()
	s := start(t, options)
	t.Cleanup(s.remove)
	return s
}

// shared is the server of [Shared].
var shared *Server

// Shared returns the server that the tests of a package share, with an empty database for
// the test. It starts the server on the first call. Tests that use it must not run in
// parallel, and TestMain must call [StopShared] at the end.
func Shared(t testing.TB) *Server {
	t.Helper()
	if shared == nil {
		shared = start(t, nil)
	}
	s := shared
	s.t, s.database = t, "postgres"
	conn, err := pgx.Connect(t.Context(), s.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	s.made++
	name := fmt.Sprint("test", s.made)
	if _, err := conn.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	s.database = name
	return s
}

// StopShared stops the shared server.
func StopShared() {
	if shared != nil {
		shared.remove()
	}
}

func start(t testing.TB, options []string) *Server {
	t.Helper()
	if options == nil {
		options = []string{"fsync=off"}
	}
	s := &Server{t: t, bin: findBin(t), options: options, database: "postgres"}
	if os.Getuid() == 0 {
		s.account = postgresUser(t)
	}
	// The path of a socket may have about 100 characters: no t.TempDir here.
	folder, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	s.folder = folder
	if s.account != nil {
		if err := os.Chown(folder, int(s.account.Uid), int(s.account.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	initdb := s.command(t.Context(), "initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	s.Run()
	return s
}

func findBin(t testing.TB) string {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	for _, pattern := range binFolders {
		found, err := filepath.Glob(filepath.Join(pattern, "initdb"))
		if err == nil && len(found) > 0 {
			return filepath.Dir(found[len(found)-1])
		}
	}
	t.Skip("PostgreSQL is not installed (no initdb); on Debian: apt-get install postgresql")
	return ""
}

func postgresUser(t testing.TB) *syscall.Credential {
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Skip("PostgreSQL does not run as root, and there is no user postgres")
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// command returns a command that the server's user runs in a separate process
// group.
func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "HOME="+s.folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.account, Setpgid: true}
	return cmd
}

// Run starts the server again after Kill and waits until it is ready.
func (s *Server) Run() {
	s.t.Helper()
	log, err := os.OpenFile(filepath.Join(s.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		s.t.Fatal(err)
	}
	s.log = log
	args := []string{"-D", s.data(), "-k", s.folder, "-c", "listen_addresses=", "-c", "max_connections=200", "-c", "shared_buffers=64MB"}
	for _, o := range s.options {
		args = append(args, "-c", o)
	}
	s.cmd = s.command(context.Background(), "postgres", args...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
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
		conn, err := pgx.Connect(s.t.Context(), s.Address())
		if err == nil {
			if err := conn.Close(s.t.Context()); err != nil {
				s.t.Fatal(err)
			}
			return
		}
		select {
		case <-done:
			text, _ := os.ReadFile(log.Name())
			s.t.Fatalf("the server ended: %v\n%s", err, text)
		case <-s.t.Context().Done():
			s.t.Fatal(err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Address returns the server's address for its own superuser.
func (s *Server) Address() string {
	return s.AddressAt(s.folder)
}

// AddressAt returns the address through a socket in another folder.
func (s *Server) AddressAt(folder string) string {
	return fmt.Sprintf("postgres:///%s?host=%s&user=postgres", s.database, folder)
}

// Folder returns the folder of the server's socket.
func (s *Server) Folder() string { return s.folder }

// Kill ends the server and its processes at once (SIGKILL), like a crash of the
// machine. Data that the operating system has not yet written survives.
func (s *Server) Kill() {
	s.t.Helper()
	// The processes of connections have separate process groups. A stopped server
	// starts no more of them.
	if err := s.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		s.t.Fatal(err)
	}
	children := childrenOf(s.t, s.cmd.Process.Pid)
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended with its server
	}
	for _, pid := range children { // so that the next server does not wait for them
		for _, alive := parentOf(pid); alive; _, alive = parentOf(pid) {
			time.Sleep(time.Millisecond)
		}
	}
	<-s.done
	if err := s.log.Close(); err != nil {
		s.t.Error(err)
	}
	s.cmd = nil
}

// childrenOf lists the processes that a process has started.
func childrenOf(t testing.TB, pid int) (children []int) {
	t.Helper()
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		child, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			t.Fatal(err)
		}
		if parent, ok := parentOf(child); ok && parent == pid {
			children = append(children, child)
		}
	}
	return children
}

// parentOf returns who started a process; ok is false when it has ended.
func parentOf(pid int) (parent int, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	_, rest, _ := bytes.Cut(text, []byte(") ")) // its name may have anything in it
	fields := strings.Fields(string(rest))
	if len(fields) < 2 || fields[0] == "Z" {
		return 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return parent, err == nil
}

// remove stops the server without waiting for clients and removes its files.
func (s *Server) remove() {
	if s.cmd != nil {
		_ = s.cmd.Process.Signal(os.Interrupt)
		<-s.done
		_ = s.log.Close()
		s.cmd = nil
	}
	if err := os.RemoveAll(s.folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
