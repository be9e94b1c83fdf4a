// Package lrwp is an LRWP peer, with the standard library only.
//
// A peer dials the proxy, says which URL contexts it serves, and gets HTTP requests over that one connection. Its
// handler is any http.Handler, so what serves HTTP today can be a peer tomorrow:
//
//	options := lrwp.Options{Proxy: "127.0.0.1:1081", Contexts: []string{"/hello"}, Concurrency: 64}
//	err := lrwp.Serve(ctx, options, mux) // until ctx is done: then open requests are finished, and it is over
//
// LRWP 3.0 is spoken, and 1.0 with servers that know no better. docs/protocol.md has the wire; "rule n" is section
// 15.n there.
//
// How it is built: one goroutine reads frames, one writes all that are ready with one call, each request has its own. A
// handler is entered by the writer, after the call that carried its STARTED (rule 5).
package lrwp

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand"
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	settings = iota + 1
	register
	unregister
	registered
	request
	response
	data
	started
	refused
	cancel
	window
	capacity
	drain
	ping
	pong
	fault
)

const (
	headSize     = 12
	maxFrame     = 65536 // ours, and the least that the proxy's may be
	turnSize     = 16384 // DATA is cut here, and streams take turns (rule 2)
	unlimited    = 4294967295
	enough       = 131072 // no more octets than these are made ready before a write
	pending      = 65536  // a handler that has written more waits
	handshake    = 5 * time.Second
	lingerTime   = time.Second
	longestDelay = 10 * time.Second
)

// ErrCancelled is what reading and writing say when nobody waits for the answer any more.
var ErrCancelled = errors.New("lrwp: nobody waits for the answer any more")

// older: the server does not speak LRWP 3.
type older string

func (o older) Error() string { return string(o) }

// Options say which proxies a peer dials, what it serves, and how. Proxy and Contexts are a must.
type Options struct {
	Proxy       string                             // host:port, [v6]:port or unix:/path; several with commas between
	Contexts    []string                           // such as "/echo" or ".ext"; with 1.0 the first only
	VirtualHost string                             // only for this host; "" = for every host
	Name        string                             // shown in the proxy's status
	Secret      []byte                             // of the contexts; with one there is no fallback to 1.0
	Identity    string                             // who this peer is: proved by a key, LRWP 3.1
	KeyID       string                             // which of the identity's keys that is
	Key         []byte                             // the key itself, 32 bytes or more; or
	KeyFile     string                             // a file that only its owner can read, with hexadecimal digits
	Concurrency int                                // requests at once; 0 = 1
	Stream      bool                               // requests come while their body is still coming
	Strip       bool                               // the context is taken off the path of requests
	Window      int                                // bytes of one body on their way to us; 0 = 256 KiB
	DrainTime   time.Duration                      // how long open requests may take at the end; 0 = 30 s
	Admit       func(env map[string]string) string // why a request is refused, or ""; must have no effects
	Log         func(line string)                  // nil = standard error
	TLS         *tls.Config                        // of the proxy, see Trust; nil = no TLS
	Upgrades    string                             // protocols taken instead of HTTP, such as "websocket"; by Hijack
}

// Serve dials in and lets the handler answer until the context is done, and then until what has begun is finished. The
// contexts of its requests are done when nobody waits for the answer any more.
func Serve(ctx context.Context, options Options, handler http.Handler) error {
	p := &peer{Options: options, handler: handler}
	return p.run(ctx)
}

// peer is what one Serve runs.
type peer struct {
	Options
	handler http.Handler

	mu          sync.Mutex
	draining    bool
	connections map[*connection]bool
}

// ALPN is what LRWP 3 calls itself inside TLS.
const ALPN = "lrwp/3"

// Trust makes the TLS configuration of a peer: proxies must show a certificate of the authorities in caFile, for the
// host that is dialled. The peer shows the certificate in certFile, unless that is "". All files are PEM.
func Trust(caFile, certFile, keyFile string) (*tls.Config, error) {
	authorities, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS13}
	if !config.RootCAs.AppendCertsFromPEM(authorities) {
		return nil, fmt.Errorf("lrwp: no certificate in %s", caFile)
	}
	if certFile != "" {
		own, err := tls.LoadX509KeyPair(certFile, keyFile)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{own}
	}
	return config, nil
}

// Env gives the CGI variables of a request, which say more than an http.Request can.
func Env(r *http.Request) map[string]string {
	env, _ := r.Context().Value(envKey{}).(map[string]string)
	return env
}

type envKey struct{}

