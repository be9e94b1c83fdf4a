package lrwp

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

const (
	pending = 65536 // a handler that has written more waits

	// aborted is the failure of a handler that wants its client to be cut: http.ErrAbortHandler.
	aborted = "the handler gave up"
)

// stream is one request and its answer. What is not set once stands under its connection's mu.
//
//	WAITING ----------> STARTING ----------> ENTERED ----------> returned, and in the end closed
//	 no handler is free  STARTED is queued    the handler runs
//
// Refused, cancelled or lost before ENTERED it is closed and its handler does not run.
type stream struct {
	c        *connection
	id       uint32
	block    string // the env block
	once     sync.Once
	vars     map[string]string // the env block as a map, once somebody asks
	refusal  string
	received int64 // bytes of body in the REQUEST
	context  context.Context
	stop     context.CancelFunc
	isHead   bool
	client   string    // its address
	changed  sync.Cond // body has come, or room for more answer, or the end

	waiting  bool // for a slot
	holds    bool // a slot
	entered  bool
	returned bool // the handler has
	over     bool // nothing more will be written
	inTurn   bool
	closed   bool // our direction has ended
	ended    bool // our END is out

	body          [][]byte
	first         [1][]byte // the room for one piece of body
	proxyEnded    bool
	bodyClosed    bool
	dropping      bool // what still comes is dropped
	cancelled     bool
	receiveCredit int64
	owed          int64 // read by the handler, not yet granted again
	late          int64 // granted behind our END

	header     http.Header
	status     int    // 0: the handler has said nothing yet
	head       []byte // of the answer, not yet sent
	committed  bool   // the head is complete
	headSent   bool
	sniffing   bool  // a Content-Type is to be found
	length     int64 // what the handler's Content-Length says, or -1
	written    int64
	failure    error // why the answer cannot be sent
	out        []byte
	sent       int // of out
	buffer     *buffer
	flushing   bool // what is in out may go before the handler has returned
	sendCredit int64

	upgrade     bool // another protocol is offered
	tunnel      bool // the answer is 101: both directions go on until each has ended (rule 12)
	hijacked    bool
	readBefore  time.Time
	writeBefore time.Time
}

func newStream(c *connection, id uint32, block string) *stream {
	s := &stream{c: c, id: id, block: block, length: -1}
	s.changed.L = &c.mu
	s.body = s.first[:0]
	s.context, s.stop = context.WithCancel(c.peer.base)
	return s
}

// streamKey finds the stream in the context of its request.
type streamKey struct{}

// server is what a handler finds of its server. One that finds none takes itself for tested: httputil.ReverseProxy then
// ends an answer that broke off as if it were whole.
var server = new(http.Server)

// streamContext is the context of a request.
type streamContext struct {
	context.Context
	s *stream
}

func (c streamContext) Value(key any) any {
	switch key {
	case streamKey{}:
		return c.s
	case http.ServerContextKey:
		return server
	case http.LocalAddrContextKey:
		return c.s.c.socket.LocalAddr()
	}
	return c.Context.Value(key)
}

// env is for any goroutine, without mu.
func (s *stream) env() map[string]string {
	s.once.Do(func() { s.vars = envOf(s.block) })
	return s.vars
}

// admit asks the program whether it wants the request, without mu.
func (s *stream) admit() (refusal string) {
	if s.c.peer.Admit == nil {
		return ""
	}
	defer func() {
		if cause := recover(); cause != nil {
			s.c.peer.logf("failed admission why=%q\n%s", fmt.Sprint(cause), debug.Stack())
			refusal = "the admission failed"
		}
	}()
	return s.c.peer.Admit(s.env())
}

func (s *stream) refuse(why string) {
	s.c.queue(refused, s.id, reason(why))
	s.c.close(s)
}

// begin: the handler is entered as soon as STARTED is written.
func (s *stream) begin() {
	s.holds = true
	s.c.starting = append(s.c.starting, s)
	s.c.queue(started, s.id, nil)
}

// start is a waiter's: a slot is free at last.
func (s *stream) start() {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.waiting = false
	if s.closed || s.c.stopped {
		s.c.peer.slots.give()
		return
	}
	s.begin()
}

// release gives the slot back.
func (s *stream) release() {
	if s.holds {
		s.holds = false
		s.c.peer.slots.give()
	}
}

// serve runs the handler.
func (s *stream) serve() {
	failure := s.handle()
	defer s.c.log()
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.stop()
	s.returned = true
	s.changed.Broadcast()
	if s.closed {
		s.release()
		return
	}
	if failure != "" || !s.hijacked { // what is hijacked goes on until it is closed
		s.finish(failure)
	}
}

