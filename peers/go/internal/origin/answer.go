package origin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/pool"
)

const (
	mostInterim = 16   // answers of 1xx before the real one
	lineSize    = 4096 // the line of a chunk's length, with what may stand behind it
	trailerSize = 65536
)

// answer is a head that has been read.
type answer struct {
	status  int
	head    []byte // as a CGI head
	length  int64  // -1 = unknown
	chunked bool
	keep    bool
	typed   bool
	old     bool // HTTP/1.0
	upgrade bool
}

var (
	errHead = errors.New("the head of the answer is broken")
	errBody = gateway.Failf(gateway.BadBody, "the chunks of the answer are broken")
)

// readHead reads the head of the answer and what comes before it.
func (q *request) readHead(c *pool.Conn, up *upload) (*answer, error) {
	limits := q.client.options.Limits
	for range [mostInterim]struct{}{} {
		if up != nil { // the body may have taken its time
			if err := q.awaitAnswer(c, up); err != nil {
				return nil, err
			}
		}
		head, err := c.In.Head(limits.MaxHead)
		switch {
		case err == pool.ErrTooLong:
			return nil, gateway.Failf(gateway.HeadTooLarge, fmt.Sprintf("the head of the answer is above --max-head, %d bytes", limits.MaxHead))
		case err == io.ErrUnexpectedEOF:
			return nil, gateway.Failf(gateway.Lost, "the connection ended inside the head of the answer")
		case err == io.EOF:
			return nil, errClosed
		case err != nil:
			return nil, err
		}
		a, err := q.parse(head, c)
		if err != nil {
			return nil, gateway.Fail(gateway.BadHead, fmt.Errorf("%w: %s", err, firstLine(head)))
		}
		if a.status >= 200 || a.status == 101 {
			return a, nil
		}
		if a.status == 100 && up != nil {
			up.mayProceed()
		}
	}
	return nil, gateway.Failf(gateway.BadHead, "too many interim answers")
}

var errClosed = errors.New("the connection was closed without an answer")

// awaitAnswer waits for the first byte of the answer. The time counts from the end of the body.
func (q *request) awaitAnswer(c *pool.Conn, up *upload) error {
	limit := q.client.options.Limits.Answer
	for c.In.Buffered() == 0 {
		was := up.done()
		c.SetReadDeadline(time.Now().Add(limit))
		err := c.In.Await()
		if err == nil {
			return nil
		}
		if !gateway.IsTimeout(err) || was || up.failure() != nil {
			if err == io.EOF {
				return errClosed
			}
			return err
		}
	}
	return nil
}

func firstLine(head []byte) string {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return strconv.Quote(string(line[:min(len(line), 80)]))
}

// parse makes a CGI head of an HTTP head.
func (q *request) parse(head []byte, c *pool.Conn) (*answer, error) {
	line, rest, _ := bytes.Cut(head, []byte{'\n'})
	a := &q.answer
	*a = answer{length: -1, keep: true, head: a.head[:0]}
	if err := a.statusLine(bytes.TrimSuffix(line, []byte{'\r'})); err != nil {
		return nil, err
	}
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if len(line) == 0 {
			break
		}
		name, value, found := bytes.Cut(line, []byte{':'})
		value = trim(value)
		if !found || !isToken(name) || !isClean(value) {
			return nil, errHead
		}
		if err := q.field(a, c, name, value); err != nil {
			return nil, err
		}
	}
	return a, q.finish(a)
}

func trim(value []byte) []byte {
	for len(value) > 0 && (value[0] == ' ' || value[0] == '\t') {
		value = value[1:]
	}
	for len(value) > 0 && (value[len(value)-1] == ' ' || value[len(value)-1] == '\t') {
		value = value[:len(value)-1]
	}
	return value
}

