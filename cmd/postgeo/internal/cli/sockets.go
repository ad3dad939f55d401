package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// passed is how --listen names a socket that the service manager has opened
// (sd_listen_fds(3)): "systemd" is the first, "systemd:NAME" the one of that
// FileDescriptorName.
const passed = "systemd"

// isPassed reports whether an address is a socket that the service manager has
// opened.
func isPassed(address string) bool {
	name, ok := strings.CutPrefix(address, passed)
	return ok && (name == "" || len(name) > 1 && name[0] == ':')
}

// firstPassed is the first file descriptor that is passed.
const firstPassed = 3

// listen opens an address, or takes the socket that was passed for it. flag is
// what named it.
func listen(ctx context.Context, env *Env, flag, address string) (net.Listener, error) {
	if isPassed(address) {
		l, err := passedSocket(env, address)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", flag, address, err)
		}
		return l, nil
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	_, port, _ := net.SplitHostPort(address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s %s: another program listens there already, maybe a postgeo that still runs; stop it ('lsof -i :%s' or 'ss -ltnp' name it), or choose another address", flag, address, port)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s %s: this user may not listen there; choose a port from 1024 up, or have the service manager open the socket (%s %s)", flag, address, flag, passed)
	case err != nil:
		return nil, fmt.Errorf("%s: %w; choose another address", flag, err)
	}
	return l, nil
}

// countPassed returns how many sockets were passed to this process.
func countPassed(env *Env) int {
	n, err := strconv.Atoi(env.Getenv("LISTEN_FDS"))
	if err != nil || n < 1 || env.Getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return 0
	}
	return n
}

// indexPassed returns which of the sockets that were passed an address is.
func indexPassed(env *Env, address string) (int, error) {
	n := countPassed(env)
	if n == 0 {
		return 0, errors.New("no socket was passed to this process (LISTEN_FDS, LISTEN_PID); start it by a socket unit, or give HOST:PORT")
	}
	_, name, named := strings.Cut(address, ":")
	if !named {
		return 0, nil
	}
	names := strings.Split(env.Getenv("LISTEN_FDNAMES"), ":")
	index := slices.Index(names, name)
	if index < 0 || index >= n {
		return 0, fmt.Errorf("no socket with that FileDescriptorName was passed, but %d named %q", n, names)
	}
	return index, nil
}

// checkPassed refuses two addresses that are the same of the sockets that were
// passed, and warns of sockets at which nobody will answer.
func checkPassed(env *Env, public, private string) error {
	taken := map[int]bool{}
	for _, address := range []string{public, private} {
		if !isPassed(address) {
			continue
		}
		index, err := indexPassed(env, address)
		if err != nil {
			continue // whoever opens it says so
		}
		if taken[index] {
			return wrongUse("--listen %s and --private-listen %s are the same socket; name another FileDescriptorName, or give --private-listen none", public, private)
		}
		taken[index] = true
	}
	if n := countPassed(env); n > len(taken) {
		env.tell(slog.LevelWarn, fmt.Sprintf("%d sockets were passed to this process, of which %d are used; callers of the others wait in vain: "+
			"--listen and --private-listen take one each", n, len(taken)))
	}
	return nil
}

// passedSocket returns the socket that was passed for an address.
func passedSocket(env *Env, address string) (net.Listener, error) {
	index, err := indexPassed(env, address)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(firstPassed+index), address)
	defer file.Close() // FileListener has its own
	l, err := net.FileListener(file)
	if err != nil {
		return nil, fmt.Errorf("what was passed is no socket that listens: %w", err)
	}
	if _, ok := l.Addr().(*net.TCPAddr); !ok {
		return nil, errors.Join(fmt.Errorf("the socket that was passed is of %s; expected TCP (ListenStream=HOST:PORT)", l.Addr().Network()), l.Close())
	}
	return l, nil
}
