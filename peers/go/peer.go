package lrwp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	lookupEvery = 30 * time.Second
	lookupTime  = 10 * time.Second
	askAgain    = 30 * time.Second
)

// instance is what all connections of this process call it (rule 5.8).
var instance = random(16)

func random(bytes int) string {
	token := make([]byte, bytes)
	if _, err := rand.Read(token); err != nil {
		panic(err) // a system without randomness
	}
	return hex.EncodeToString(token)
}

// peer is what one Serve runs.
type peer struct {
	Options
	handler   http.Handler
	addresses []address
	base      context.Context // of all requests
	lookup    func(ctx context.Context, host string) ([]string, error)
	every     time.Duration      // between two lookups
	askAgain  time.Duration      // for a refused context, after so long
	unknown   map[address]string // why a name was not found
	slots     slots
	workers   workers
	again     chan struct{} // a connection is lost: names may mean something else now
	running   sync.WaitGroup

	mu          sync.Mutex
	draining    bool
	connections map[*connection]bool
}

func newPeer(options Options, handler http.Handler) (*peer, error) {
	if handler == nil {
		return nil, errors.New("there is no handler")
	}
	if err := options.check(); err != nil {
		return nil, err
	}
	addresses, err := parseAddresses(options.Proxy)
	if err != nil {
		return nil, err
	}
	if options.Log == nil {
		logger := log.New(os.Stderr, "", log.LstdFlags)
		options.Log = func(line string) { logger.Print(line) }
	}
	return &peer{
		Options: options, handler: handler, addresses: addresses, base: context.Background(),
		lookup: net.DefaultResolver.LookupHost, every: lookupEvery, askAgain: askAgain, unknown: map[address]string{}, slots: slots{free: options.Concurrency},
		again: make(chan struct{}, 1), connections: map[*connection]bool{},
	}, nil
}

func (p *peer) logf(format string, arguments ...any) { p.Log(fmt.Sprintf(format, arguments...)) }

// run keeps a target for each address until the context is done, and then waits for the end of all connections.
func (p *peer) run(ctx context.Context) {
	p.base = context.WithoutCancel(ctx)
	targets, delay := map[string]*target{}, firstDelay
	for ctx.Err() == nil {
		wait := p.every
		if p.adjust(ctx, targets) {
			delay = firstDelay
		} else { // a name is unknown: it is asked for sooner, but less and less so
			delay = min(2*delay, longestDelay)
			wait = min(delay, p.every)
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-p.again:
		}
		timer.Stop()
	}
	p.drain()
	p.running.Wait()
	p.workers.close()
}

// adjust starts the targets that are missing and lets those go whose address no name means any more. It says whether
// all names are known; one that cannot be looked up means what it meant before.
func (p *peer) adjust(ctx context.Context, targets map[string]*target) bool {
	wanted, known := map[string]bool{}, true
	for _, a := range p.addresses {
		hosts, err := p.hosts(ctx, a)
		if err != nil {
			known = false
			for at, t := range targets {
				wanted[at] = wanted[at] || t.proxy == a
			}
		}
		for _, host := range hosts {
			at := a.at(host)
			wanted[at] = true
			if targets[at] == nil {
				targets[at] = p.start(ctx, a, at)
			}
		}
	}
	for at, t := range targets {
		if !wanted[at] {
			p.logf("leaving proxy=%s why=%q", at, t.proxy.text+" has other addresses now")
			t.stop()
			delete(targets, at)
		}
	}
	return known
}

// hosts are the addresses that an address stands for. That a name is unknown is told once.
func (p *peer) hosts(ctx context.Context, a address) ([]string, error) {
	if !a.isName() {
		return []string{a.host}, nil
	}
	soon, stop := context.WithTimeout(ctx, lookupTime)
	defer stop()
	hosts, err := p.lookup(soon, a.host)
	why := ""
	if err != nil && ctx.Err() == nil {
		why = err.Error()
	}
	if why != "" && p.unknown[a] != why {
		p.logf("unknown proxy=%s why=%q", a.text, why)
	}
	p.unknown[a] = why
	return hosts, err
}

func (p *peer) start(ctx context.Context, proxy address, at string) *target {
	t := &target{peer: p, proxy: proxy, at: at}
	t.ctx, t.stop = context.WithCancel(ctx)
	p.running.Add(1)
	go func() {
		defer p.running.Done()
		t.run()
	}()
	return t
}

// lookAgain: the names are looked up before their time.
func (p *peer) lookAgain() {
	select {
	case p.again <- struct{}{}:
	default:
	}
}

// drain tells all proxies that this peer leaves.
func (p *peer) drain() {
	p.mu.Lock()
	p.draining = true
	open := make([]*connection, 0, len(p.connections))
	for c := range p.connections {
		open = append(open, c)
	}
	p.mu.Unlock()
	for _, c := range open {
		c.beginDrain()
	}
	p.Log("drain by=peer")
}

// add takes a new connection in.
func (p *peer) add(c *connection) {
	p.mu.Lock()
	p.connections[c] = true
	draining := p.draining
	p.mu.Unlock()
	if draining {
		c.beginDrain()
	}
}

func (p *peer) remove(c *connection) {
	p.mu.Lock()
	delete(p.connections, c)
	p.mu.Unlock()
}

// names of a context as they go over the wire.
func (p *peer) names(context string) []byte {
	return append(append(append(latin(context), delimiter), latin(p.Vhost)...), delimiter)
}

// latin gives the ISO 8859-1 bytes of a text.
func latin(text string) []byte {
	bytes := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		bytes = append(bytes, byte(r))
	}
	return bytes
}

// slots are the handlers that may run at once, over all connections. Whoever finds none waits in a row.
type slots struct {
	mu      sync.Mutex
	free    int
	waiting []waiter
}

type waiter interface {
	// start is called, on a goroutine of its own, when a slot has been taken for this waiter.
	start()
}

// take says whether there was a slot; if not, start is called later.
func (s *slots) take(w waiter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		return true
	}
	s.waiting = append(s.waiting, w)
	return false
}

// give hands a slot to the longest waiting.
func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.free++
		return
	}
	next := s.waiting[0]
	s.waiting = s.waiting[1:]
	go next.start()
}

// forget takes one out of the row; false when its start is called, or was.
func (s *slots) forget(w waiter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range s.waiting {
		if other == w {
			s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
			return true
		}
	}
	return false
}
