package lrwp

import (
	"bufio"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"time"
)

const (
	handshakeTime = 5 * time.Second
	firstDelay    = 100 * time.Millisecond
	longestDelay  = 10 * time.Second
)

// target is one address of a proxy. It keeps a connection there until its context is done.
type target struct {
	peer  *peer
	proxy address // as it was given
	at    string  // what is dialled
	ctx   context.Context
	stop  context.CancelFunc
	told  string // the last failure to get there that is in the log
	lead  int    // the context of the next startup string
	asked string // the context of the last one
}

// run dials again whenever a connection is lost or drained. The pauses grow, unless the connection held longer than the
// pause before it, and have jitter: peers that lost their proxy together do not come back together.
func (t *target) run() {
	delay := firstDelay
	for t.ctx.Err() == nil {
		began := time.Now()
		c, err := t.dial()
		if err == nil {
			t.told = ""
			began = time.Now()
			select {
			case <-c.leaving:
			case <-t.ctx.Done():
				return
			}
			t.peer.lookAgain()
		} else {
			t.tell(err)
		}
		if err == nil && time.Since(began) > delay {
			delay = firstDelay
		}
		select {
		case <-time.After(delay/2 + time.Duration(rand.Int63n(int64(delay/2)))):
		case <-t.ctx.Done():
		}
		delay = min(2*delay, longestDelay)
	}
}

// tell: an address where nobody listens is told once, not every few seconds. What a proxy says is told each time.
func (t *target) tell(err error) {
	var refusal refusal
	var unreachable *net.OpError
	switch {
	case t.ctx.Err() != nil:
	case errors.As(err, &refusal):
		t.peer.logf("%s", refusal.line(t.asked, t.at))
	case errors.As(err, &unreachable) && unreachable.Op == "dial":
		if t.told != err.Error() {
			t.told = err.Error()
			t.peer.logf("unreachable proxy=%s why=%q", t.at, err)
		}
	default:
		t.peer.logf("lost proxy=%s why=%q", t.at, err)
	}
}

// dial makes a connection, in an older version when the server knows no better. After a refusal the next context has
// its turn in the startup string, so that a refused one does not keep the others out.
func (t *target) dial() (*connection, error) {
	version := version30
	if t.peer.KeyID != "" {
		version = version31
	}
	c, err := t.connect(version, t.lead)
	if errors.As(err, new(refusal)) {
		t.lead = (t.lead + 1) % len(t.peer.Context)
	}
	var why older
	if version == version31 || !errors.As(err, &why) {
		return c, err
	}
	if len(t.peer.Secret) > 0 {
		return nil, fmt.Errorf("no LRWP 3.0, and there is a secret: %s", string(why))
	}
	t.peer.logf("fallback version=1.0 proxy=%s why=%q", t.at, string(why))
	return t.connect(version10, 0)
}

func (t *target) connect(version string, lead int) (*connection, error) {
	t.asked = t.peer.Context[lead]
	dialer := net.Dialer{Timeout: handshakeTime, KeepAlive: 15 * time.Second}
	socket, err := dialer.DialContext(t.ctx, t.proxy.network, t.at)
	if err != nil {
		return nil, err
	}
	// The end of the context ends a handshake that is under way.
	over := context.AfterFunc(t.ctx, func() { socket.SetDeadline(time.Unix(1, 0)) })
	socket.SetDeadline(time.Now().Add(handshakeTime))
	c, err := t.shake(socket, version)
	if err == nil && !over() {
		err = t.ctx.Err()
	}
	if err != nil {
		over()
		socket.Close()
		return nil, err
	}
	socket.SetDeadline(time.Time{})
	t.peer.logf("registered context=%s version=%s proxy=%s", t.asked, version, t.at)
	if version != version10 {
		c.greet(lead)
	}
	t.peer.running.Add(1)
	t.peer.add(c)
	c.run(t.ctx)
	return c, nil
}

// shake does the handshakes: of TLS if it is wanted, and of LRWP.
func (t *target) shake(socket net.Conn, version string) (*connection, error) {
	var certificate []byte
	if t.peer.TLS != nil {
		inside, hash, err := t.enter(socket, version)
		if err != nil {
			return nil, err
		}
		socket, certificate = inside, hash
	}
	in := bufio.NewReaderSize(socket, 4*maxFrame)
	hello := handshake{peer: t.peer, context: t.asked, version: version, certificate: certificate, in: in, out: socket}
	if err := hello.run(); err != nil {
		return nil, err
	}
	return newConnection(t.peer, t.at, version, socket.(halfCloser), in), nil
}

// enter goes inside TLS; it gives the hash of the proxy's certificate too. Only LRWP 3 has a name there.
func (t *target) enter(socket net.Conn, version string) (net.Conn, []byte, error) {
	config := t.peer.TLS.Clone()
	config.MinVersion = tls.VersionTLS13
	config.NextProtos = nil
	if version != version10 {
		config.NextProtos = []string{ALPN}
	}
	if config.ServerName == "" && t.proxy.network == "tcp" {
		config.ServerName = t.proxy.host
	}
	inside := tls.Client(socket, config)
	if err := inside.HandshakeContext(t.ctx); err != nil {
		var strange tls.RecordHeaderError
		if errors.As(err, &strange) && strange.Conn != nil { // the first that came was no record of TLS
			return nil, nil, errors.New("there is no TLS at this port")
		}
		return nil, nil, err
	}
	state := inside.ConnectionState()
	if version != version10 && state.NegotiatedProtocol != ALPN {
		return nil, nil, older("no ALPN " + ALPN)
	}
	hash := sha256.Sum256(state.PeerCertificates[0].Raw)
	return inside, hash[:], nil
}
