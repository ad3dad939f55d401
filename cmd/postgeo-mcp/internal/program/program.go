// Package program is the command postgeo-mcp: its flags, and the transports
// that serve the tools of package tools.
//
// # Errors
//
// [Run] returns 0 after a normal stop, 1 after a failure and 2 for an invalid
// command line. Standard output belongs to the protocol; messages go to standard
// error.
package program

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/userdata"
)

// Exit codes.
const (
	Done     = 0 // stopped, or the client disconnected
	Failed   = 1 // something failed
	WrongUse = 2 // the command line is not right
)

// maxLine is the most bytes of one message on standard input.
const maxLine = 4 << 20

// An Env is the world of the program.
type Env struct {
	Stdin   io.ReadCloser
	Stdout  io.WriteCloser
	Stderr  io.Writer
	Getenv  func(string) string
	DataDir string // the folder of the user's datasets, or ""
}

// Process returns the Env of the running process.
func Process() Env {
	return Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, DataDir: userdata.OwnDir()}
}

const usage = `Usage: postgeo-mcp [flags]

Serves US and Canadian postal geography to clients of the Model Context
Protocol, over standard input and output unless --http is given.

`

// settings are the flags.
type settings struct {
	data    string
	http    string
	open    bool
	tokens  string
	timeout time.Duration
	most    int
	tools   []string
	version bool
}

func parse(args []string, stderr io.Writer) (s settings, err error) {
	f := flag.NewFlagSet("postgeo-mcp", flag.ContinueOnError)
	f.StringVar(&s.data, "data", "", "dataset `FILE`; default: $POSTGEO_DATA, else the user's dataset, else the embedded sample")
	f.StringVar(&s.http, "http", "", "serve streamable HTTP at this `HOST:PORT`, path /mcp, instead of standard input and output")
	f.BoolVar(&s.open, "open", false, "with --http: serve everybody on an address that other machines reach, without a token")
	f.StringVar(&s.tokens, "token-file", "", "with --http: a `FILE` of accepted tokens, one per line; default: $POSTGEO_MCP_TOKEN")
	f.DurationVar(&s.timeout, "timeout", tools.DefaultTimeout, "the longest that a call may take")
	f.IntVar(&s.most, "max-result", tools.DefaultMaxResult, "the most `BYTES` of JSON of a result, at most 4194304; larger ones are refused")
	f.Func("tools", "offer these tools, `NAMES` separated by commas, or all, the default", func(v string) error {
		s.tools = append(s.tools, strings.Split(strings.ReplaceAll(v, " ", ""), ",")...)
		return nil
	})
	f.BoolVar(&s.version, "version", false, "show the version and stop")
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, usage)
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return s, err
	}
	switch {
	case f.NArg() > 0:
		err = fmt.Errorf("there is an argument %q; only flags are expected", f.Arg(0))
	case s.http == "" && (s.open || s.tokens != ""):
		err = errors.New("--open and --token-file are about HTTP; give --http HOST:PORT with them")
	case s.open && s.tokens != "":
		err = errors.New("--open serves everybody, --token-file only requests with a token; give one of them")
	case s.most <= 0 || s.most > tools.MostResult:
		err = fmt.Errorf("--max-result is %d; expected from 1 to %d bytes", s.most, tools.MostResult)
	case s.timeout <= 0:
		err = fmt.Errorf("--timeout is %v; expected more than 0", s.timeout)
	case s.http != "" && s.timeout > maxTimeout:
		err = fmt.Errorf("--timeout is %v; over HTTP a response may take %v at most", s.timeout, maxTimeout)
	}
	if err != nil {
		_ = plain.Linef(stderr, "postgeo-mcp: %v; see 'postgeo-mcp --help'", err)
	}
	return s, err
}

// Run serves until ctx is done, the process gets SIGINT or SIGTERM, or the client
// closes standard input. It returns the exit code.
func Run(ctx context.Context, args []string, env Env) int {
	env.Stderr = plain.NewWriter(env.Stderr)
	s, err := parse(args, env.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return Done
	case err != nil:
		return WrongUse
	case s.version:
		fmt.Fprintln(env.Stdout, "postgeo-mcp", version(), runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
		return Done
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, s, &env); err != nil {
		_ = plain.Linef(env.Stderr, "postgeo-mcp: %s", strings.TrimPrefix(err.Error(), "postgeo: "))
		return Failed
	}
	return Done
}

// stampedVersion is the version of a release, set by the linker (-X).
var stampedVersion string

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return cmp.Or(stampedVersion, info.Main.Version, "(devel)")
}

func serve(ctx context.Context, s settings, env *Env) (err error) {
	logger := slog.New(slog.NewTextHandler(env.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	db, err := open(s.data, env)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	server, err := tools.New(db, tools.Options{Version: version(), Timeout: s.timeout, MaxResult: s.most, Tools: s.tools, Logger: logger})
	if err != nil {
		return fmt.Errorf("--tools: %w", err)
	}
	if s.http == "" {
		err := server.Run(ctx, &mcp.IOTransport{Reader: env.Stdin, Writer: env.Stdout, MaxLineLength: maxLine})
		if ctx.Err() != nil || errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	var known tokens
	if !s.open {
		if known, err = readTokens(s.tokens, env.Getenv); err != nil {
			return err
		}
	}
	listener, err := listen(ctx, s, len(known) > 0)
	if err != nil {
		return err
	}
	handler := Handler(server, known)
	_ = plain.Linef(env.Stderr, "postgeo-mcp: serving dataset %s on http://%s%s", db.Info().Version, listener.Addr(), Path)
	return ServeHTTP(ctx, listener, handler)
}

func open(named string, env *Env) (*postgeo.DB, error) {
	path, err := userdata.Choose(named, env.Getenv, env.DataDir)
	if err != nil {
		return nil, err
	}
	if path == "" {
		fmt.Fprintln(env.Stderr, "postgeo-mcp: no dataset given: answering from the embedded sample of about 400 ZIP Codes; 'postgeo dataset build' makes the whole one")
		return postgeo.OpenSample()
	}
	return postgeo.Open(path)
}

// listen opens the address of --http. One that other machines reach needs
// tokens, or --open.
func listen(ctx context.Context, s settings, hasTokens bool) (net.Listener, error) {
	addr, err := net.ResolveTCPAddr("tcp", s.http)
	if err != nil {
		return nil, fmt.Errorf("--http %q is not a valid address: %w; give HOST:PORT, e.g. 127.0.0.1:8090", s.http, err)
	}
	if !addr.IP.IsLoopback() && !s.open && !hasTokens {
		return nil, fmt.Errorf("--http %s can be reached from other machines without a token; add --token-file FILE, or --open to serve everybody, or choose 127.0.0.1", s.http)
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", s.http)
}
