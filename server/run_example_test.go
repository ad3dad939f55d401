package server_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/server"
)

func ExampleServer_Run() {
	if err := serveUntilStopped(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 200
	// <nil>
	// 200
}

func serveUntilStopped() error {
	db, err := postgeo.OpenSample()
	if err != nil {
		return err
	}
	defer db.Close()
	srv, err := server.New(db, server.Config{Reload: func(context.Context) error { return nil }})
	if err != nil {
		return err
	}
	public, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	private, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- srv.Run(ctx, public, private) }()

	answer, err := http.Get("http://" + public.Addr().String() + "/v2/health")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	fmt.Println(answer.StatusCode)
	fmt.Println(srv.Reload(ctx)) // a newer dataset in the same place

	// Probes and metrics belong to a separate address.
	w := httptest.NewRecorder()
	srv.PrivateHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/live", nil))
	fmt.Println(w.Code)

	stop() // requests in flight finish
	return <-done
}
