package lrwp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	enough     = 131072 // no more bytes than these are made ready before a write
	lingerTime = time.Second
)

// halfCloser is a socket, plain or inside TLS.
type halfCloser interface {
	net.Conn
	CloseWrite() error
}

// slot is a number that the proxy may give to a request.
type slot struct {
	stream     *stream // until our direction has ended
	halfClosed bool    // the proxy's direction has not
	late       int64   // window granted behind our END: the next request may use it (rule 12.8)
}

// connection is one connection to a proxy. What is not set once stands under mu.
type connection struct {
	peer    *peer
	at      string
	version string
	socket  halfCloser
	in      *bufio.Reader
	leaving chan struct{} // closed: no new requests from here, the next connection has to be dialled
	gone    chan struct{}
	wake    chan struct{} // for the writer: something is ready
	leave   sync.Once
	end     sync.Once

	mu       sync.Mutex
	draining bool
	stopped  bool // our write side is shut, or about to be: nothing new begins
	busy     bool // 1.0: a request is being served
	reading  bool // more frames are about to be handled: the writer waits for what they make ready

	window, maxFrame, ping int64 // the proxy's
	hasSettings            bool
	asking                 map[string]bool // contexts that were refused and will be asked for again
	lines                  []string        // for the log, as soon as mu is free
	slots                  []slot          // by number
	control                []byte          // frames that wait for no window
	starting               []*stream       // whose STARTED is among them
	entering               []*stream       // the room for starting while the writer enters its handlers
	turns                  []*stream       // with something to send, in the order of their turns
}

func newConnection(p *peer, at, version string, socket halfCloser, in *bufio.Reader) *connection {
	return &connection{
		peer: p, at: at, version: version, socket: socket, in: in, window: maxFrame, maxFrame: maxFrame,
		leaving: make(chan struct{}), gone: make(chan struct{}), wake: make(chan struct{}, 1), asking: map[string]bool{},
	}
}

// run serves until the end of the connection. The end of the context lets it drain.
func (c *connection) run(ctx context.Context) {
	go func() {
		defer c.peer.running.Done()
		select {
		case <-c.gone:
			return
		case <-ctx.Done():
		}
		c.beginDrain()
		late := time.NewTimer(time.Duration(c.peer.DrainSeconds * float64(time.Second)))
		defer late.Stop()
		select {
		case <-c.gone:
			return
		case <-late.C:
			c.linger(nil)
		}
		<-c.gone
	}()
	if c.version == version10 {
		go c.serveOld()
		return
	}
	go c.write()
	go c.read()
}

