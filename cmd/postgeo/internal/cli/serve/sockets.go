package serve

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

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

// passed is the address of a socket of the service manager (sd_listen_fds(3)):
// "systemd" is the first, "systemd:NAME" the one with this FileDescriptorName.
const passed = "systemd"

func isPassed(address string) bool {
	name, ok := strings.CutPrefix(address, passed)
	return ok && (name == "" || len(name) > 1 && name[0] == ':')
}

// firstPassed is the first file descriptor that is passed.
const firstPassed = 3

// listen opens an address, or takes the socket that was passed for it. flag is
// its flag.
func listen(ctx context.Context, env *command.Env, flag, address string) (net.Listener, error) {
	if isPassed(address) {
		l, err := passedSocket(env, address)
		if err != nil {
			return nil, command.Failure(`%s %s: %w`, flag, address, err)
		}
		return l, nil
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	_, port, _ := net.SplitHostPort(address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, command.Failure(`%s %s: the port is in use; stop that program ('lsof -i :%s' or 'ss -ltnp' shows it), or choose another address`, flag, address, port)
	case errors.Is(err, syscall.EACCES):
		return nil, command.Failure(`%s %s: permission denied; choose a port from 1024 up, or a socket of the service manager (%s %s)`, flag, address, flag, passed)
	case err != nil:
		return nil, command.Failure(`%s: %w; choose another address`, flag, err)
	}
	return l, nil
}

// notifyReady reports to the service manager that the server listens, if it requests
// that with $NOTIFY_SOCKET as systemd does.
func notifyReady(ctx context.Context, env *command.Env) error {
	address := env.Getenv("NOTIFY_SOCKET")
	if address == "" {
		return nil
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "unixgram", address)
	if err != nil {
		return err
	}
	_, err = c.Write([]byte("READY=1"))
	return errors.Join(err, c.Close())
}

// countPassed returns how many sockets were passed to this process.
func countPassed(env *command.Env) int {
	n, err := strconv.Atoi(env.Getenv("LISTEN_FDS"))
	if err != nil || n < 1 || env.Getenv("LISTEN_PID") != strconv.Itoa(os.Getpid()) {
		return 0
	}
	return n
}

func indexPassed(env *command.Env, address string) (int, error) {
	n := countPassed(env)
	if n == 0 {
		return 0, command.Failure(`no socket was passed to this process (LISTEN_FDS, LISTEN_PID); start it with a socket unit, or use HOST:PORT`)
	}
	_, name, named := strings.Cut(address, ":")
	if !named {
		return 0, nil
	}
	names := strings.Split(env.Getenv("LISTEN_FDNAMES"), ":")
	index := slices.Index(names, name)
	if index < 0 || index >= n {
		return 0, command.Failure(`no socket with this FileDescriptorName was passed; %d have the names %q`, n, names)
	}
	return index, nil
}

// checkPassed refuses two addresses of the same socket, and warns of unused
// sockets.
func checkPassed(env *command.Env, public, private string) error {
	taken := map[int]bool{}
	for _, address := range []string{public, private} {
		if !isPassed(address) {
			continue
		}
		index, err := indexPassed(env, address)
		if err != nil {
			continue // listen reports it
		}
		if taken[index] {
			return command.Usage(`--listen %s and --private-listen %s are the same socket; use another FileDescriptorName, or --private-listen none`, public, private)
		}
		taken[index] = true
	}
	if n := countPassed(env); n > len(taken) {
		env.Line(slog.LevelWarn, fmt.Sprintf(`%d sockets were passed to this process but %d are used; callers of the others get no response: set --listen and --private-listen`, n, len(taken)))
	}
	return nil
}

func passedSocket(env *command.Env, address string) (net.Listener, error) {
	index, err := indexPassed(env, address)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(firstPassed+index), address)
	defer file.Close() // FileListener has its own
	l, err := net.FileListener(file)
	if err != nil {
		return nil, command.Failure(`not a listening socket: %w`, err)
	}
	if _, ok := l.Addr().(*net.TCPAddr); !ok {
		return nil, errors.Join(command.Failure(`the socket is of type %s; must be TCP (ListenStream=HOST:PORT)`, l.Addr().Network()), l.Close())
	}
	return l, nil
}
