// Package fastcgi passes requests on to a FastCGI server, such as PHP-FPM.
package fastcgi

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/internal/cgihead"
	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/pool"
	"lrwp.org/go/lrwp/internal/static"
)

// Options say which server, and which scripts it runs.
type Options struct {
	Address     string // host:port or unix:/path
	Contexts    []string
	Root        string // folder of the scripts; "" = requests go as they are
	Index       string
	Front       string
	Split       string
	Static      bool
	Unchecked   bool
	Connections int // that the server takes; 0 = it is asked
	Environment []string
	Limits      gateway.Limits
	Log         func(line string)
}

// Client is a gateway.Backend.
type Client struct {
	network, address string
	options          Options
	pool             *pool.Pool
	mu               sync.Mutex
	asked            bool
	asking           *question     // nil = nobody asks now
	turns            chan struct{} // as many as the server takes connections; nil = nobody knows
}

// question is one for which all wait who want to know the same.
type question struct {
	over chan struct{}
	err  error // why the server could not be asked
}

// New checks the options.
func New(options Options) (*Client, error) {
	c := &Client{options: options, network: "tcp", address: options.Address}
	if path, ok := strings.CutPrefix(options.Address, "unix:"); ok {
		c.network, c.address = "unix", path
	} else if host, port, err := net.SplitHostPort(options.Address); err != nil || host == "" || port == "" {
		return nil, fmt.Errorf("%q is no address such as 127.0.0.1:9000 or unix:/run/php/php-fpm.sock", options.Address)
	}
	if options.Root != "" && !options.Unchecked {
		info, err := os.Stat(options.Root)
		if err != nil {
			return nil, fmt.Errorf("--root: %w (--unchecked when it is on another machine)", err)
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("--root: %s is no folder", options.Root)
		}
		if c.options.Root, err = filepath.Abs(options.Root); err != nil {
			return nil, err
		}
	}
	c.pool = &pool.Pool{Dial: c.dial, Idle: options.Limits.Idle, Max: options.Limits.Kept}
	if options.Connections > 0 {
		c.know(options.Connections)
	}
	return c, nil
}

func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	return (&net.Dialer{Timeout: c.options.Limits.Connect}).DialContext(ctx, c.network, c.address)
}

// Close drops the connections that are kept.
func (c *Client) Close() { c.pool.Close() }