func (p *peer) run(ctx context.Context) error {
	if p.Proxy == "" || len(p.Contexts) == 0 || p.handler == nil {
		return errors.New("lrwp: a proxy, contexts and a handler are needed")
	}
	p.setDefaults()
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-ctx.Done():
			p.drain()
		case <-over:
		}
	}()
	delay := 100 * time.Millisecond
	for !p.isDraining() {
		c, err := p.dial(ctx)
		if err == nil {
			<-c.leaving
		} else if ctx.Err() == nil {
			p.logf("lost why=%q", err)
		}
		// Soon after a good connection, later and later while none is, with jitter: peers that lost their proxy
		// together do not come back together.
		if delay = min(2*delay, longestDelay); err == nil && c.good {
			delay = 100 * time.Millisecond
		}
		select {
		case <-ctx.Done():
		case <-time.After(delay/2 + time.Duration(rand.Int63n(int64(delay/2)))):
		}
		if ctx.Err() != nil {
			p.drain()
		}
	}
	p.mu.Lock()
	var open []*connection
	for c := range p.connections {
		open = append(open, c)
	}
	p.mu.Unlock()
	for _, c := range open {
		<-c.gone
	}
	return nil
}

func (p *peer) setDefaults() {
	p.connections = map[*connection]bool{}
	if p.Concurrency < 1 {
		p.Concurrency = 1
	}
	if p.Name == "" {
		p.Name = "lrwp.go"
	}
	if p.Window <= 0 {
		p.Window = 4 * maxFrame
	}
	if p.DrainTime <= 0 {
		p.DrainTime = 30 * time.Second
	}
	if p.Log == nil {
		logger := log.New(os.Stderr, "", log.LstdFlags)
		p.Log = func(line string) { logger.Print(line) }
	}
}

func (p *peer) logf(format string, arguments ...any) { p.Log(fmt.Sprintf(format, arguments...)) }

func (p *peer) isDraining() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.draining
}

func (p *peer) drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.draining {
		return
	}
	p.draining = true
	p.Log("drain by=peer")
	for c := range p.connections {
		go c.drain()
	}
}

// names of a context as they go over the wire.
func (p *peer) names(context string) []byte {
	return latin(context + "\u00ff" + p.VirtualHost + "\u00ff")
}

// latin gives the ISO 8859-1 octets of a text.
func latin(text string) []byte {
	octets := make([]byte, 0, len(text))
	for _, r := range text {
		octets = append(octets, byte(r))
	}
	return octets
}

func (p *peer) dial(ctx context.Context) (*connection, error) {
	c, err := p.connect(ctx, 3)
	var why older
	if !errors.As(err, &why) {
		return c, err
	}
	if len(p.Secret) > 0 {
		return nil, fmt.Errorf("no LRWP 3.0, and there is a secret: %s", string(why))
	}
	p.logf("fallback version=1.0 why=%q", string(why))
	return p.connect(ctx, 1)
}

func (p *peer) connect(ctx context.Context, version int) (*connection, error) {
	dialer := net.Dialer{Timeout: handshake, KeepAlive: 15 * time.Second}
	socket, err := dialer.DialContext(ctx, "tcp", p.Proxy)
	if err != nil {
		return nil, err
	}
	if p.TLS != nil {
		inside, err := p.enter(ctx, socket, version)
		if err != nil {
			socket.Close()
			return nil, err
		}
		socket = inside
	}
	c := &connection{
		peer: p, socket: socket.(halfCloser), in: bufio.NewReaderSize(socket, 4*maxFrame), version: version,
		window: maxFrame, maxFrame: maxFrame, streams: map[uint32]*stream{}, halfClosed: map[uint32]bool{},
		inTurn: map[*stream]bool{}, wake: make(chan struct{}, 1), leaving: make(chan struct{}), gone: make(chan struct{}),
	}
	socket.SetDeadline(time.Now().Add(handshake))
	if err := c.handshake(); err != nil {
		socket.Close()
		return nil, err
	}
	socket.SetDeadline(time.Time{})
	p.logf("registered context=%s version=%d.0", p.Contexts[0], version)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.connections[c] = true
	if p.draining {
		go c.drain()
	}
	if version == 1 {
		go c.serveOld()
		return c, nil
	}
	c.greet()
	go c.write()
	go c.read()
	return c, nil
}

// enter does the TLS handshake. Only LRWP 3 has a name there.
func (p *peer) enter(ctx context.Context, socket net.Conn, version int) (net.Conn, error) {
	config := p.TLS.Clone()
	config.MinVersion = tls.VersionTLS13
	config.NextProtos = nil
	if version == 3 {
		config.NextProtos = []string{ALPN}
	}
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(p.Proxy)
	}
	inside := tls.Client(socket, config)
	socket.SetDeadline(time.Now().Add(handshake))
	if err := inside.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	if version == 3 && inside.ConnectionState().NegotiatedProtocol != ALPN {
		return nil, older("no ALPN " + ALPN)
	}
	return inside, nil
}

