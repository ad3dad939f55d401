package serve

import (
	"context"
	"errors"
	"net"
	"syscall"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

// listen opens the address of a flag.
func listen(ctx context.Context, flag, address string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	_, port, _ := net.SplitHostPort(address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, command.Failure(`%s %s: the port is in use; stop that program ('lsof -i :%s' or 'ss -ltnp' shows it), or choose another address`, flag, address, port)
	case errors.Is(err, syscall.EACCES):
		return nil, command.Failure(`%s %s: permission denied; choose a port from 1024 up`, flag, address)
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
