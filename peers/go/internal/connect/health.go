package connect

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"lrwp.org/go/lrwp/internal/gateway"
)

// serveWell is dialled in while the program is well, and returns when what has begun is finished.
func (a *agent) serveWell(ctx context.Context, backend gateway.Backend) error {
	if a.route.health == "" {
		return a.relay(ctx, backend)
	}
	var running sync.WaitGroup
	defer running.Wait()
	wrong := make(chan error, 1)
	for a.awaitWell(ctx, backend) {
		a.log.printf("well context=%s path=%s", a.route.contexts[0], a.route.health)
		a.ill.Store(nil)
		in, leave := context.WithCancel(ctx)
		running.Add(1)
		go func() {
			defer running.Done()
			if err := a.relay(in, backend); err != nil {
				wrong <- err
				leave()
			}
		}()
		why := a.awaitIll(in, backend)
		if ctx.Err() == nil && in.Err() == nil {
			a.log.printf("ill context=%s path=%s why=%q", a.route.contexts[0], a.route.health, why)
			text := "the program is ill: " + why
			a.ill.Store(&text)
		}
		leave()
		select {
		case err := <-wrong:
			return err
		default:
		}
	}
	return nil
}

// awaitWell waits for a good answer; false when the context is done before.
func (a *agent) awaitWell(ctx context.Context, backend gateway.Backend) bool {
	var told once
	for {
		err := a.probe(ctx, backend)
		if err == nil {
			return ctx.Err() == nil
		}
		if ctx.Err() == nil && told.isNew(err.Error()) {
			a.log.printf("waiting context=%s path=%s why=%q", a.route.contexts[0], a.route.health, err)
		}
		if !pause(ctx, a.route.healthInterval) {
			return false
		}
	}
}

// awaitIll waits for bad answers in a row, and says what was wrong; or for the end of the context.
func (a *agent) awaitIll(ctx context.Context, backend gateway.Backend) string {
	for bad := 0; ; {
		if !pause(ctx, a.route.healthInterval) {
			return ""
		}
		err := a.probe(ctx, backend)
		switch {
		case ctx.Err() != nil:
			return ""
		case errors.Is(err, gateway.ErrBusy):
		case err == nil:
			bad = 0
		default:
			if bad++; bad >= a.route.healthFailures {
				return err.Error()
			}
		}
	}
}

// probe asks the program how it is.
func (a *agent) probe(ctx context.Context, backend gateway.Backend) error {
	ctx, stop := context.WithTimeout(ctx, a.route.healthTimeout)
	defer stop()
	status, err := backend.(gateway.Prober).Probe(ctx, a.route.health)
	switch {
	case err != nil && ctx.Err() == context.DeadlineExceeded && !errors.Is(err, gateway.ErrBusy):
		return errors.New("no answer within " + showTime(a.route.healthTimeout))
	case err != nil:
		return err
	case status < 200 || status > 399:
		return fmt.Errorf("status %d", status)
	}
	return nil
}

// pause waits; false when the context is done before.
func pause(ctx context.Context, span time.Duration) bool {
	timer := time.NewTimer(span)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