// statusLine reads `HTTP/1.1 200 OK`.
func (a *answer) statusLine(line []byte) error {
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.")) || line[8] != ' ' || (line[7] != '0' && line[7] != '1') || !isClean(line) {
		return errHead
	}
	a.old = line[7] == '0'
	a.keep = !a.old
	for _, digit := range line[9:12] {
		if digit < '0' || digit > '9' {
			return errHead
		}
		a.status = 10*a.status + int(digit-'0')
	}
	if a.status < 100 || (len(line) > 12 && line[12] != ' ') {
		return errHead
	}
	a.head = append(append(a.head, "Status: "...), line[9:12]...)
	a.head = append(a.head, ' ')
	if len(line) > 13 {
		a.head = append(a.head, line[13:]...)
	} else {
		a.head = append(a.head, http.StatusText(a.status)...)
	}
	a.head = append(a.head, '\r', '\n')
	return nil
}

// field takes one header. Those that end at this connection are used here, all others go on.
func (q *request) field(a *answer, c *pool.Conn, name, value []byte) error {
	is := func(other string) bool { return len(name) == len(other) && equalFold(name, other) }
	switch name[0] | 0x20 {
	case 'c':
		switch {
		case is("content-length"):
			return a.contentLength(value)
		case is("connection"):
			if !a.connection(value) {
				return nil
			}
		case is("content-type"):
			a.typed = true
		case is("content-location"):
			value = q.rewritten(value)
		}
	case 't':
		switch {
		case is("transfer-encoding"):
			if a.chunked || !equalFold(value, "chunked") {
				return errors.New("a transfer coding other than chunked")
			}
			a.chunked = true
			return nil
		case is("te"), is("trailer"):
			return nil
		}
	case 'k':
		if is("keep-alive") {
			c.Keep = keptFor(value)
			return nil
		}
	case 'u':
		if is("upgrade") {
			a.upgrade = true
			if a.status != http.StatusSwitchingProtocols {
				return nil
			}
		}
	case 'p':
		if is("proxy-connection") {
			return nil
		}
	case 's':
		switch {
		case is("status"): // it would be taken for the status of the CGI head
			return nil
		case is("set-cookie"):
			value = q.rewrittenCookie(value)
		}
	case 'l':
		if is("location") {
			value = q.rewritten(value)
		}
	case 'r':
		if is("refresh") {
			value = q.rewrittenRefresh(value)
		}
	}
	a.head = append(append(append(append(append(a.head, name...), ':', ' '), value...), '\r'), '\n')
	return nil
}

func (a *answer) contentLength(value []byte) error {
	length, err := strconv.ParseUint(string(value), 10, 63)
	if err != nil || (a.length >= 0 && a.length != int64(length)) {
		return errors.New("a Content-Length that is not a number, or two that differ")
	}
	a.length = int64(length)
	return nil
}

// connection reads the options of a Connection header, and tells whether it names other headers. Then the proxy has to
// see it, which drops those.
func (a *answer) connection(value []byte) (names bool) {
	for _, option := range bytes.Split(value, []byte{','}) {
		switch option = trim(option); {
		case equalFold(option, "close"):
			a.keep = false
		case equalFold(option, "keep-alive"):
			a.keep = true
		case !equalFold(option, "upgrade"):
			names = true
		}
	}
	return names
}

// finish decides how the body ends, and completes the head.
func (q *request) finish(a *answer) error {
	switch {
	case a.status == http.StatusSwitchingProtocols:
		if q.vars.upgrade == "" || !a.upgrade {
			return errors.New("101 to a request that did not ask for it")
		}
	case a.status < 200:
		return nil
	case q.vars.method == "HEAD" || a.status == http.StatusNoContent || a.status == http.StatusNotModified:
		if a.length >= 0 && q.vars.method == "HEAD" {
			a.announce()
		}
		a.length, a.chunked = 0, false
	case a.chunked:
		if a.length >= 0 || a.old { // RFC 9112 section 6.1: it may be an attempt to smuggle
			a.keep = false
		}
		a.length = -1
	case a.length >= 0:
		a.announce()
	default:
		a.keep = false // the end of the connection is the end of the body
	}
	if !a.typed && a.status != http.StatusNoContent && a.status != http.StatusNotModified && a.status >= 200 {
		// The proxy would say text/html, and the server has not.
		a.head = append(a.head, "Content-Type: application/octet-stream\r\n"...)
	}
	a.head = append(a.head, '\r', '\n')
	return nil
}

