// Package fakeproxy plays the proxy's part of LRWP 3 for tests.
package fakeproxy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// The types of frames.
const (
	settings = 1
	request  = 5
	response = 6
	data     = 7
	refused  = 9
	cancel   = 10
	window   = 11
	drain    = 13
	ping     = 14
	pong     = 15
)

const (
	turn        = 16384
	firstWindow = 4 * 65536 // the peer's, as it says it unless told otherwise
)

// Patience is how long anything may take.
const Patience = 10 * time.Second

// Proxy takes peers.
type Proxy struct {
	t        testing.TB
	listener net.Listener
	peers    chan *Peer
}

// Start listens until the test ends.
func Start(t testing.TB) *Proxy {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{t: t, listener: listener, peers: make(chan *Peer, 16)}
	t.Cleanup(func() { listener.Close() })
	go p.accept()
	return p
}

// Address is where to dial in.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		peer := &Peer{t: p.t, conn: conn, in: bufio.NewReader(conn), Gone: make(chan struct{}), Drained: make(chan struct{}), pongs: make(chan struct{}, 16), open: map[uint32]*Stream{}}
		peer.grown.L = &peer.mu
		go func() {
			if peer.handshake() == nil {
				p.peers <- peer
				peer.read()
			}
			close(peer.Gone)
		}()
	}
}

// Await gives the next peer that has dialled in.
func (p *Proxy) Await() *Peer {
	p.t.Helper()
	select {
	case peer := <-p.peers:
		p.t.Cleanup(func() { peer.conn.Close() })
		return peer
	case <-time.After(Patience):
		p.t.Fatal("no peer has dialled in")
		return nil
	}
}

// None requires that nobody dials in for a while.
func (p *Proxy) None(within time.Duration) {
	p.t.Helper()
	select {
	case peer := <-p.peers:
		p.t.Fatalf("a peer has dialled in for %s", peer.Context)
	case <-time.After(within):
	}
}

// Peer is a connection of a peer.
type Peer struct {
	t        testing.TB
	conn     net.Conn
	in       *bufio.Reader
	Context  string
	Settings string
	Gone     chan struct{} // closed at its end
	Drained  chan struct{} // closed when it has said that it leaves

	pongs   chan struct{}
	writing sync.Mutex
	mu      sync.Mutex
	open    map[uint32]*Stream
	grown   sync.Cond // a window
	leaving bool
}

func (p *Peer) handshake() error {
	fields := make([]string, 4)
	for i := range fields {
		field, err := p.in.ReadString(0xff)
		if err != nil {
			return err
		}
		fields[i] = strings.TrimSuffix(field, "\xff")
	}
	p.Context = fields[2]
	p.conn.Write([]byte("OK\xff"))
	p.write(settings, 0, 0, []byte("name=fake\x00max-frame=65536\x00window=4294967295\x00ping=0\x00connections=1\x00"))
	kind, _, _, payload, err := p.frame()
	if err == nil && kind != settings {
		err = io.ErrUnexpectedEOF
	}
	p.Settings = string(payload)
	return err
}

func (p *Peer) frame() (kind, flags byte, stream uint32, payload []byte, err error) {
	head := make([]byte, 12)
	if _, err = io.ReadFull(p.in, head); err == nil {
		payload = make([]byte, binary.BigEndian.Uint32(head))
		_, err = io.ReadFull(p.in, payload)
	}
	return head[4], head[5], binary.BigEndian.Uint32(head[8:]), payload, err
}

func (p *Peer) write(kind, flags byte, stream uint32, payload []byte) {
	p.writing.Lock()
	defer p.writing.Unlock()
	out := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))
	out = binary.BigEndian.AppendUint32(append(out, kind, flags, 0, 0), stream)
	p.conn.Write(append(out, payload...))
}

// Settle waits until the peer has taken in what was sent to it.
func (p *Peer) Settle() {
	p.t.Helper()
	p.write(ping, 0, 0, []byte("settled?"))
	select {
	case <-p.pongs:
	case <-time.After(Patience):
		p.t.Fatal("the peer does not answer a PING")
	}
}

func (p *Peer) read() {
	for {
		kind, flags, id, payload, err := p.frame()
		p.mu.Lock()
		if err != nil {
			for _, s := range p.open {
				s.end("lost")
			}
			p.mu.Unlock()
			return
		}
		s := p.open[id]
		switch {
		case kind == drain && !p.leaving:
			p.leaving = true
			close(p.Drained)
		case kind == pong:
			p.pongs <- struct{}{}
		case s == nil:
		case kind == window:
			s.granted += int(binary.BigEndian.Uint32(payload))
			p.grown.Broadcast()
		case kind == response:
			head, body, _ := bytes.Cut(payload, []byte("\r\n\r\n"))
			s.head(string(head))
			s.write(body)
		case kind == data:
			s.write(payload)
		case kind == refused:
			s.end("refused: " + string(payload))
		case kind == cancel:
			s.end("cut")
		}
		if s != nil && flags&1 == 1 && kind != settings {
			s.end("")
		}
		p.mu.Unlock()
		if p.idle() {
			p.conn.Close()
		}
	}
}

