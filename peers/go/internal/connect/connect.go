// Package connect is the program lrwp-connect: its command line, and the routes that it serves.
package connect

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/internal/group"
)

// What lives is small and a request leaves little behind: collecting at twice a few megabytes would cost more than it
// gives.
const garbagePercent = 800

// signalled and the number of a signal is the exit code of what a signal has ended, as shells count.
const signalled = 128

// Main runs the program until a signal ends it in order; a second one ends it at once, with the programs that it has
// started. The exit code is 0 after an end in order, 2 for what cannot be served as it is asked for, told in one sentence.
func Main(arguments []string, out, errors io.Writer) int {
	in, err := parse(arguments, os.ReadFile)
	if err != nil {
		fmt.Fprintf(errors, "lrwp-connect: %v\n", err)
		return 2
	}
	switch {
	case in.help:
		writeHelp(out)
		return 0
	case in.version:
		fmt.Fprintf(out, "lrwp-connect %s\n", lrwp.Version)
		return 0
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	log := newLog(errors, in.verbose)
	var agents []*agent
	wrong := false
	for _, r := range in.routes {
		a, err := newAgent(r, log, out, errors)
		if err != nil {
			fmt.Fprintf(errors, "lrwp-connect: %s%s\n", r.prefix(), r.told(err))
			wrong = true
		}
		agents = append(agents, a)
	}
	if wrong {
		return 2
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		stop()
		second := <-signals
		group.KillAll()
		os.Exit(signalled + int(second.(syscall.Signal)))
	}()
	return serve(ctx, agents, errors)
}

// serve runs all routes; when one cannot be served, all end.
func serve(ctx context.Context, agents []*agent, errors io.Writer) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failures := make(chan error, len(agents))
	var running sync.WaitGroup
	for _, a := range agents {
		running.Add(1)
		go func(a *agent) {
			defer running.Done()
			if err := a.run(ctx); err != nil {
				failures <- fmt.Errorf("%s%s", a.route.prefix(), a.route.told(err))
				stop()
			}
		}(a)
	}
	running.Wait()
	select {
	case failure := <-failures:
		fmt.Fprintf(errors, "lrwp-connect: %v\n", failure)
		return 2
	default:
		return 0
	}
}