// finish: the answer is whole, or there will be none.
func (s *stream) finish(failure string) {
	s.over = true
	if failure == "" {
		failure = s.complete()
	}
	cut := failure == aborted || s.headSent || s.hijacked || s.cancelled
	if failure != "" && (!cut || s.c.version == version10) { // 1.0 cannot say it otherwise
		s.answerInternalError()
		failure = ""
	}
	if s.c.version == version10 {
		return
	}
	if failure != "" || s.cancelled {
		s.fail(failure)
		return
	}
	s.c.turn(s)
}

// complete makes the head of an answer that is all there; it returns why that cannot be.
func (s *stream) complete() string {
	s.writeHeader(http.StatusOK)
	if s.failure == nil && s.written < s.length && s.allowsBody() && !s.isHead {
		s.failure = fmt.Errorf("the handler wrote %d bytes, and its Content-Length says %d", s.written, s.length)
	}
	s.commit()
	if s.failure == nil || s.cancelled {
		return ""
	}
	s.c.note("failed request=%q why=%q", s.line(), s.failure)
	return s.failure.Error()
}

func (s *stream) line() string { return s.env()["REQUEST_METHOD"] + " " + s.env()["REQUEST_URI"] }

func (s *stream) handle() (failure string) {
	defer func() {
		if cause := recover(); cause != nil {
			failure = aborted
			if cause != http.ErrAbortHandler {
				failure = "the handler failed"
				s.c.peer.logf("failed request=%q why=%q\n%s", s.line(), fmt.Sprint(cause), debug.Stack())
			}
		}
	}()
	if pass, ok := s.c.peer.handler.(relay); ok {
		pass((*Exchange)(s))
		return ""
	}
	s.header = http.Header{}
	r, err := s.makeRequest()
	if err != nil {
		http.Error((*answer)(s), err.Error(), http.StatusBadRequest)
		return ""
	}
	s.c.peer.handler.ServeHTTP((*answer)(s), r)
	return ""
}

// fail ends the stream without a whole answer.
func (s *stream) fail(why string) {
	if s.closed {
		return
	}
	if !s.c.stopped && s.c.version != version10 && !(s.ended && s.proxyEnded) {
		s.c.queue(cancel, s.id, reason(why))
	}
	s.c.close(s)
}

// cancel tells the handler. One that runs has to end by itself; that is what frees the slot (rule 4).
func (s *stream) cancel() {
	s.proxyEnded, s.cancelled = true, true
	s.out, s.sent = s.out[:0], 0
	s.stop()
	s.changed.Broadcast()
	if s.over || s.tunnel || !s.entered {
		s.fail("")
	}
}

// ---- the answer on its way

// buffer is what an answer is collected in.
type buffer struct{ head, out []byte }

var buffers = sync.Pool{New: func() any { return &buffer{make([]byte, 0, 512), make([]byte, 0, 4096)} }}

func (s *stream) unsent() int { return len(s.out) - s.sent }

// recycle: nothing is written any more.
func (s *stream) recycle() {
	if s.buffer != nil {
		if cap(s.out) <= 2*pending {
			s.buffer.out = s.out
		}
		buffers.Put(s.buffer)
	}
	s.head, s.out, s.sent, s.buffer = nil, nil, 0, nil
}

// borrow gets the buffer, before the first byte of head or body.
func (s *stream) borrow() {
	if s.buffer == nil {
		s.buffer = buffers.Get().(*buffer)
		s.head, s.out = s.buffer.head[:0], s.buffer.out[:0]
	}
}

func appendOut[T string | []byte](s *stream, piece T) {
	s.borrow()
	if s.sent > 0 && len(s.out)+len(piece) > cap(s.out) {
		s.out = s.out[:copy(s.out, s.out[s.sent:])]
		s.sent = 0
	}
	s.out = append(s.out, piece...)
}

// put appends to what is to be sent, and waits while there is too much of it. The stream is flushed at each so many
// bytes.
func put[T string | []byte](s *stream, piece T, flushAt int) (int, error) {
	total := len(piece)
	for {
		switch {
		case s.cancelled:
			return total - len(piece), ErrCancelled
		case s.closed || s.over:
			return total - len(piece), net.ErrClosed
		case past(s.writeBefore):
			return total - len(piece), os.ErrDeadlineExceeded
		}
		room := pending - s.unsent()
		if s.c.version == version10 {
			room = len(piece)
		}
		if n := min(room, len(piece)); n > 0 {
			appendOut(s, piece[:n])
			piece = piece[n:]
			if s.unsent() >= flushAt {
				s.flush()
			}
		}
		if len(piece) == 0 {
			return total, nil
		}
		if s.failure != nil { // nothing will be sent, so no room will come
			return total - len(piece), s.failure
		}
		s.changed.Wait()
	}
}

