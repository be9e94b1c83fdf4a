package lrwp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tokenCharacters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sniffSize       = 512
)

// writeHeader makes the head, but for what the body has to say to it. What is no header field makes the answer fail, so
// that no value can become a header of its own.
func (s *stream) writeHeader(status int) {
	if s.status != 0 {
		return
	}
	s.status = status
	if status == http.StatusSwitchingProtocols && !s.upgrade {
		s.failure = errors.New("101 to a request that offers no other protocol")
		return
	}
	s.borrow()
	s.head = append(s.head, "Status: "...)
	s.head = strconv.AppendInt(s.head, int64(status), 10)
	s.head = append(append(append(s.head, ' '), http.StatusText(status)...), '\r', '\n')
	_, hasType := s.header["Content-Type"]
	s.sniffing = !hasType && s.header.Get("Content-Encoding") == ""
	var room [16]string
	names := room[:0]
	for name := range s.header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if s.staysHere(name) {
			continue
		}
		if s.failure = checkField(name, s.header[name]); s.failure != nil {
			return
		}
		for _, value := range s.header[name] {
			s.head = append(append(append(append(s.head, name...), ": "...), value...), '\r', '\n')
		}
	}
	s.failure = s.readLength()
}

// staysHere: fields that are the server's matter, or have no place in an answer without body.
func (s *stream) staysHere(name string) bool {
	switch name {
	case "Status", "Trailer", "Transfer-Encoding":
		return true
	case "Content-Length":
		return !s.allowsBody()
	case "Content-Type":
		return s.status == http.StatusNotModified
	}
	return strings.HasPrefix(name, http.TrailerPrefix)
}

func checkField(name string, values []string) error {
	if name == "" || strings.Trim(name, tokenCharacters) != "" {
		return fmt.Errorf("the name of the header %.50q is not a token", name)
	}
	if strings.EqualFold(name, "Status") {
		return fmt.Errorf("the name of the header %q is taken", name)
	}
	for _, value := range values {
		for i := 0; i < len(value); i++ {
			if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
				return fmt.Errorf("the value of the header %s holds a control character: %.50q", name, value)
			}
		}
	}
	return nil
}

func (s *stream) readLength() error {
	values := s.header["Content-Length"]
	if len(values) == 0 || !s.allowsBody() {
		return nil
	}
	length, err := strconv.ParseInt(values[0], 10, 64)
	if err != nil || length < 0 || len(values) > 1 {
		return fmt.Errorf("the Content-Length %q is no length", strings.Join(values, ", "))
	}
	s.length = length
	return nil
}

// allowsBody: what has no body has no length either.
func (s *stream) allowsBody() bool {
	return s.status >= 200 && s.status != http.StatusNoContent && s.status != http.StatusNotModified
}

// commit completes the head. The type of a body that has none is found as net/http does it; the length of one that HEAD
// asks for is told when all of it has been written.
func (s *stream) commit() {
	s.writeHeader(http.StatusOK)
	if s.committed || s.failure != nil {
		return
	}
	if s.sniffing && s.unsent() > 0 {
		found := http.DetectContentType(s.out[s.sent:])
		s.head = append(append(append(s.head, "Content-Type: "...), found...), '\r', '\n')
	}
	if s.isHead {
		if s.over && s.length < 0 && s.written > 0 {
			s.head = strconv.AppendInt(append(s.head, "Content-Length: "...), s.written, 10)
			s.head = append(s.head, '\r', '\n')
		}
		s.out, s.sent = s.out[:0], 0
	}
	s.head = append(s.head, '\r', '\n')
	if len(s.head) > maxFrame {
		s.failure = fmt.Errorf("the head of the answer has %d bytes, allowed are %d", len(s.head), maxFrame)
		return
	}
	s.committed = true
}

// answerInternalError takes the place of an answer of which nothing has been sent.
func (s *stream) answerInternalError() {
	s.borrow()
	s.head = append(s.head[:0], "Status: 500 Internal Server Error\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"...)
	s.out, s.sent = s.out[:0], 0
	appendOut(s, "internal error\n")
	s.status, s.committed, s.tunnel, s.failure = http.StatusInternalServerError, true, false, nil
}

