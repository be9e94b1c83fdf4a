package lrwp

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what has to come.
const patience = 10 * time.Second

// journal is the log of a peer.
type journal struct {
	mu      sync.Mutex
	lines   []string
	changed chan struct{}
}

func newJournal() *journal { return &journal{changed: make(chan struct{})} }

func (j *journal) add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
	close(j.changed)
	j.changed = make(chan struct{})
}

func (j *journal) count(text string) (int, chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for _, line := range j.lines {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n, j.changed
}

// await waits for so many lines with a text.
func (j *journal) await(t *testing.T, n int, text string) {
	t.Helper()
	over := time.After(patience)
	for {
		count, changed := j.count(text)
		if count >= n {
			return
		}
		select {
		case <-changed:
		case <-over:
			t.Fatalf("no %d lines with %q in the log:\n%s", n, text, strings.Join(j.lines, "\n"))
		}
	}
}

// served is a peer under test.
type served struct {
	journal *journal
	stop    context.CancelFunc
	done    chan struct{}
}

// serve runs a peer until the end of the test.
func serve(t *testing.T, o Options, handler http.HandlerFunc, change ...func(*peer)) *served {
	t.Helper()
	s := &served{journal: newJournal(), done: make(chan struct{})}
	o.Log = s.journal.add
	if o.Context == nil {
		o.Context = []string{"/c"}
	}
	p, err := newPeer(o, handler)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range change {
		c(p)
	}
	ctx, stop := context.WithCancel(context.WithValue(context.Background(), valueKey{}, "of Serve"))
	s.stop = stop
	go func() {
		p.run(ctx)
		close(s.done)
	}()
	t.Cleanup(func() {
		stop()
		s.awaitEnd(t)
	})
	return s
}

type valueKey struct{}

func (s *served) awaitEnd(t *testing.T) {
	t.Helper()
	select {
	case <-s.done:
	case <-time.After(patience):
		t.Error("the peer does not end")
	}
}

// listener is where a scripted proxy is dialled.
type listener struct {
	net.Listener
	t   *testing.T
	tls *tls.Config
}

func listen(t *testing.T) *listener { return listenAt(t, "tcp", "127.0.0.1:0") }

func listenUnix(t *testing.T) (*listener, string) {
	path := filepath.Join(t.TempDir(), "s")
	return listenAt(t, "unix", path), "unix:" + path
}

func listenAt(t *testing.T, network, at string) *listener {
	t.Helper()
	l, err := net.Listen(network, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &listener{Listener: l, t: t}
}

func (l *listener) address() string { return l.Addr().String() }

// next waits for the next connection.
func (l *listener) next() *script {
	l.t.Helper()
	if deadline, is := l.Listener.(interface{ SetDeadline(time.Time) error }); is {
		deadline.SetDeadline(time.Now().Add(patience))
	}
	conn, err := l.Accept()
	if err != nil {
		l.t.Fatal("nobody dials: ", err)
	}
	if l.tls != nil {
		conn = tls.Server(conn, l.tls)
	}
	conn.SetDeadline(time.Now().Add(patience))
	l.t.Cleanup(func() { conn.Close() })
	return &script{t: l.t, conn: conn, in: bufio.NewReader(conn)}
}

// accept is next, and a handshake of 3.0 with the first SETTINGS of both sides.
func (l *listener) accept(settings ...string) *script {
	l.t.Helper()
	s := l.next()
	s.hello(3)
	s.write("OK\xff")
	s.greet(settings...)
	return s
}

// script plays the proxy on one connection.
type script struct {
	t        *testing.T
	conn     net.Conn
	in       *bufio.Reader
	settings map[string]string // the peer's
}

func (s *script) write(text string) {
	s.t.Helper()
	if _, err := s.conn.Write([]byte(text)); err != nil {
		s.t.Fatal(err)
	}
}

// hello reads a startup string of so many fields behind its version; it returns all of them.
func (s *script) hello(fields int) []string {
	s.t.Helper()
	var all []string
	for len(all) < fields+1 {
		field, err := s.in.ReadString(0xff)
		if err != nil {
			s.t.Fatalf("no startup string: %v behind %q", err, all)
		}
		all = append(all, strings.TrimSuffix(field, "\xff"))
	}
	return all
}

func (s *script) greet(settings ...string) {
	s.t.Helper()
	if len(settings) == 0 {
		settings = []string{"window=65536"}
	}
	s.frame(1, false, 0, strings.Join(settings, "\x00")+"\x00")
	f := s.expect(1)
	s.settings = map[string]string{}
	for _, setting := range strings.Split(string(f.payload), "\x00") {
		name, value, _ := strings.Cut(setting, "=")
		s.settings[name] = value
	}
}

func (s *script) frame(kind byte, end bool, stream uint32, payload string) {
	s.t.Helper()
	s.write(string(appendFrame(nil, kind, end, stream, []byte(payload))))
}

// read reads the next frame, whatever it is.
func (s *script) read() (frame, error) {
	head := make([]byte, headSize)
	if _, err := io.ReadFull(s.in, head); err != nil {
		return frame{}, err
	}
	payload := make([]byte, binary.BigEndian.Uint32(head))
	_, err := io.ReadFull(s.in, payload)
	return frame{head[4], head[5] == 1, binary.BigEndian.Uint32(head[8:]), payload}, err
}

// expect reads the next frame, which has to be of a type.
func (s *script) expect(kind byte) frame {
	s.t.Helper()
	f, err := s.read()
	if err != nil {
		s.t.Fatalf("no frame of type %d: %v", kind, err)
	}
	if f.kind != kind {
		s.t.Fatalf("a frame of type %d instead of %d: %q", f.kind, kind, f.payload)
	}
	return f
}

// block makes an env block of a request for /c and more variables.
func block(method, target string, variables ...string) string {
	path, query, _ := strings.Cut(target, "?")
	all := append([]string{
		"REQUEST_METHOD=" + method, "REQUEST_URI=" + target, "SCRIPT_NAME=/c", "PATH_INFO=" + strings.TrimPrefix(path, "/c"),
		"QUERY_STRING=" + query, "REMOTE_ADDR=192.0.2.7", "REMOTE_PORT=4711", "SERVER_NAME=a.test", "SERVER_PORT=80",
		"SERVER_PROTOCOL=HTTP/1.1",
	}, variables...)
	return strings.Join(all, "\x00") + "\x00\x00"
}

// ask sends a REQUEST.
func (s *script) ask(stream uint32, end bool, block, body string) {
	s.t.Helper()
	length := binary.BigEndian.AppendUint32(nil, uint32(len(block)))
	s.frame(5, end, stream, string(length)+block+body)
}

// get sends a GET without body, which has to be started.
func (s *script) get(stream uint32, target string, variables ...string) {
	s.t.Helper()
	s.request(stream, "GET", target, "", variables...)
}

// request sends a whole request, which has to be started.
func (s *script) request(stream uint32, method, target, body string, variables ...string) {
	s.t.Helper()
	variables = append(variables, fmt.Sprint("CONTENT_LENGTH=", len(body)))
	s.ask(stream, true, block(method, target, variables...), body)
	if f := s.expect(8); f.stream != stream {
		s.t.Fatalf("started %d instead of %d", f.stream, stream)
	}
}

// reply is an answer.
type reply struct {
	status string
	header http.Header
	body   string
	frames int
	cut    bool // by a CANCEL
}

// answer reads frames of one stream to its end.
func (s *script) answer(stream uint32) reply {
	s.t.Helper()
	var r reply
	for {
		f, err := s.read()
		if err != nil || f.stream != stream {
			s.t.Fatalf("no answer on %d: %v %+v", stream, err, f)
		}
		r.frames++
		switch f.kind {
		case 6:
			r.status, r.header, r.body = head(s.t, string(f.payload))
		case 7:
			r.body += string(f.payload)
		case 10:
			r.cut = true
			return r
		default:
			s.t.Fatalf("a frame of type %d in an answer", f.kind)
		}
		if f.end {
			return r
		}
	}
}

// head takes a RESPONSE apart.
func head(t *testing.T, text string) (status string, header http.Header, body string) {
	t.Helper()
	top, body, found := strings.Cut(text, "\r\n\r\n")
	if !found {
		t.Fatalf("no head in %q", text)
	}
	header = http.Header{}
	for _, line := range strings.Split(top, "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		header.Add(name, value)
	}
	status = header.Get("Status")
	header.Del("Status")
	return status, header, body
}

// exchange is one GET with its answer.
func (s *script) exchange(target string, variables ...string) reply {
	s.t.Helper()
	s.get(1, target, variables...)
	return s.answer(1)
}

// closeWrite is the end of what the proxy says.
func (s *script) closeWrite() { s.conn.(interface{ CloseWrite() error }).CloseWrite() }

// awaitEnd reads to the end of the connection, which has to be in order.
func (s *script) awaitEnd() {
	s.t.Helper()
	if f, err := s.read(); err != io.EOF {
		s.t.Fatalf("no end: %v %+v", err, f)
	}
}

func equal[T comparable](t *testing.T, what string, expected, actual T) {
	t.Helper()
	if expected != actual {
		t.Fatalf("%s: %v instead of %v", what, actual, expected)
	}
}

func contains(t *testing.T, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Fatalf("%s: %q is not in %q", what, part, text)
	}
}

func newReader(text string) *bufio.Reader { return bufio.NewReader(strings.NewReader(text)) }

var localhost = []net.IP{net.IPv4(127, 0, 0, 1)}

// oldFrame is one of LRWP 1.0.
func oldFrame(text string) string { return fmt.Sprintf("%09d%s", len(text), text) }

// take reads as many bytes as nine digits say.
func (s *script) take(digits []byte) string {
	s.t.Helper()
	var length int
	fmt.Sscanf(string(digits), "%d", &length)
	text := make([]byte, length)
	if _, err := io.ReadFull(s.in, text); err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}