// halfCloser is a connection, plain or inside TLS.
type halfCloser interface {
	net.Conn
	CloseWrite() error
}

// connection is one connection. What is not set once stands under mu.
type connection struct {
	peer     *peer
	socket   halfCloser
	in       *bufio.Reader
	version  int
	leaving  chan struct{} // closed: no new requests from here, the next connection has to be dialled
	gone     chan struct{}
	wake     chan struct{} // for the writer: something is ready
	leave    sync.Once
	end      sync.Once
	mu       sync.Mutex
	good     bool // has had a request
	draining bool
	stopped  bool // our write side is shut, or about to be: nothing new begins
	busy     bool // 1.0: a request is being served

	window, maxFrame, ping int // the proxy's
	hasSettings            bool
	streams                map[uint32]*stream // until our direction has ended
	halfClosed             map[uint32]bool    // those whose proxy's direction has not
	control                []byte             // frames that wait for no window
	starting               []*stream          // whose STARTED is among them
	turns                  []*stream          // with something to send, in the order of their turns
	inTurn                 map[*stream]bool
}

// handshake sends the hello and reads the reply. REJECTED is never a reason to fall back; other texts are.
func (c *connection) handshake() error {
	hello, okay := c.peer.names(c.peer.Contexts[0]), "OK"
	if c.version == 3 {
		hello, okay = append([]byte("\xff3.0\xff"), hello...), "OK\xff"
	}
	if _, err := c.socket.Write(hello); err != nil {
		return err
	}
	text, proved := "", false
	for text != okay {
		octet, err := c.in.ReadByte()
		var late net.Error
		isLate := errors.As(err, &late) && late.Timeout()
		switch {
		case err != nil && c.version == 3 && (text == "OK" || (isLate && len(text) < 2)):
			return older("no reply that is known: " + text)
		case err != nil:
			return fmt.Errorf("no acceptance: %w %s", err, text)
		}
		text += string([]byte{octet})
		begins := func(other string) bool { return strings.HasPrefix(other, text[:min(len(text), len(other))]) }
		switch {
		case begins(okay):
		case c.version == 1:
			rest, _ := io.ReadAll(io.LimitReader(c.in, 1000))
			return fmt.Errorf("refused: %s%s", text, rest)
		case begins("CHALLENGE\xff000000032"):
			if proved || len(c.peer.Secret) == 0 {
				return errors.New("a secret is asked for, and there is none")
			}
			if len(text) == 51 {
				proof := hmac.New(sha256.New, c.peer.Secret)
				proof.Write([]byte(text[19:]))
				names := c.peer.names(c.peer.Contexts[0])
				proof.Write(names[:len(names)-1])
				if _, err := c.socket.Write(proof.Sum([]byte("000000032"))); err != nil {
					return err
				}
				text, proved = "", true
			}
		case !begins("REJECTED\xff"):
			rest, _ := c.in.Peek(min(c.in.Buffered(), 100))
			return older(text + string(rest))
		case len(text) > 9 && octet == 0xff, len(text) > 1100:
			return fmt.Errorf("refused: %s", strings.Trim(text[9:], "\xff"))
		}
	}
	return nil
}

// greet makes our first frames ready.
func (c *connection) greet() {
	p, stream := c.peer, 0
	if p.Stream {
		stream = 1
	}
	text := fmt.Appendf(nil, "name=%s\x00capacity=%d\x00window=%d\x00started=1\x00stream=%d\x00ping=1\x00",
		p.Name, p.Concurrency, p.Window, stream)
	if p.Upgrades != "" {
		text = fmt.Appendf(text, "upgrade=%s\x00", p.Upgrades)
	}
	c.queue(settings, 0, text)
	for _, context := range p.Contexts[1:] {
		c.queue(register, 0, p.names(context))
	}
}

// ---- the connection's life

func (c *connection) lose(why string) {
	c.end.Do(func() {
		c.socket.Close()
		c.abandon()
		c.peer.mu.Lock()
		delete(c.peer.connections, c)
		draining := c.peer.draining
		c.peer.mu.Unlock()
		if !draining {
			c.peer.logf("lost version=%d.0 why=%q", c.version, why)
		}
		c.leave.Do(func() { close(c.leaving) })
		close(c.gone)
	})
}

// abandon: nobody waits any more for the answers of this connection.
func (c *connection) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.starting = nil
	for _, s := range c.streams {
		s.cancel()
	}
}