// answer is a stream as its handler's http.ResponseWriter. It is an http.Flusher, http.Hijacker, io.StringWriter and
// io.ReaderFrom too, and http.ResponseController finds its deadlines.
type answer stream

func (a *answer) Header() http.Header { return a.header }

// WriteHeader does nothing for 1xx, but for 101.
func (a *answer) WriteHeader(status int) {
	if status < 100 || status > 999 {
		panic(fmt.Sprintf("the status %d has not three digits", status))
	}
	if status < 200 && status != http.StatusSwitchingProtocols {
		return
	}
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	if a.hijacked || a.returned || a.status != 0 {
		return
	}
	s := (*stream)(a)
	s.writeHeader(status)
	if status == http.StatusSwitchingProtocols && a.failure == nil {
		a.tunnel = true
		s.flush()
	}
}

// Write keeps small pieces until Flush, the end, or 16 KiB. It waits while the client is slow.
func (a *answer) Write(piece []byte) (int, error) { return writeAnswer((*stream)(a), piece) }

// WriteString is Write.
func (a *answer) WriteString(piece string) (int, error) { return writeAnswer((*stream)(a), piece) }

func writeAnswer[T string | []byte](s *stream, piece T) (int, error) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	if s.hijacked {
		return 0, http.ErrHijacked
	}
	if s.returned {
		return 0, net.ErrClosed
	}
	s.writeHeader(http.StatusOK)
	switch {
	case s.failure != nil:
		return 0, s.failure
	case len(piece) == 0:
		return 0, nil
	case !s.allowsBody():
		return 0, http.ErrBodyNotAllowed
	case s.length >= 0 && s.written+int64(len(piece)) > s.length:
		return 0, http.ErrContentLength
	}
	s.written += int64(len(piece))
	if s.isHead {
		if !s.committed {
			appendOut(s, piece[:min(len(piece), max(0, sniffSize-s.unsent()))])
		}
		return len(piece), nil
	}
	return put(s, piece, turnSize)
}

// copyBuffers are for ReadFrom.
var copyBuffers = sync.Pool{New: func() any { return new([turnSize]byte) }}

// ReadFrom saves io.Copy a buffer for each answer.
func (a *answer) ReadFrom(from io.Reader) (total int64, err error) {
	buffer := copyBuffers.Get().(*[turnSize]byte)
	defer copyBuffers.Put(buffer)
	for {
		n, failure := from.Read(buffer[:])
		if n > 0 {
			wrote, failure := a.Write(buffer[:n])
			total += int64(wrote)
			if failure != nil {
				return total, failure
			}
		}
		if failure == io.EOF {
			return total, nil
		}
		if failure != nil {
			return total, failure
		}
	}
}

// Flush sends what has been written, at once.
func (a *answer) Flush() { a.FlushError() }

// FlushError is Flush, and says when nobody waits any more.
func (a *answer) FlushError() error {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	switch {
	case a.hijacked:
		return http.ErrHijacked
	case a.cancelled:
		return ErrCancelled
	case a.returned:
		return net.ErrClosed
	}
	s := (*stream)(a)
	s.flush()
	return s.failure
}

// SetReadDeadline is until when reading the body waits.
func (a *answer) SetReadDeadline(at time.Time) error {
	(*stream)(a).setDeadline(at, &a.readBefore)
	return nil
}

// SetWriteDeadline is until when Write waits for a slow client.
func (a *answer) SetWriteDeadline(at time.Time) error {
	(*stream)(a).setDeadline(at, &a.writeBefore)
	return nil
}

// EnableFullDuplex changes nothing: a handler can always read on when it has begun to write.
func (a *answer) EnableFullDuplex() error { return nil }

// Hijack makes the request a two-way connection. The 101 is what WriteHeader was told before, or what is written to the
// connection first.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	switch {
	case a.hijacked:
		return nil, nil, http.ErrHijacked
	case !a.upgrade || a.c.version == version10:
		return nil, nil, fmt.Errorf("lrwp: this request asks for no other protocol: %w", http.ErrNotSupported)
	case a.status != 0 && !a.tunnel:
		return nil, nil, errors.New("lrwp: this request has its answer already")
	}
	a.hijacked = true
	conn := &tunnel{s: (*stream)(a)}
	return conn, bufio.NewReadWriter(bufio.NewReader(conn), bufio.NewWriter(conn)), nil
}
