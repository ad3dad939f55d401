package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/postgeo/postgeo/packaging/release/bundle"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := bundle.Run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}