// linger shuts the write side; the reader goes on to the end, so that the other side gets all that was written
// (rule 5).
func (c *connection) linger(last []byte) {
	c.mu.Lock()
	if c.stopped {
		c.mu.Unlock()
		return
	}
	octets := append(c.control, last...)
	c.control = nil
	c.mu.Unlock()
	c.abandon()
	c.socket.SetDeadline(time.Now().Add(lingerTime))
	c.socket.Write(octets)
	c.socket.CloseWrite()
}

// drain finishes what has come and takes no more; the proxy closes after the last answer (rule 10).
func (c *connection) drain() {
	c.mu.Lock()
	c.draining = true
	if c.version == 3 {
		c.queue(drain, 0, nil)
	}
	idle := c.version == 1 && !c.busy
	c.mu.Unlock()
	if idle {
		c.linger(nil)
	}
	select {
	case <-c.gone:
	case <-time.After(c.peer.DrainTime):
		c.linger(nil)
	}
}

// ---- out

func frame(out []byte, kind byte, end bool, stream uint32, parts ...[]byte) []byte {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	flags := byte(0)
	if end {
		flags = 1
	}
	out = binary.BigEndian.AppendUint32(out, uint32(length))
	out = append(out, kind, flags, 0, 0)
	out = binary.BigEndian.AppendUint32(out, stream)
	for _, part := range parts {
		out = append(out, part...)
	}
	return out
}

func (c *connection) queue(kind byte, stream uint32, payload []byte) {
	c.control = frame(c.control, kind, false, stream, payload)
	c.ready()
}

func (c *connection) turn(s *stream) {
	if !c.inTurn[s] {
		c.inTurn[s] = true
		c.turns = append(c.turns, s)
	}
	c.ready()
}

// ready wakes the writer. While it writes, others only queue.
func (c *connection) ready() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// write is the only place that writes frames.
func (c *connection) write() {
	var batch []byte
	for {
		select {
		case <-c.wake:
		case <-c.gone:
			return
		}
		for {
			var starting []*stream
			batch, starting = c.batch(batch[:0])
			if len(batch) == 0 {
				break
			}
			if _, err := c.socket.Write(batch); err != nil {
				c.lose(err.Error())
				return
			}
			c.enter(starting)
		}
	}
}

// batch takes what is ready: all of control, and one frame of each stream in turn, until it is enough.
func (c *connection) batch(out []byte) ([]byte, []*stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return nil, nil
	}
	out = append(out, c.control...)
	starting := c.starting
	c.control, c.starting = c.control[:0], nil
	for len(c.turns) > 0 && len(out) < enough {
		s, before := c.turns[0], len(out)
		c.turns = c.turns[1:]
		delete(c.inTurn, s)
		out = s.frame(out)
		if len(out) > before { // it gets another turn; who has no window or nothing to send comes back by itself
			c.turns = append(c.turns, s)
			c.inTurn[s] = true
		}
	}
	return out, starting
}

func (c *connection) enter(starting []*stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range starting {
		if !s.closed && !c.stopped {
			s.entered = true
			go s.serve()
		}
	}
}

// closeStream: our direction has ended, nothing more goes out on this stream (rule 4).
func (c *connection) closeStream(s *stream) {
	s.closed = true
	delete(c.streams, s.id)
	if !s.proxyEnded {
		c.halfClosed[s.id] = true
	}
}

// ---- in

// read takes frames until the end. The proxy pings after `ping` seconds of silence; when it does not we ask once, then
// give up (rule 9).
func (c *connection) read() {
	head := make([]byte, headSize)
	for {
		if err := c.awaitOctet(); err != nil {
			c.lose(err.Error())
			return
		}
		if _, err := io.ReadFull(c.in, head); err != nil {
			c.lose(err.Error())
			return
		}
		length := binary.BigEndian.Uint32(head)
		if length > maxFrame {
			c.fault("a frame longer than max-frame")
			io.Copy(io.Discard, c.in)
			continue
		}
		payload := make([]byte, length)
		if _, err := io.ReadFull(c.in, payload); err != nil {
			c.lose(err.Error())
			return
		}
		c.mu.Lock()
		rule := ""
		if !c.stopped {
			rule = c.take(head[4], head[5]&1 == 1, binary.BigEndian.Uint32(head[8:]), payload)
		}
		c.mu.Unlock()
		if rule != "" {
			c.fault(rule)
		}
	}
}

func (c *connection) awaitOctet() error {
	for pinged := false; ; pinged = true {
		c.mu.Lock()
		if c.ping > 0 && !c.stopped {
			wait := 2 * c.ping
			if pinged {
				wait = c.ping
			}
			c.socket.SetReadDeadline(time.Now().Add(time.Duration(wait) * time.Second))
		}
		c.mu.Unlock()
		_, err := c.in.Peek(1)
		var late net.Error
		if err == nil || pinged || !errors.As(err, &late) || !late.Timeout() {
			return err
		}
		c.mu.Lock()
		c.queue(ping, 0, []byte("are you?"))
		c.mu.Unlock()
	}
}