// greet makes our first frames ready. The context of the handshake is registered.
func (c *connection) greet(lead int) {
	p, stream := c.peer, 0
	if p.Stream {
		stream = 1
	}
	text := latin(fmt.Sprintf("name=%s\x00capacity=%d\x00window=%d\x00started=1\x00stream=%d\x00ping=1\x00instance=%s\x00",
		p.Name, p.Concurrency, p.Window, stream, instance))
	if p.Upgrades != "" {
		text = append(text, "upgrade="+p.Upgrades+"\x00"...)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue(settings, 0, text)
	for i, context := range p.Context {
		if i != lead {
			c.queue(register, 0, p.names(context))
		}
	}
}

// note keeps a line for the log. Nobody's Log is called with mu held.
func (c *connection) note(format string, arguments ...any) {
	c.lines = append(c.lines, fmt.Sprintf(format, arguments...))
}

// log writes what was noted.
func (c *connection) log() {
	c.mu.Lock()
	lines := c.lines
	c.lines = nil
	c.mu.Unlock()
	for _, line := range lines {
		c.peer.Log(line)
	}
}

// ---- its end

func (c *connection) lose(why error) {
	c.end.Do(func() {
		c.socket.Close()
		c.abandon()
		c.peer.remove(c)
		c.mu.Lock()
		draining := c.draining
		c.mu.Unlock()
		if !draining {
			c.peer.logf("lost version=%s proxy=%s why=%q", c.version, c.at, why)
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
	c.control, c.starting = nil, nil
	for i := range c.slots {
		if s := c.slots[i].stream; s != nil {
			s.cancel()
		}
	}
}

// linger writes a last frame and shuts the write side; the reader goes on to the end, so that the other side gets all
// that was written (rule 5). What was not yet written is dropped: none of it has begun.
func (c *connection) linger(last []byte) {
	c.mu.Lock()
	stopped := c.stopped
	c.stopped = true
	c.mu.Unlock()
	if stopped {
		return
	}
	c.abandon()
	c.socket.SetDeadline(time.Now().Add(lingerTime))
	c.socket.Write(last)
	c.socket.CloseWrite()
}

// beginDrain: no new requests; the proxy closes after the last answer (rule 10).
func (c *connection) beginDrain() {
	c.mu.Lock()
	if c.draining {
		c.mu.Unlock()
		return
	}
	c.draining = true
	if c.version != version10 {
		c.queue(drain, 0, nil)
		for i := range c.slots { // what waits for a handler of ours has not begun: somebody else gets it
			if s := c.slots[i].stream; s != nil && s.waiting {
				s.refuse("draining")
			}
		}
	}
	idle := c.version == version10 && !c.busy
	c.mu.Unlock()
	if idle {
		c.linger(nil)
	}
}

// ---- out

func (c *connection) queue(kind byte, stream uint32, payload []byte) {
	c.control = appendFrame(c.control, kind, false, stream, payload)
	c.ready()
}

// turn puts a stream into the row of those with something to send.
func (c *connection) turn(s *stream) {
	if !s.inTurn {
		s.inTurn = true
		c.turns = append(c.turns, s)
	}
	c.ready()
}

// ready wakes the writer. While it writes, others only queue.
func (c *connection) ready() {
	if c.reading {
		return
	}
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
		runtime.Gosched() // who is about to make something ready comes first: one write for all
		for {
			var starting []*stream
			batch, starting = c.batch(batch[:0])
			if len(batch) == 0 {
				break
			}
			if _, err := c.socket.Write(batch); err != nil {
				c.lose(err)
				return
			}
			if len(starting) > 0 {
				c.enter(starting)
			}
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
	c.control = c.control[:0]
	var starting []*stream
	if len(c.starting) > 0 {
		starting, c.starting, c.entering = c.starting, c.entering[:0], nil
	}
	taken := 0
	for ; taken < len(c.turns) && len(out) < enough; taken++ {
		s, before := c.turns[taken], len(out)
		s.inTurn = false
		out = s.appendFrame(out)
		if len(out) > before && s.hasMore() { // who has no window or nothing to send comes back by itself
			s.inTurn = true
			c.turns = append(c.turns, s)
		}
	}
	left := copy(c.turns, c.turns[taken:])
	clear(c.turns[left:])
	c.turns = c.turns[:left]
	return out, starting
}

// enter runs the handlers whose STARTED is written.
func (c *connection) enter(starting []*stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range starting {
		starting[i] = nil
		switch {
		case s.closed || c.stopped:
			s.release()
		default:
			s.entered = true
			c.peer.workers.serve(s)
		}
	}
	c.entering = starting
}

// close: our direction of a stream has ended, nothing more goes out on it (rule 4).
func (c *connection) close(s *stream) {
	s.closed = true
	s.recycle()
	place := &c.slots[s.id]
	place.stream, place.halfClosed = nil, !s.proxyEnded
	place.late = s.late
	if s.waiting && c.peer.slots.forget(s) {
		s.waiting = false
	}
	if !s.entered || s.returned {
		s.release()
	}
}

// ---- in

// read takes frames until the end.
func (c *connection) read() {
	frames := frameReader{in: c.in}
	for {
		if err := c.awaitFrame(&frames); err != nil {
			c.lose(err)
			return
		}
		f, err := frames.next()
		if err == errLongFrame {
			c.fault(err.Error())
			io.Copy(io.Discard, c.in)
			err = io.EOF
		}
		if err != nil {
			c.lose(err)
			return
		}
		var s *stream
		if f.kind == request {
			s = c.parse(f)
		}
		c.mu.Lock()
		c.reading = true
		rule := ""
		if !c.stopped {
			rule = c.take(f, s)
		}
		// An Admit may take its time: what is ready need not wait for it.
		if c.reading = rule == "" && c.peer.Admit == nil && frames.hasNext(); !c.reading && (len(c.control) > 0 || len(c.turns) > 0) {
			c.ready()
		}
		c.mu.Unlock()
		c.log()
		if rule != "" {
			c.fault(rule)
		}
	}
}

// awaitFrame waits for a first byte. The proxy pings after `ping` seconds of silence; when it does not we ask once,
// then give up (rule 9).
func (c *connection) awaitFrame(frames *frameReader) error {
	for pinged := false; c.in.Buffered() == frames.used; pinged = true {
		c.mu.Lock()
		if c.ping > 0 && !c.stopped {
			wait := 2 * c.ping
			if pinged {
				wait = c.ping
			}
			c.socket.SetReadDeadline(time.Now().Add(time.Duration(wait) * time.Second))
		}
		c.mu.Unlock()
		_, err := c.in.Peek(frames.used + 1)
		var late net.Error
		if err == nil || pinged || !errors.As(err, &late) || !late.Timeout() {
			return err
		}
		c.mu.Lock()
		if c.stopped {
			c.mu.Unlock()
			return err
		}
		c.queue(ping, 0, []byte("are you?"))
		c.mu.Unlock()
	}
	return nil
}

// fault: the proxy has broken a rule.
func (c *connection) fault(rule string) {
	c.peer.logf("fault proxy=%s rule=%q", c.at, rule)
	c.linger(appendFrame(nil, fault, false, 0, []byte(rule)))
}

// take handles one frame; a REQUEST comes with its stream. It returns the rule that the frame breaks.
func (c *connection) take(f frame, asked *stream) string {
	switch {
	case !c.hasSettings && f.kind != settings:
		return "the first frame is not SETTINGS"
	case f.kind == settings:
		return c.onSettings(string(f.payload))
	case f.kind == request:
		return c.onRequest(f, asked)
	case f.kind == window && len(f.payload) != 4:
		return "WINDOW is not 4 bytes"
	case f.kind == ping && len(f.payload) != 8:
		return "PING is not 8 bytes"
	case f.kind == ping:
		c.queue(pong, 0, f.payload)
	case f.kind == registered:
		c.onRegistered(f.payload)
	case f.kind == drain:
		c.note("drain by=proxy proxy=%s", c.at)
		c.leave.Do(func() { close(c.leaving) })
	case f.kind == fault:
		c.note("error by=proxy proxy=%s text=%q", c.at, f.payload)
		go c.linger(nil)
	case f.stream > 0 && int64(f.stream) < int64(len(c.slots)):
		return c.onStream(f, &c.slots[f.stream])
	}
	return ""
}

func (c *connection) onRegistered(payload []byte) {
	fields := bytes.Split(payload, []byte{delimiter})
	if len(fields) > 2 && len(fields[2]) > 0 {
		c.note("%s", refusal(fields[2]).line(string(fields[0]), c.at))
		c.askAgain(fields[0])
	} else {
		c.note("registered context=%s version=%s proxy=%s", fields[0], c.version, c.at)
	}
}

// askAgain asks for a refused context once more after a while: the proxy may have been configured for it.
func (c *connection) askAgain(refused []byte) {
	for _, context := range c.peer.Context {
		if context := context; bytes.Equal(refused, latin(context)) && !c.asking[context] {
			c.asking[context] = true
			time.AfterFunc(c.peer.askAgain, func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				if c.asking[context] = false; !c.stopped && !c.draining {
					c.queue(register, 0, c.peer.names(context))
				}
			})
		}
	}
}

func (c *connection) onSettings(text string) string {
	if c.hasSettings {
		return "a second SETTINGS"
	}
	if text != "" && !strings.HasSuffix(text, "\x00") {
		return "SETTINGS without a NUL at the end"
	}
	c.hasSettings = true
	for _, setting := range strings.Split(text, "\x00") {
		name, value, _ := strings.Cut(setting, "=")
		known := map[string]*int64{"window": &c.window, "max-frame": &c.maxFrame, "ping": &c.ping}[name]
		if known == nil {
			continue
		}
		number, err := strconv.ParseUint(value, 10, 32)
		if err != nil || (name == "max-frame" && number < maxFrame) {
			return "SETTINGS with a bad value"
		}
		*known = int64(number)
	}
	return ""
}

// parse makes the stream of a REQUEST, and asks whether it is admitted; nil when its env block is broken.
func (c *connection) parse(f frame) *stream {
	if len(f.payload) < 4 {
		return nil
	}
	length, rest := binary.BigEndian.Uint32(f.payload), f.payload[4:]
	if int64(length) > int64(len(rest)) || (length > 0 && rest[length-1] != 0) {
		return nil
	}
	s := newStream(c, f.stream, string(rest[:length]))
	s.proxyEnded = f.end
	if body := rest[length:]; len(body) > 0 {
		s.body = append(s.body, append([]byte(nil), body...))
	}
	s.received = int64(len(rest)) - int64(length)
	s.refusal = s.admit()
	return s
}

func (c *connection) onRequest(f frame, s *stream) string {
	if f.stream < 1 || int64(f.stream) > int64(c.peer.Concurrency) {
		return "REQUEST on a stream above the capacity"
	}
	for int64(len(c.slots)) <= int64(f.stream) {
		c.slots = append(c.slots, slot{})
	}
	place := &c.slots[f.stream]
	if place.stream != nil || place.halfClosed {
		return "REQUEST on a stream that is not free"
	}
	if s == nil {
		return "REQUEST with a broken env block"
	}
	s.sendCredit = c.window
	s.receiveCredit = c.peer.Window + place.late - s.received
	if s.receiveCredit < 0 {
		return "more body than its window"
	}
	place.stream, place.late = s, 0
	switch {
	case c.draining:
		s.refuse("draining")
	case s.refusal != "": // before STARTED: it goes to another connection (rule 6)
		s.refuse(s.refusal)
	case c.peer.slots.take(s):
		s.begin()
	default:
		s.waiting = true
	}
	return ""
}

// onStream takes what concerns a request that is there, or was.
func (c *connection) onStream(f frame, place *slot) string {
	s := place.stream
	switch {
	case s == nil: // nothing but late frames on a stream that we have ended
		if f.kind == cancel || (f.kind == data && f.end) {
			place.halfClosed = false
		}
	case f.kind == data && !s.proxyEnded:
		if c.peer.Window != unlimited {
			if s.receiveCredit -= int64(len(f.payload)); s.receiveCredit < 0 {
				return "more body than its window"
			}
		}
		s.proxyEnded = f.end
		if s.dropping {
			s.grant(len(f.payload))
		} else if len(f.payload) > 0 {
			s.body = append(s.body, append([]byte(nil), f.payload...))
		}
		s.changed.Broadcast()
		if f.end && s.ended {
			c.close(s)
		}
	case f.kind == window && c.window != unlimited:
		if s.sendCredit += int64(binary.BigEndian.Uint32(f.payload)); s.sendCredit > unlimited {
			return "more window than 4294967295"
		}
		c.turn(s)
	case f.kind == cancel:
		s.cancel()
	}
	return ""
}
