package cli

import (
	"context"
	"errors"
	"fmt"
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
		l, err := passedSocket(env, strings.TrimPrefix(strings.TrimPrefix(address, passed), ":"))
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

// passedSocket returns the socket of a name that was passed; "" is the first.
func passedSocket(env *Env, name string) (net.Listener, error) {
	n, err := strconv.Atoi(env.Getenv("LISTEN_FDS"))
	if err != nil || n < 1 || env.Getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return nil, errors.New("no socket was passed to this process (LISTEN_FDS, LISTEN_PID); start it by a socket unit, or give HOST:PORT")
	}
	index := 0
	if name != "" {
		names := strings.Split(env.Getenv("LISTEN_FDNAMES"), ":")
		if index = slices.Index(names, name); index < 0 || index >= n {
			return nil, fmt.Errorf("no socket with that FileDescriptorName was passed, but %s", strings.Join(names, ", "))
		}
	}
	file := os.NewFile(uintptr(firstPassed+index), "socket "+name)
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
