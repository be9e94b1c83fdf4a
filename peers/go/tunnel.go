package lrwp

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// tunnel is a hijacked stream as a net.Conn. CloseWrite ends one direction; Close also drops what still comes.
type tunnel struct {
	s   *stream
	raw []byte // of a head that is written here
}

func (t *tunnel) Read(into []byte) (int, error) {
	t.s.c.mu.Lock()
	defer t.s.c.mu.Unlock()
	return t.s.read(into)
}

func (t *tunnel) Write(piece []byte) (int, error) {
	s := t.s
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	if s.committed {
		return put(s, piece, 0)
	}
	rest, err := t.writeHead(piece)
	if err != nil {
		return 0, err
	}
	if s.committed {
		if n, err := put(s, rest, 0); err != nil {
			return len(piece) - len(rest) + n, err
		}
		s.flush()
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
	t.s.writeHeader(answer.StatusCode)
	t.s.sniffing = false
	t.s.commit()
	t.s.tunnel = answer.StatusCode == http.StatusSwitchingProtocols
	return t.raw[end+4:], t.s.failure
}

// CloseWrite ends the peer's direction.
func (t *tunnel) CloseWrite() error {
	s := t.s
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	switch {
	case s.closed || s.over:
	case !s.committed:
		s.over = true
		s.fail("the connection was closed without an answer")
	default:
		s.over = true
		s.c.turn(s)
	}
	return nil
}

// Close ends both directions.
func (t *tunnel) Close() error {
	err := t.CloseWrite()
	t.s.c.mu.Lock()
	defer t.s.c.mu.Unlock()
	t.s.drop()
	return err
}

func (t *tunnel) LocalAddr() net.Addr { return t.s.c.socket.LocalAddr() }

// RemoteAddr is the client's, as the proxy says it.
func (t *tunnel) RemoteAddr() net.Addr {
	client, err := netip.ParseAddrPort(t.s.client)
	if err != nil {
		return t.s.c.socket.RemoteAddr()
	}
	return net.TCPAddrFromAddrPort(client)
}

func (t *tunnel) SetDeadline(at time.Time) error {
	t.s.setDeadline(at, &t.s.readBefore, &t.s.writeBefore)
	return nil
}

func (t *tunnel) SetReadDeadline(at time.Time) error {
	t.s.setDeadline(at, &t.s.readBefore)
	return nil
}

func (t *tunnel) SetWriteDeadline(at time.Time) error {
	t.s.setDeadline(at, &t.s.writeBefore)
	return nil
}
