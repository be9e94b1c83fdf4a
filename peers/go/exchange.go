package lrwp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
)

// Relay is Serve for programs that pass requests on: see Exchange.
func Relay(ctx context.Context, options Options, pass func(*Exchange)) error {
	return Serve(ctx, options, relay(pass))
}

// relay is a handler in name only.
type relay func(*Exchange)

func (relay) ServeHTTP(http.ResponseWriter, *http.Request) {}

// Exchange is one request with its answer as they are on the wire: CGI variables and a CGI head. Whoever passes requests
// on to another program has no use for an http.Request. A panic with http.ErrAbortHandler cuts the client.
type Exchange stream

// Env has the CGI variables.
func (e *Exchange) Env() map[string]string { return (*stream)(e).env() }

// Block is the env block: each variable as NAME=VALUE with a NUL behind it, and one more NUL.
func (e *Exchange) Block() string { return e.block }

// Context is done when nobody waits for the answer any more.
func (e *Exchange) Context() context.Context { return e.context }

// Whole tells whether all of the body has come: reading it will not wait.
func (e *Exchange) Whole() bool {
	e.c.mu.Lock()
	defer e.c.mu.Unlock()
	return e.proxyEnded
}

// Read reads the body.
func (e *Exchange) Read(into []byte) (int, error) { return (*body)(e).Read(into) }

// SendHead sends a CGI head that begins with Status and ends with an empty line; the caller has checked it.
// Status 101 is for requests that offer another protocol; Hijack comes next.
func (e *Exchange) SendHead(status int, head []byte) error {
	e.c.mu.Lock()
	defer e.c.mu.Unlock()
	s := (*stream)(e)
	switch {
	case s.cancelled:
		return ErrCancelled
	case s.status != 0 || s.returned:
		return errors.New("lrwp: the answer has its head")
	case len(head) > maxFrame:
		return fmt.Errorf("lrwp: the head of the answer has %d bytes, allowed are %d", len(head), maxFrame)
	}
	if status == http.StatusSwitchingProtocols {
		if s.upgrade = s.env()["HTTP_UPGRADE"] != ""; !s.upgrade {
			return errors.New("lrwp: 101 to a request that offers no other protocol")
		}
		s.tunnel = true
	}
	s.borrow()
	s.status, s.head, s.committed = status, append(s.head, head...), true
	if s.tunnel {
		s.flush()
	}
	return nil
}

// HasHead tells whether a head was sent.
func (e *Exchange) HasHead() bool {
	e.c.mu.Lock()
	defer e.c.mu.Unlock()
	return e.status != 0
}

// Write keeps small pieces of the body until Flush, the end, or 16 KiB. It waits while the client is slow.
func (e *Exchange) Write(piece []byte) (int, error) {
	e.c.mu.Lock()
	defer e.c.mu.Unlock()
	switch {
	case e.status == 0:
		return 0, errors.New("lrwp: the head comes before the body")
	case e.hijacked:
		return 0, http.ErrHijacked
	case e.returned:
		return 0, net.ErrClosed
	}
	return put((*stream)(e), piece, turnSize)
}

// Flush sends what has been written, at once.
func (e *Exchange) Flush() { (*answer)(e).Flush() }

// Hijack makes a request that was answered with 101 a two-way connection.
func (e *Exchange) Hijack() (net.Conn, error) {
	conn, _, err := (*answer)(e).Hijack()
	return conn, err
}