// fault: the proxy has broken a rule.
func (c *connection) fault(rule string) {
	c.peer.logf("fault rule=%q", rule)
	c.linger(frame(nil, fault, false, 0, []byte(rule)))
}

// take handles one frame; it returns the rule that the frame breaks.
func (c *connection) take(kind byte, end bool, id uint32, payload []byte) string {
	s := c.streams[id]
	switch {
	case !c.hasSettings && kind != settings:
		return "the first frame is not SETTINGS"
	case kind == settings:
		return c.onSettings(string(payload))
	case kind == request:
		return c.onRequest(id, payload, end)
	case kind == window && len(payload) != 4:
		return "WINDOW is not 4 octets"
	case kind == ping:
		c.queue(pong, 0, payload)
	case kind == registered:
		if fields := bytes.Split(payload, []byte{0xff}); len(fields) > 2 && len(fields[2]) > 0 {
			c.peer.logf("refused context=%s why=%q", fields[0], fields[2])
		} else {
			c.peer.logf("registered context=%s version=3.0", fields[0])
		}
	case kind == drain:
		c.peer.Log("drain by=proxy")
		c.leave.Do(func() { close(c.leaving) })
	case kind == fault:
		c.peer.logf("error by=proxy text=%q", payload)
		go c.linger(nil)
	case s == nil: // nothing but late frames on a stream that we have ended
		if kind == cancel || (kind == data && end) {
			delete(c.halfClosed, id)
		}
	case kind == data && !s.proxyEnded:
		if s.receiveCredit -= len(payload); s.receiveCredit < 0 {
			return "more body than its window"
		}
		s.proxyEnded = end
		if s.dropping {
			(*body)(s).grant(len(payload))
		} else {
			s.body = append(s.body, payload)
		}
		s.changed.Broadcast()
		if end && s.ended {
			c.closeStream(s)
		}
	case kind == window && c.window != unlimited:
		if s.sendCredit += int(binary.BigEndian.Uint32(payload)); s.sendCredit > unlimited {
			return "more window than 4294967295"
		}
		c.turn(s)
	case kind == cancel:
		s.cancel()
	}
	return ""
}

func (c *connection) onSettings(text string) string {
	c.hasSettings = true
	for _, setting := range strings.Split(text, "\x00") {
		name, value, _ := strings.Cut(setting, "=")
		known := map[string]*int{"window": &c.window, "max-frame": &c.maxFrame, "ping": &c.ping}[name]
		if known == nil {
			continue
		}
		number, err := strconv.ParseUint(value, 10, 32)
		if err != nil || (name == "max-frame" && number < maxFrame) {
			return "SETTINGS with a bad value"
		}
		*known = int(number)
	}
	return ""
}

func (c *connection) onRequest(id uint32, payload []byte, end bool) string {
	if id < 1 || int64(id) > int64(c.peer.Concurrency) || c.streams[id] != nil || c.halfClosed[id] {
		return "REQUEST on a stream that is not free"
	}
	if len(payload) < 4 || int64(binary.BigEndian.Uint32(payload)) > int64(len(payload)-4) {
		return "REQUEST with a broken env block"
	}
	env, body := payload[4:4+binary.BigEndian.Uint32(payload)], payload[4+binary.BigEndian.Uint32(payload):]
	if len(env) > 0 && env[len(env)-1] != 0 {
		return "REQUEST with a broken env block"
	}
	s := c.begin(id, env, body, end)
	if s.receiveCredit < 0 {
		return "more body than its window"
	}
	reason := ""
	if c.draining {
		reason = "draining"
	} else if c.peer.Admit != nil {
		reason = c.peer.Admit(s.env)
	}
	if reason != "" { // before STARTED: it goes to another connection (rule 6)
		c.queue(refused, id, latin(reason)[:min(len(latin(reason)), 1000)])
		c.closeStream(s)
		return ""
	}
	c.starting = append(c.starting, s)
	c.queue(started, id, nil)
	return ""
}

func (c *connection) begin(id uint32, block, body []byte, end bool) *stream {
	env := map[string]string{}
	for _, entry := range strings.Split(string(block), "\x00") {
		if name, value, found := strings.Cut(entry, "="); found {
			env[name] = value
		}
	}
	s := &stream{c: c, id: id, env: env, body: [][]byte{body}, proxyEnded: end, sendCredit: c.window,
		receiveCredit: c.peer.Window - len(body), header: http.Header{}}
	s.changed = sync.NewCond(&c.mu)
	s.context, s.stop = context.WithCancel(context.WithValue(context.Background(), envKey{}, env))
	c.streams[id] = s
	c.good = true
	return s
}