// Serve passes one request on.
func (c *Client) Serve(e *lrwp.Exchange) *gateway.Failure {
	var method, script, rest, digits string
	gateway.Variables(e.Block(), func(name, value string) {
		switch name {
		case "REQUEST_METHOD":
			method = value
		case "SCRIPT_NAME":
			script = value
		case "PATH_INFO":
			rest = value
		case "CONTENT_LENGTH":
			digits = value
		}
	})
	length, failure := gateway.Length(digits)
	if failure != nil {
		return failure
	}
	if most := c.options.Limits.MaxBody; most > 0 && length > most {
		return gateway.Failf(gateway.BodyTooLarge, fmt.Sprintf("%d bytes, --max-body is %d", length, most))
	}
	t, failure := c.find(gateway.Locate(script, rest, c.options.Contexts))
	switch {
	case failure != nil:
		return failure
	case t.file != "":
		if err := static.Serve(e, t.file); err != nil {
			return gateway.Talking(e.Context(), err)
		}
		return nil
	case t.folder:
		return redirectToFolder(e)
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.pairs = c.appendParameters(s.pairs[:0], t, e.Block())
	if err := c.run(e, s, gateway.IsIdempotent(method)); err != nil {
		return gateway.Talking(e.Context(), err)
	}
	return nil
}

// run does one request. An idempotent one without a body is repeated when a connection that was kept turns out to be
// closed: of another one nobody knows whether its script has run.
func (c *Client) run(e *lrwp.Exchange, s *scratch, idempotent bool) error {
	if err := c.takeTurn(e.Context()); err != nil {
		return err
	}
	defer c.giveTurn()
	body, whole, err := smallBody(e, s.body[:0])
	if err != nil {
		return err
	}
	repeatable := idempotent && whole && len(body) == 0
	for fresh := false; ; fresh = true {
		conn, err := c.pool.Get(e.Context(), fresh, !repeatable)
		if err != nil {
			return gateway.Dialling(e.Context(), err)
		}
		release := context.AfterFunc(e.Context(), func() { conn.Close() })
		keep, answered, err := c.talk(e, conn, s, body, whole)
		if release() && keep && err == nil {
			c.pool.Put(conn)
			return nil
		}
		conn.Close()
		if err == nil || fresh || answered || !conn.Reused || !repeatable || e.Context().Err() != nil || gateway.IsTimeout(err) {
			return err
		}
	}
}

const pieceSize = 32768

// scratch is memory that requests use one after the other.
type scratch struct {
	pairs []byte
	body  [pieceSize]byte
	in    *pool.Reader // of the answer
}

var scratches = sync.Pool{New: func() any { return &scratch{in: pool.NewReader(nil)} }}

// smallBody takes the body into room, or its begin when it is large or still comes; whether that is all of it.
func smallBody(e *lrwp.Exchange, room []byte) (body []byte, whole bool, err error) {
	for body = room; len(body) < cap(body) && e.Whole(); {
		n, err := e.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			return body, true, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
	return body, false, nil
}

// talk sends the request and brings back the answer; whether another one may follow on this connection, and whether
// the server has said anything. body: its begin, or all of it when it is whole.
func (c *Client) talk(e *lrwp.Exchange, conn *pool.Conn, s *scratch, body []byte, whole bool) (keep, answered bool, err error) {
	flags := byte(0)
	if c.pool.Max > 0 && c.pool.Idle > 0 {
		flags = keepOpen
	}
	out := appendRecord(conn.Out[:0], beginRequest, requestID, []byte{0, responder, flags, 0, 0, 0, 0, 0})
	out = appendRecord(appendStream(out, params, s.pairs), params, requestID, nil)
	if len(body) > 0 {
		out = appendRecord(out, stdin, requestID, body)
	}
	if whole {
		out = appendRecord(out, stdin, requestID, nil)
	}
	conn.SetDeadline(time.Now().Add(c.options.Limits.Answer))
	conn.Out = out
	if _, err := conn.Write(out); err != nil {
		return false, false, err
	}
	sent := make(chan error, 1)
	if whole {
		sent <- nil
	} else {
		go func() { sent <- c.sendBody(e, conn) }()
	}
	o := &output{in: conn.In, lines: &gateway.Lines{Print: c.options.Log, Prefix: "stderr "}}
	waits := 0 // the first one has the deadline from above, when the body was sent there
	o.before = func() {
		if waits++; waits > 1 || !whole {
			conn.SetReadDeadline(time.Now().Add(c.options.Limits.Answer))
		}
	}
	s.in.Reset(o)
	err = c.answer(e, o, s.in)
	s.in.Reset(nil)
	answered = o.kind != 0
	if err != nil {
		return false, answered, err
	}
	select {
	case err := <-sent:
		return flags == keepOpen && err == nil, true, nil
	default: // the server has not waited for all of the body
		return false, true, nil
	}
}

// sendBody sends a body as it comes.
func (c *Client) sendBody(e *lrwp.Exchange, conn *pool.Conn) error {
	piece := make([]byte, pieceSize)
	var out []byte
	for {
		n, err := e.Read(piece)
		if n > 0 {
			out = appendRecord(out[:0], stdin, requestID, piece[:n])
		}
		if err == io.EOF {
			out = appendRecord(out[:0], stdin, requestID, nil)
		} else if err != nil {
			return err
		}
		conn.SetWriteDeadline(time.Now().Add(c.options.Limits.Answer))
		if _, failed := conn.Write(out); failed != nil || err == io.EOF {
			return failed
		}
	}
}

// answer brings the answer to the client.
func (c *Client) answer(e *lrwp.Exchange, o *output, in *pool.Reader) error {
	head, err := cgihead.Read(in, c.options.Limits.MaxHead)
	if err == io.EOF {
		return gateway.Failf(gateway.BadHead, "the FastCGI server gave no answer")
	}
	if err != nil {
		return err
	}
	if err := e.SendHead(head.Status, head.Bytes); err != nil {
		return err
	}
	inTime := o.before
	o.before = func() { // padding is read by then, so it is the server that has nothing more yet
		e.Flush()
		inTime()
	}
	for {
		piece, err := in.Some(1 << 30)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := e.Write(piece); err != nil {
			return err
		}
	}
}

// takeTurn waits while the server has as many connections as it takes: one more would wait there behind connections
// that are kept and do nothing.
func (c *Client) takeTurn(ctx context.Context) error {
	turns, err := c.learn(ctx)
	if err != nil || turns == nil {
		return err
	}
	select {
	case turns <- struct{}{}:
		return nil
	default:
	}
	late := time.NewTimer(c.options.Limits.Answer)
	defer late.Stop()
	select {
	case turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return gateway.Fail(gateway.Cancelled, ctx.Err())
	case <-late.C:
		return gateway.Failf(gateway.TimedOut, "all connections that the FastCGI server takes were busy")
	}
}

func (c *Client) giveTurn() {
	if c.turns != nil {
		<-c.turns
	}
}

// How long a server may take to tell its number of connections.
const askTime = time.Second

// learn asks the server, once, how many connections it takes. With one that does not say none is kept: each could hold
// one of its processes. Requests that come meanwhile wait for the same question, not one behind the other.
func (c *Client) learn(ctx context.Context) (chan struct{}, error) {
	c.mu.Lock()
	if c.asked {
		defer c.mu.Unlock()
		return c.turns, nil
	}
	q := c.asking
	if q == nil {
		q = &question{over: make(chan struct{})}
		c.asking = q
		go c.ask(q)
	}
	c.mu.Unlock()
	select {
	case <-q.over:
	case <-ctx.Done():
		return nil, gateway.Fail(gateway.Cancelled, ctx.Err())
	}
	if q.err != nil {
		return nil, gateway.Dialling(ctx, q.err)
	}
	return c.turns, nil
}

func (c *Client) ask(q *question) {
	defer close(q.over)
	count := 0
	conn, err := c.dial(context.Background())
	if err == nil {
		conn.SetDeadline(time.Now().Add(askTime))
		count, _ = askConnections(pool.NewReader(conn), func(raw []byte) error {
			_, err := conn.Write(raw)
			return err
		})
		conn.Close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asking = nil
	if q.err = err; err == nil {
		c.know(count)
	}
}

// know: the server takes so many connections; 0 = nobody knows.
func (c *Client) know(connections int) {
	c.asked = true
	c.pool.Max = min(c.pool.Max, connections)
	if connections > 0 {
		c.turns = make(chan struct{}, connections)
	}
}

// Probe asks for a path as the server itself knows it, such as pm.status_path or ping.path of PHP-FPM.
func (c *Client) Probe(ctx context.Context, path string) (int, error) {
	if err := c.takeTurn(ctx); err != nil {
		if ctx.Err() != nil {
			return 0, gateway.ErrBusy
		}
		return 0, err
	}
	defer c.giveTurn()
	conn, err := c.pool.Get(ctx, false, true)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	release := context.AfterFunc(ctx, func() { conn.Close() })
	defer release()
	var pairs []byte
	for _, one := range [][2]string{{"REQUEST_METHOD", "GET"}, {"SCRIPT_NAME", path}, {"SCRIPT_FILENAME", c.options.Root + path},
		{"REQUEST_URI", path}, {"QUERY_STRING", ""}, {"SERVER_PROTOCOL", "HTTP/1.1"}, {"GATEWAY_INTERFACE", "CGI/1.1"}} {
		pairs = appendPair(pairs, one[0], one[1])
	}
	out := appendRecord(nil, beginRequest, requestID, []byte{0, responder, 0, 0, 0, 0, 0, 0})
	out = appendRecord(appendStream(out, params, pairs), params, requestID, nil)
	if _, err := conn.Write(appendRecord(out, stdin, requestID, nil)); err != nil {
		return 0, err
	}
	o := &output{in: conn.In, lines: &gateway.Lines{Print: c.options.Log, Prefix: "stderr "}, before: func() {}}
	head, err := cgihead.Read(pool.NewReader(o), c.options.Limits.MaxHead)
	if err != nil {
		return 0, err
	}
	return head.Status, nil
}