func (p *Peer) idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.leaving && len(p.open) == 0
}

// Stream is a request and its answer.
type Stream struct {
	peer    *Peer
	id      uint32
	hasHead chan struct{}
	body    *io.PipeReader
	in      *io.PipeWriter
	queue   chan []byte
	over    chan struct{}

	granted int    // bytes of body, under the peer's mu
	ended   bool   // our direction has, likewise
	Head    string // after AwaitHead or Answer
	Fate    string // after Answer: "" = whole, "cut", "lost" or "refused: ..."
}

// Send sends a request. Variables come as NAME=VALUE; nil as the body leaves the request open for Write.
func (p *Peer) Send(body []byte, variables ...string) *Stream {
	p.mu.Lock()
	id := uint32(1)
	for p.open[id] != nil {
		id++
	}
	s := &Stream{peer: p, id: id, hasHead: make(chan struct{}), over: make(chan struct{}), queue: make(chan []byte, 1<<16), granted: firstWindow}
	s.body, s.in = io.Pipe()
	p.open[s.id] = s
	p.mu.Unlock()
	go s.pump()
	env := []byte(strings.Join(variables, "\x00") + "\x00\x00")
	payload := append(binary.BigEndian.AppendUint32(nil, uint32(len(env))), env...)
	if body == nil {
		p.write(request, 0, s.id, payload)
		return s
	}
	first := min(len(body), turn)
	flags := byte(0)
	if first == len(body) {
		flags = 1
		p.mu.Lock()
		s.ended = true
		p.mu.Unlock()
	}
	p.write(request, flags, s.id, append(payload, body[:first]...))
	go s.sendRest(body[first:])
	return s
}

// sendRest keeps to the peer's window, which is larger than a turn.
func (s *Stream) sendRest(body []byte) {
	for sent := turn; len(body) > 0; {
		next := body[:min(len(body), turn)]
		body = body[len(next):]
		s.peer.mu.Lock()
		for sent+len(next) > s.granted && !s.ended {
			s.peer.grown.Wait()
		}
		sent += len(next)
		flags := byte(0)
		if len(body) == 0 {
			flags = 1
		}
		if s.ended {
			body = nil
		} else {
			s.ended = flags == 1
			s.peer.write(data, flags, s.id, next)
		}
		s.peer.mu.Unlock()
	}
}

// Write sends more of the body.
func (s *Stream) Write(piece []byte) (int, error) {
	s.send(data, 0, piece)
	return len(piece), nil
}

func (s *Stream) send(kind, flags byte, piece []byte) {
	s.peer.mu.Lock()
	defer s.peer.mu.Unlock()
	if !s.ended {
		s.ended = flags == 1 || kind == cancel
		s.peer.write(kind, flags, s.id, piece)
	}
}

// End ends the body.
func (s *Stream) End() { s.send(data, 1, nil) }

// Cancel says that the client has gone.
func (s *Stream) Cancel() { s.peer.write(cancel, 0, s.id, nil) }

func (s *Stream) head(head string) {
	s.Head = head + "\r\n"
	close(s.hasHead)
}

func (s *Stream) write(piece []byte) {
	if len(piece) > 0 {
		s.queue <- piece
	}
}

func (s *Stream) pump() {
	for piece := range s.queue {
		s.in.Write(piece)
	}
	s.in.Close()
}

// end is called with mu held.
func (s *Stream) end(fate string) {
	s.Fate = fate
	if !s.ended { // the peer has not waited for the rest
		s.ended = true
		s.peer.write(cancel, 0, s.id, nil)
	}
	delete(s.peer.open, s.id)
	close(s.queue)
	close(s.over)
}

// AwaitHead waits for the head of the answer.
func (s *Stream) AwaitHead() string {
	s.peer.t.Helper()
	select {
	case <-s.hasHead:
	case <-s.over:
	case <-time.After(Patience):
		s.peer.t.Fatal("the answer has no head")
	}
	return s.Head
}

// AwaitOver waits for the end of the answer.
func (s *Stream) AwaitOver() {
	s.peer.t.Helper()
	select {
	case <-s.over:
	case <-time.After(Patience):
		s.peer.t.Fatal("the answer does not end")
	}
}

// Body is the body as it comes.
func (s *Stream) Body() io.Reader { return s.body }

// Answer waits for all of it: status, head and body.
func (s *Stream) Answer() (status, head, body string) {
	s.peer.t.Helper()
	var all []byte
	done := make(chan struct{})
	go func() {
		all, _ = io.ReadAll(s.body)
		close(done)
	}()
	s.AwaitOver()
	<-done
	line, _, _ := strings.Cut(s.Head, "\r\n")
	if status = strings.TrimPrefix(line, "Status: "); len(status) > 3 {
		status = status[:3]
	}
	return status, s.Head, string(all)
}