// serveOld is a connection of LRWP 1.0: length, env block, length, body; length, answer; one at a time.
func (c *connection) serveOld() {
	for {
		env, err := c.readOld()
		var body []byte
		if err == nil {
			body, err = c.readOld()
		}
		c.mu.Lock()
		if err != nil || c.stopped {
			c.mu.Unlock()
			c.lose(fmt.Sprint("the proxy has closed: ", err))
			return
		}
		s := c.begin(1, env, body, true)
		s.entered, c.busy = true, true
		c.mu.Unlock()
		s.serve()
		output := append(s.head, s.out...)
		c.socket.Write(append(fmt.Appendf(nil, "%09d", len(output)), output...))
		c.mu.Lock()
		c.closeStream(s)
		c.busy = false
		draining := c.draining
		c.mu.Unlock()
		if draining {
			c.linger(nil)
		}
	}
}

func (c *connection) readOld() ([]byte, error) {
	digits := make([]byte, 9)
	if _, err := io.ReadFull(c.in, digits); err != nil {
		return nil, err
	}
	length, err := strconv.ParseUint(string(digits), 10, 32)
	if err != nil {
		return nil, err
	}
	octets, err := io.ReadAll(io.LimitReader(c.in, int64(length)))
	if err == nil && uint64(len(octets)) < length {
		err = io.ErrUnexpectedEOF
	}
	return octets, err
}

// ---- a request

// stream is one request and its answer: the handler's http.ResponseWriter, and its body. Under its connection's mu.
type stream struct {
	c             *connection
	id            uint32
	env           map[string]string
	context       context.Context
	stop          context.CancelFunc
	changed       *sync.Cond // body has come, or room for more answer, or the end
	body          [][]byte
	header        http.Header
	head, out     []byte // of the answer, not yet sent
	hasHead       bool
	flushing      bool // what is in out may go before the handler has returned
	proxyEnded    bool
	entered       bool
	over          bool // the handler has returned
	closed        bool // our direction has ended
	tunnel        bool // the answer is 101: both directions go on until each has ended (rule 12)
	hijacked      bool
	ended         bool // our END is out
	dropping      bool // what the client of a tunnel still sends is dropped
	cancelled     bool
	sendCredit    int
	receiveCredit int
	owed          int // read by the handler, not yet granted again
}

// aborted is the failure of a handler that wants its client to be cut: http.ErrAbortHandler.
const aborted = "the handler gave up"

// serve runs the handler.
func (s *stream) serve() {
	failure := s.handle()
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.stop()
	if failure == "" && s.hijacked { // it goes on until it is closed
		return
	}
	if failure == "" && !s.hasHead {
		if err := s.writeHead(http.StatusOK); err != nil {
			s.c.peer.logf("failed why=%q", err)
			failure = err.Error()
		}
	}
	sent := s.hasHead && len(s.head) == 0
	cut := failure == aborted || sent || s.hijacked || s.cancelled
	if failure != "" && (!cut || s.c.version == 1) { // 1.0 cannot say it otherwise
		s.head = []byte("Status: 500 Internal Server Error\r\nContent-Type: text/plain\r\n\r\n")
		s.out, s.hasHead, s.tunnel, failure = []byte("internal error\n"), true, false, ""
	}
	s.over = true
	if s.c.version == 1 {
		return
	}
	if failure != "" || s.cancelled {
		s.fail(failure)
		return
	}
	s.c.turn(s)
}

func (s *stream) handle() (failure string) {
	defer func() {
		if cause := recover(); cause != nil {
			failure = aborted
			if cause != http.ErrAbortHandler {
				failure = "the handler failed"
				s.c.peer.logf("failed why=%q\n%s", cause, debug.Stack())
			}
		}
	}()
	if s.env["SERVER_PROTOCOL"] == "" {
		s.env["SERVER_PROTOCOL"] = "HTTP/1.1"
	}
	r, err := cgi.RequestFromMap(s.env)
	if err != nil {
		return err.Error()
	}
	r.Body = (*body)(s)
	s.c.peer.handler.ServeHTTP((*answer)(s), r.WithContext(s.context))
	return ""
}

// fail ends the stream without a whole answer.
func (s *stream) fail(reason string) {
	if s.closed {
		return
	}
	if !s.c.stopped && s.c.version == 3 && !(s.ended && s.proxyEnded) {
		s.c.queue(cancel, s.id, latin(reason)[:min(len(latin(reason)), 1000)])
	}
	s.c.closeStream(s)
}

// cancel tells the handler. One that runs has to end by itself; that is what frees the slot (rule 4).
func (s *stream) cancel() {
	s.proxyEnded, s.cancelled = true, true
	s.out = nil
	s.stop()
	s.changed.Broadcast()
	if s.over || s.tunnel || !s.entered {
		s.fail("")
	}
}