func past(moment time.Time) bool { return !moment.IsZero() && !time.Now().Before(moment) }

// flush lets go what has been written.
func (s *stream) flush() {
	s.commit()
	if s.c.version == version10 || s.failure != nil || s.closed {
		return
	}
	s.flushing = true
	s.c.turn(s)
}

// hasMore: another frame may be made.
func (s *stream) hasMore() bool {
	return !s.closed && !s.ended && (s.over || s.flushing)
}

// appendFrame appends the next frame of the answer, if window and progress allow one. What is whole and fits is one
// frame.
func (s *stream) appendFrame(out []byte) []byte {
	if s.closed || s.ended || s.cancelled || !s.committed || (!s.over && !s.flushing) {
		return out
	}
	room := int(min(s.c.maxFrame, 1<<24)) - len(s.head)
	length := s.unsent()
	count := min(length, turnSize, room)
	if len(s.head) > 0 && s.over && length <= room && !s.tunnel {
		count = length
	}
	if s.c.window != unlimited {
		count = int(min(int64(count), s.sendCredit))
	}
	end := s.over && count == length && !(s.tunnel && len(s.head) > 0)
	if count == 0 && !end && len(s.head) == 0 {
		return out
	}
	kind := byte(data)
	if len(s.head) > 0 {
		kind = response
	}
	out = appendFrame(out, kind, end, s.id, s.head, s.out[s.sent:s.sent+count])
	s.head, s.headSent = nil, true
	if s.sent += count; s.sent == len(s.out) {
		s.out, s.sent = s.out[:0], 0
	}
	if s.c.window != unlimited {
		s.sendCredit -= int64(count)
	}
	s.flushing = s.unsent() > 0
	s.changed.Broadcast()
	s.ended = end
	if end && (!s.tunnel || s.proxyEnded) {
		s.c.close(s)
	}
	return out
}

// ---- the body of the request

// read reads what has come, and waits for it until a moment that may change; none is for ever.
func (s *stream) read(into []byte) (int, error) {
	piece, err := s.await()
	if err != nil {
		return 0, err
	}
	n := copy(into, piece)
	s.took(n)
	return n, nil
}

// await waits for the next piece, which stays where it is.
func (s *stream) await() ([]byte, error) {
	for {
		switch {
		case s.cancelled:
			return nil, ErrCancelled
		case s.bodyClosed, s.returned && !s.hijacked:
			return nil, http.ErrBodyReadAfterClose
		case s.dropping:
			return nil, net.ErrClosed
		case past(s.readBefore):
			return nil, os.ErrDeadlineExceeded
		case len(s.body) > 0:
			return s.body[0], nil
		case s.proxyEnded:
			return nil, io.EOF
		}
		s.changed.Wait()
	}
}

// took: so many bytes of the first piece are read.
func (s *stream) took(n int) {
	if s.body[0] = s.body[0][n:]; len(s.body[0]) == 0 {
		s.body[0] = nil
		s.body = s.body[1:]
	}
	s.grant(n)
}

// grant gives window for bytes that have been read.
func (s *stream) grant(n int) {
	if s.c.peer.Window == unlimited {
		return
	}
	if s.owed += int64(n); s.owed >= s.c.peer.Window/2 && !s.proxyEnded && !s.closed {
		s.c.queue(window, s.id, binary.BigEndian.AppendUint32(nil, uint32(s.owed)))
		s.receiveCredit += s.owed
		if s.ended {
			s.late += s.owed
		}
		s.owed = 0
	}
}

// drop: nobody reads the rest.
func (s *stream) drop() {
	s.dropping = true
	for _, piece := range s.body {
		s.grant(len(piece))
	}
	s.body = nil
	s.changed.Broadcast()
}

// ---- deadlines

// setDeadline sets some of the moments until which reading and writing wait.
func (s *stream) setDeadline(at time.Time, which ...*time.Time) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	for _, one := range which {
		*one = at
	}
	s.changed.Broadcast()
	if !at.IsZero() {
		time.AfterFunc(time.Until(at), func() {
			s.c.mu.Lock()
			defer s.c.mu.Unlock()
			s.changed.Broadcast()
		})
	}
}
