// Package service opens rate limits and releases credits of lost requests.
//
// # Usage
//
//	limiter, limits, err := service.OpenLimits(ctx, "redis://10.0.0.5", 3, logger)
//	go service.Sweep(ctx, store, logger)
package service

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/redis"
)

// OpenLimits opens the counts of requests per minute. Without an address this
// process counts them. Otherwise several processes share a Redis server. When it is
// unreachable, each of them allows its part.
func OpenLimits(ctx context.Context, address string, processes int, logger *slog.Logger) (billing.Limiter, io.Closer, error) {
	if address == "" {
		return billing.NewMemoryLimiter(billing.MemoryLimiterOptions{}), nothing{}, nil
	}
	l, err := redis.New(address, redis.Options{Processes: processes, Changed: func(err error) {
		if err != nil {
			logger.Error("limits: the server is unreachable; each process allows its part", "processes", processes, "error", err.Error())
		} else {
			logger.Info("limits: the server is reachable again")
		}
	}})
	if err != nil {
		return nil, nil, err
	}
	if err := l.Ping(ctx); err != nil {
		logger.Warn("limits: the server does not respond yet", "error", err.Error())
	}
	return l, l, nil
}

// nothing needs no closing.
type nothing struct{}

func (nothing) Close() error { return nil }

// sweepEvery is the interval of releases of credits of lost requests.
const sweepEvery = time.Minute

// Sweep releases such credits until the context's end.
func Sweep(ctx context.Context, store billing.Ledger, logger *slog.Logger) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		n, err := store.Sweep(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			logger.Error("credits of lost requests not released; next try in a minute", "error", err.Error())
		case n > 0:
			logger.Warn("credits of lost requests released", "requests", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