// frame appends the next frame of the answer, if window and progress allow one. What is whole and fits is one frame.
func (s *stream) frame(out []byte) []byte {
	if s.closed || s.ended || s.cancelled || !s.hasHead || (!s.over && !s.flushing) {
		return out
	}
	room := s.c.maxFrame - len(s.head)
	count := min(len(s.out), turnSize, room, s.sendCredit)
	if len(s.head) > 0 && s.over && len(s.out) <= room && !s.tunnel {
		count = min(len(s.out), s.sendCredit)
	}
	end := s.over && count == len(s.out) && !(s.tunnel && len(s.head) > 0)
	if count == 0 && !end && len(s.head) == 0 {
		return out
	}
	kind := byte(data)
	if len(s.head) > 0 {
		kind = response
	}
	out = frame(out, kind, end, s.id, s.head, s.out[:count])
	s.head, s.out = nil, s.out[count:]
	if s.c.window != unlimited {
		s.sendCredit -= count
	}
	s.flushing = len(s.out) > 0
	s.changed.Broadcast()
	s.ended = end
	if end && (!s.tunnel || s.proxyEnded) {
		s.c.closeStream(s)
	}
	return out
}

// writeHead makes the head. What is no header field is an error, so that no value can become a header of its own.
func (s *stream) writeHead(status int) error {
	if status < 100 || status > 999 {
		return errors.New("the status is not three digits")
	}
	for name, values := range s.header {
		if strings.Trim(name, tokenCharacters) != "" || name == "" || strings.EqualFold(name, "Status") {
			return errors.New("the name of a header is not a token, or Status")
		}
		for _, value := range values {
			if strings.IndexFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) >= 0 {
				return errors.New("the value of " + name + " holds a control")
			}
		}
	}
	var head bytes.Buffer
	fmt.Fprintf(&head, "Status: %d %s\r\n", status, http.StatusText(status))
	s.header.Write(&head)
	head.WriteString("\r\n")
	if head.Len() > s.c.maxFrame {
		return errors.New("the head of the answer is too long")
	}
	s.hasHead, s.head = true, head.Bytes()
	return nil
}

// mustWriteHead is for the handler's own goroutine: a head that cannot be sent ends the handler.
func (s *stream) mustWriteHead(status int) {
	if err := s.writeHead(status); err != nil {
		panic(err)
	}
}

const tokenCharacters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// answer is a stream as its handler's http.ResponseWriter and http.Flusher.
type answer stream

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	if a.hasHead {
		return
	}
	if status == http.StatusSwitchingProtocols && a.env["HTTP_UPGRADE"] != "" {
		(*stream)(a).mustWriteHead(status)
		a.tunnel, a.flushing = true, true
		a.c.turn((*stream)(a))
	} else if status >= 200 || status < 100 {
		(*stream)(a).mustWriteHead(status)
	}
}

// Hijack makes the request a two-way connection: http.Hijacker. The 101 is what WriteHeader was told before, or what is
// written to the connection first.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	if a.hijacked || (a.hasHead && !a.tunnel) || a.env["HTTP_UPGRADE"] == "" {
		return nil, nil, errors.New("lrwp: this request is no upgrade, or has its answer")
	}
	a.hijacked = true
	conn := &tunnel{s: (*stream)(a)}
	return conn, bufio.NewReadWriter(bufio.NewReader(conn), bufio.NewWriter(conn)), nil
}

// tunnel is a stream as a net.Conn. CloseWrite ends one direction; Close also drops what still comes.
type tunnel struct {
	s           *stream
	raw         []byte // of a head that is written here
	read, write time.Time
}

func (t *tunnel) Read(into []byte) (int, error) {
	t.s.c.mu.Lock()
	defer t.s.c.mu.Unlock()
	return t.s.readUntil(into, func() time.Time { return t.read })
}

func (t *tunnel) Write(piece []byte) (int, error) {
	s := t.s
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	rest := piece
	if !s.hasHead {
		var err error
		if rest, err = t.writeHead(piece); err != nil {
			return 0, err
		}
	}
	if s.over || s.closed || s.cancelled {
		return 0, net.ErrClosed
	}
	s.out = append(s.out, rest...)
	s.flushing = true
	s.c.turn(s)
	for len(s.out) > pending && !s.cancelled && !s.closed {
		if !t.write.IsZero() && !time.Now().Before(t.write) {
			return 0, os.ErrDeadlineExceeded
		}
		s.changed.Wait()
	}
	return len(piece), nil
}

