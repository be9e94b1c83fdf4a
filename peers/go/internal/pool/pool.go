// Package pool keeps connections to a program between requests.
package pool

import (
	"context"
	"net"
	"sync"
	"time"
)

// Conn is a connection that may be used again.
type Conn struct {
	net.Conn
	In      *Reader
	Out     []byte // for whoever has the connection
	Reused  bool
	Keep    time.Duration // how long it may be kept, when the other side has said so; 0 = as long as the pool says
	expires time.Time
	isOpen  func() bool // without waiting
}

// Pool has the connections that no request uses; the one that was used last comes first.
type Pool struct {
	Dial func(ctx context.Context) (net.Conn, error)
	Idle time.Duration // how long a connection is kept
	Max  int           // how many are kept

	mu     sync.Mutex
	idle   []*Conn
	timer  *time.Timer
	closed bool
}

// Get gives a connection that was kept, unless fresh, or else a new one. With checked, one that the other side has
// closed meanwhile is not given; without, that shows when it is used.
func (p *Pool) Get(ctx context.Context, fresh, checked bool) (*Conn, error) {
	for !fresh {
		c := p.take()
		if c == nil {
			break
		}
		if !checked || c.isOpen() {
			return c, nil
		}
		c.Close()
	}
	conn, err := p.Dial(ctx)
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: conn, In: NewReader(conn), isOpen: newLook(conn)}, nil
}

func (p *Pool) take() *Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	c := p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	c.Reused = true
	return c
}

// Put keeps a connection whose answer was read to its end, or closes it.
func (p *Pool) Put(c *Conn) {
	keep := p.Idle
	if c.Keep > 0 && c.Keep < keep {
		keep = c.Keep
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.idle) >= p.Max || keep <= 0 || c.In.Buffered() > 0 {
		c.Close()
		return
	}
	c.expires = time.Now().Add(keep)
	p.idle = append(p.idle, c)
	if p.timer == nil {
		p.timer = time.AfterFunc(p.Idle/2+time.Millisecond, p.sweep)
	}
}

// sweep closes what has been kept long enough.
func (p *Pool) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	kept := p.idle[:0]
	for _, c := range p.idle {
		if now.Before(c.expires) {
			kept = append(kept, c)
		} else {
			c.Close()
		}
	}
	clear(p.idle[len(kept):])
	if p.idle = kept; len(kept) > 0 {
		p.timer.Reset(p.Idle/2 + time.Millisecond)
	} else {
		p.timer = nil
	}
}

// Close drops what is kept, and whatever comes back.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		c.Close()
	}
	p.idle = nil
}
