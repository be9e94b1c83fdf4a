package origin

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/pool"
)

const (
	pieceSize = 32768
	room      = 10 // before a piece, for the length of a chunk and its line end
	// How long a server may take to say 100 Continue, or to refuse: the proxy has told the client to go on already, and
	// many servers say nothing.
	patience = 100 * time.Millisecond
)

var pieces = sync.Pool{New: func() any { return new([pieceSize]byte) }}

// upload is a body that goes to the server while the server may already answer.
type upload struct {
	q       *request
	c       *pool.Conn
	proceed chan struct{} // closed: the server wants the body, or has not said
	stopped chan struct{} // closed: it does not
	once    sync.Once
	mu      sync.Mutex
	whole   bool
	err     error
}

func (q *request) upload(c *pool.Conn) *upload {
	u := &upload{q: q, c: c, proceed: make(chan struct{}), stopped: make(chan struct{})}
	go u.run()
	return u
}

func (u *upload) stop()       { close(u.stopped) }
func (u *upload) mayProceed() { u.once.Do(func() { close(u.proceed) }) }

// done tells whether all of the body has gone.
func (u *upload) done() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.whole
}

// failure is why the body cannot be sent at all, whatever the server does.
func (u *upload) failure() *gateway.Failure {
	u.mu.Lock()
	defer u.mu.Unlock()
	var failure *gateway.Failure
	errors.As(u.err, &failure)
	return failure
}

func (u *upload) run() {
	if u.q.expects {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-u.proceed:
		case <-timer.C:
		case <-u.stopped:
			return
		}
	}
	err := u.copy()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.whole, u.err = err == nil, err; errors.As(err, new(*gateway.Failure)) {
		u.c.Close() // nothing that the server answers to a part of the request counts
	}
}

// copy sends the body as it comes, behind what was read of it before. The time limit is that of the server, so each write
// has its own.
func (u *upload) copy() error {
	piece := pieces.Get().(*[pieceSize]byte)
	defer pieces.Put(piece)
	limits, sent := u.q.client.options.Limits, int64(0)
	body := io.Reader(u.q.e)
	if len(u.q.body) > 0 {
		body = io.MultiReader(bytes.NewReader(u.q.body), body)
	}
	for {
		n, err := body.Read(piece[room : pieceSize-2])
		if sent += int64(n); limits.MaxBody > 0 && sent > limits.MaxBody {
			return gateway.Failf(gateway.BodyTooLarge, "more than --max-body, "+strconv.FormatInt(limits.MaxBody, 10)+" bytes")
		}
		if n > 0 {
			if err := u.write(u.framed(piece[:], n)); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF && u.q.length < 0:
			return u.write([]byte("0\r\n\r\n"))
		case err == io.EOF && sent != u.q.length:
			return gateway.Failf(gateway.BadRequest, "the body is not as long as it said")
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// framed puts the frame of a chunk around n bytes, where the server gets chunks.
func (u *upload) framed(piece []byte, n int) []byte {
	if u.q.length >= 0 {
		return piece[room : room+n]
	}
	var digits [room]byte
	head := append(strconv.AppendInt(digits[:0], int64(n), 16), '\r', '\n')
	copy(piece[room-len(head):], head)
	copy(piece[room+n:], "\r\n")
	return piece[room-len(head) : room+n+2]
}

func (u *upload) write(raw []byte) error {
	u.c.SetWriteDeadline(time.Now().Add(u.q.client.options.Limits.Answer))
	_, err := u.c.Write(raw)
	return err
}
