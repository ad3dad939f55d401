package conn_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/server/internal/conn"
)

// A listener accepts one connection.
type listener struct {
	net.Listener
	c net.Conn
}

func (l *listener) Accept() (net.Conn, error) { return l.c, nil }

// TestRefusedRequest refuses requests that arrive in pieces. The response has their method
// and target, wherever they were divided.
func TestRefusedRequest(t *testing.T) {
	long := "/" + strings.Repeat("x", 5000)
	for _, tt := range []struct{ sent, want string }{
		{"GET /v1/lookup/90210?key=x HTTP/1.1\r\nHost: a\r\n\r\n", "GET /v1/lookup/90210 400 Bad Request"},
		{"OPTIONS http://host.example/v1 HTTP/1.1\r\nPOST: /\r\n\r\n", "OPTIONS http://host.example/v1 400 Bad Request"},
		{"GET /a HTTP/1.1\r\n\r\nPOST /b HTTP/1.1\r\n", "POST /b 400 Bad Request"},
		{"GET /a HTTP/1.1\r\nGET \r\nget /b\r\n", "GET /a 400 Bad Request"},
		{"GET " + long + " HTTP/1.1\r\n", "GET " + long[:2<<10-len("GET ")] + " 400 Bad Request"},
		{"GE", "  400 Bad Request"},
	} {
		for size := range min(len(tt.sent), 30) {
			if got := refused(t, tt.sent, size+1); got != tt.want {
				t.Errorf("%.60q in pieces of %d bytes: %.60q, want %.60q", tt.sent, size+1, got, tt.want)
			}
		}
		if got := refused(t, tt.sent, len(tt.sent)); got != tt.want {
			t.Errorf("%.60q at once: %.60q, want %.60q", tt.sent, got, tt.want)
		}
	}
}

// refused sends a text in pieces and returns the response to a refusal.
func refused(t *testing.T, text string, size int) string {
	t.Helper()
	server, client := net.Pipe()
	defer client.Close()
	l := conn.Listener{Listener: &listener{c: server}, Plain: func(method, target string, status []byte) []byte {
		return fmt.Appendf(nil, "%s %s %s", method, target, status)
	}}
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() {
		for rest := text; rest != ""; {
			n, err := client.Write([]byte(rest[:min(size, len(rest))]))
			if err != nil {
				return
			}
			rest = rest[n:]
		}
	}()
	b := make([]byte, 1<<16)
	for read := 0; read < len(text); {
		n, err := c.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		read += n
	}
	response := make(chan string)
	go func() {
		n, _ := client.Read(b)
		response <- string(b[:n])
	}()
	if _, err := c.Write([]byte("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request")); err != nil {
		t.Fatal(err)
	}
	return <-response
}