func (a *answer) announce() {
	a.head = strconv.AppendInt(append(a.head, "Content-Length: "...), a.length, 10)
	a.head = append(a.head, '\r', '\n')
}

// keptFor reads `timeout=5`. A second is left for what is on its way.
func keptFor(value []byte) time.Duration {
	for _, part := range bytes.Split(value, []byte{','}) {
		name, number, _ := bytes.Cut(trim(part), []byte{'='})
		if seconds, err := strconv.Atoi(string(number)); err == nil && equalFold(name, "timeout") && seconds >= 0 && seconds < 86400 {
			return max(time.Duration(seconds)*time.Second-time.Second, time.Millisecond)
		}
	}
	return 0
}

// equalFold compares with a text in small letters.
func equalFold(name []byte, small string) bool {
	if len(name) != len(small) {
		return false
	}
	for i := 0; i < len(name); i++ {
		b := name[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != small[i] {
			return false
		}
	}
	return true
}

// copyBody brings the body to the client, each piece when it comes.
func (q *request) copyBody(c *pool.Conn, a *answer) error {
	switch {
	case a.chunked:
		return q.copyChunks(c)
	case a.length >= 0:
		_, err := q.copyPart(c, a.length, false)
		return err
	}
	q.flush(c)
	rest, err := q.copyPart(c, 1<<62, true)
	if err == nil && rest == 0 {
		err = errBody
	}
	return err
}

// flush sends what is written when nothing more is there.
func (q *request) flush(c *pool.Conn) {
	if c.In.Buffered() == 0 {
		q.e.Flush()
	}
}

// copyPart brings n bytes, or fewer when the end of the connection may come before; how many are missing.
func (q *request) copyPart(c *pool.Conn, n int64, mayEnd bool) (int64, error) {
	for n > 0 {
		if c.In.Buffered() == 0 {
			c.SetReadDeadline(time.Now().Add(q.client.options.Limits.Answer))
		}
		piece, err := c.In.Some(n)
		if err == io.EOF && mayEnd {
			return n, nil
		}
		if err == io.EOF {
			err = gateway.Failf(gateway.Lost, fmt.Sprintf("the connection ended %d bytes before the answer", n))
		}
		if err != nil {
			return n, err
		}
		if _, err := q.e.Write(piece); err != nil {
			return n, err
		}
		if n -= int64(len(piece)); n > 0 {
			q.flush(c)
		}
	}
	return 0, nil
}

func (q *request) copyChunks(c *pool.Conn) error {
	for {
		q.flush(c)
		if c.In.Buffered() == 0 {
			c.SetReadDeadline(time.Now().Add(q.client.options.Limits.Answer))
		}
		line, err := c.In.Line(lineSize)
		if err != nil {
			return chunkError(err)
		}
		size, ok := chunkSize(line)
		if !ok {
			return errBody
		}
		if size == 0 {
			return q.skipTrailer(c)
		}
		if _, err := q.copyPart(c, size, false); err != nil {
			return err
		}
		if line, err := c.In.Line(2); err != nil || len(line) > 0 {
			return chunkError(err)
		}
	}
}

func chunkError(err error) error {
	if err == nil || err == pool.ErrTooLong {
		return errBody
	}
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return gateway.Failf(gateway.Lost, "the connection ended before the answer")
	}
	return err
}

// chunkSize reads hexadecimal digits; what stands behind them is an extension.
func chunkSize(line []byte) (int64, bool) {
	digits, _, _ := bytes.Cut(line, []byte{';'})
	digits = trim(digits)
	size := int64(0)
	for _, b := range digits {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), b|0x20)
		if b >= '0' && b <= '9' {
			digit = int(b - '0')
		}
		if digit < 0 || size >= 1<<58 {
			return 0, false
		}
		size = size<<4 | int64(digit)
	}
	return size, len(digits) > 0
}

func (q *request) skipTrailer(c *pool.Conn) error {
	for left := trailerSize; left > 0; {
		line, err := c.In.Line(left)
		if err != nil || len(line) == 0 {
			if err != nil {
				return chunkError(err)
			}
			return nil
		}
		left -= len(line) + 1
	}
	return errBody
}