// writeHead takes the head of the answer as a server of HTTP would write it; what follows it is returned.
func (t *tunnel) writeHead(piece []byte) ([]byte, error) {
	t.raw = append(t.raw, piece...)
	end := bytes.Index(t.raw, []byte("\r\n\r\n"))
	if end < 0 {
		return nil, nil
	}
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(t.raw[:end+4])), nil)
	if err != nil {
		return nil, err
	}
	t.s.header = answer.Header
	if err := t.s.writeHead(answer.StatusCode); err != nil {
		return nil, err
	}
	t.s.tunnel = answer.StatusCode == http.StatusSwitchingProtocols
	return t.raw[end+4:], nil
}

// CloseWrite ends the peer's direction.
func (t *tunnel) CloseWrite() error {
	t.s.c.mu.Lock()
	defer t.s.c.mu.Unlock()
	if !t.s.hasHead {
		t.s.fail("the connection was closed without an answer")
	}
	t.s.over = true
	t.s.c.turn(t.s)
	return nil
}

func (t *tunnel) Close() error {
	err := t.CloseWrite()
	s := t.s
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.dropping = true
	for _, piece := range s.body {
		(*body)(s).grant(len(piece))
	}
	s.body = nil
	s.changed.Broadcast()
	return err
}

func (t *tunnel) LocalAddr() net.Addr  { return t.s.c.socket.LocalAddr() }
func (t *tunnel) RemoteAddr() net.Addr { return t.s.c.socket.RemoteAddr() }

func (t *tunnel) SetDeadline(at time.Time) error      { return t.deadline(at, &t.read, &t.write) }
func (t *tunnel) SetReadDeadline(at time.Time) error  { return t.deadline(at, &t.read) }
func (t *tunnel) SetWriteDeadline(at time.Time) error { return t.deadline(at, &t.write) }

func (t *tunnel) deadline(at time.Time, which ...*time.Time) error {
	t.s.c.mu.Lock()
	defer t.s.c.mu.Unlock()
	for _, one := range which {
		*one = at
	}
	t.s.changed.Broadcast()
	if !at.IsZero() {
		time.AfterFunc(time.Until(at), func() {
			t.s.c.mu.Lock()
			defer t.s.c.mu.Unlock()
			t.s.changed.Broadcast()
		})
	}
	return nil
}

// Write keeps small pieces until Flush, the end, or enough. It waits while the client is slow.
func (a *answer) Write(piece []byte) (int, error) {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	if !a.hasHead {
		if a.header.Get("Content-Type") == "" {
			a.header.Set("Content-Type", http.DetectContentType(piece))
		}
		(*stream)(a).mustWriteHead(http.StatusOK)
	}
	if a.cancelled {
		return 0, ErrCancelled
	}
	a.out = append(a.out, piece...)
	if a.c.version == 3 && len(a.out) >= turnSize {
		a.flushing = true
		a.c.turn((*stream)(a))
		for len(a.out) > pending && !a.cancelled {
			a.changed.Wait()
		}
	}
	return len(piece), nil
}

// Flush sends what has been written, at once.
func (a *answer) Flush() {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	if !a.hasHead {
		(*stream)(a).mustWriteHead(http.StatusOK)
	}
	if a.c.version == 3 {
		a.flushing = true
		a.c.turn((*stream)(a))
	}
}

// body is a stream as its request's Body. What is read is granted again.
type body stream

func (b *body) Read(into []byte) (int, error) {
	b.c.mu.Lock()
	defer b.c.mu.Unlock()
	return (*stream)(b).readUntil(into, func() time.Time { return time.Time{} })
}

// readUntil reads what has come of the body, and waits for it until a moment that may change; none is for ever.
func (s *stream) readUntil(into []byte, until func() time.Time) (int, error) {
	b := (*body)(s)
	for {
		for len(b.body) > 0 && len(b.body[0]) == 0 {
			b.body = b.body[1:]
		}
		switch {
		case b.cancelled:
			return 0, ErrCancelled
		case b.dropping:
			return 0, net.ErrClosed
		case len(b.body) > 0:
			n := copy(into, b.body[0])
			b.body[0] = b.body[0][n:]
			b.grant(n)
			return n, nil
		case b.proxyEnded:
			return 0, io.EOF
		case !until().IsZero() && !time.Now().Before(until()):
			return 0, os.ErrDeadlineExceeded
		}
		b.changed.Wait()
	}
}

func (b *body) grant(n int) {
	if b.owed += n; b.owed >= b.c.peer.Window/2 && !b.proxyEnded && !b.closed {
		b.c.queue(window, b.id, binary.BigEndian.AppendUint32(nil, uint32(b.owed)))
		b.receiveCredit += b.owed
		b.owed = 0
	}
}

func (b *body) Close() error { return nil }
