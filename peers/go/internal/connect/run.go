package connect

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"strconv"
	"time"

	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/origin"
	"lrwp.org/go/lrwp/internal/program"
)

const (
	longestRestart = 30 * time.Second
	// Who has run so long is started again without the pause that its predecessors have earned.
	longRun    = time.Minute
	readyEvery = 50 * time.Millisecond
)

// runProgram starts the program again and again, and serves while it runs.
func (a *agent) runProgram(ctx context.Context) error {
	delay := a.route.try
	defer a.leaving.Wait()
	for first := true; ctx.Err() == nil; first = false {
		began := time.Now()
		p, err := program.Start(program.Options{
			Command: a.route.command, PortEnv: a.route.portEnv, Environment: a.route.environment, Stop: a.route.stopTime,
			Out: a.out, Errors: a.errors,
		})
		if err != nil && first {
			return err
		}
		if err == nil {
			a.log.printf("started context=%s pid=%d port=%d", a.route.contexts[0], p.Pid(), p.Port)
			err = a.attend(ctx, p)
		}
		if ctx.Err() != nil {
			return nil
		}
		if time.Since(began) >= longRun {
			delay = a.route.try
		}
		wait := delay/2 + time.Duration(rand.Int63n(int64(delay/2)+1))
		a.log.printf("ended context=%s why=%q again-in-ms=%d", a.route.contexts[0], err, wait.Milliseconds())
		if delay = min(2*delay, longestRestart); !pause(ctx, wait) {
			return nil
		}
	}
	return nil
}

// attend waits until the program answers, serves while it runs, and sees to its end. It returns why it was given up.
func (a *agent) attend(ctx context.Context, p *program.Program) error {
	defer p.Stop()
	backend, err := newOrigin(a.route, "http://127.0.0.1:"+strconv.Itoa(p.Port))
	if err != nil {
		return err
	}
	defer backend.Close()
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := func() error {
		err := errors.New(p.Reason())
		why := "the program has ended: " + p.Reason()
		a.ill.Store(&why)
		stop(err)
		return err
	}
	go func() {
		select {
		case <-p.Ended:
			ended()
		case <-running.Done():
		}
	}()
	if err := a.awaitReady(running, backend, p.Port); err != nil {
		return err
	}
	a.ill.Store(nil)
	served := make(chan error, 1)
	a.leaving.Add(1)
	go func() {
		defer a.leaving.Done()
		served <- a.serveWell(running, backend)
	}()
	select {
	case err := <-served: // in order: what has begun is finished before the program is ended
		if err != nil {
			return err
		}
	case <-p.Ended: // slow clients may still get what it has answered; the next start does not wait for them
		return ended()
	}
	return context.Cause(running)
}

// awaitReady waits until the program answers for the first time.
func (a *agent) awaitReady(ctx context.Context, backend *origin.Client, port int) error {
	soon, stop := context.WithTimeout(ctx, a.route.startTime)
	defer stop()
	for {
		err := a.isReady(soon, backend, port)
		if err == nil {
			a.log.printf("ready context=%s port=%d", a.route.contexts[0], port)
			return nil
		}
		if !pause(soon, readyEvery) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("it did not answer within --start-timeout, %s: %w", showTime(a.route.startTime), err)
		}
	}
}

// isReady asks for the path of --health, or without one only whether somebody listens.
func (a *agent) isReady(ctx context.Context, backend gateway.Prober, port int) error {
	if a.route.health != "" {
		return a.probe(ctx, backend.(gateway.Backend))
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err == nil {
		conn.Close()
	}
	return err
}
