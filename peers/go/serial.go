package lrwp

import (
	"fmt"
	"io"
	"strconv"
)

// serveOld is a connection of LRWP 1.0: length, env block, length, body; length, answer; one at a time.
func (c *connection) serveOld() {
	c.slots = make([]slot, 2)
	for {
		block, err := c.readOld()
		var body []byte
		if err == nil {
			body, err = c.readOld()
		}
		if err != nil {
			c.lose(fmt.Errorf("the proxy has closed: %w", err))
			return
		}
		c.serveOne(string(block), body)
	}
}

func (c *connection) serveOne(block string, body []byte) {
	s := newStream(c, 1, block)
	s.proxyEnded, s.entered = true, true
	if len(body) > 0 {
		s.body = append(s.body, body)
	}
	c.mu.Lock()
	if c.stopped {
		c.mu.Unlock()
		return
	}
	c.busy = true
	c.slots[1].stream = s
	c.mu.Unlock()
	turn := make(oldTurn, 1)
	if !c.peer.slots.take(turn) {
		<-turn
	}
	s.serve()
	output := append(s.head, s.out...)
	c.socket.Write(append(fmt.Appendf(nil, "%09d", len(output)), output...))
	c.mu.Lock()
	if !s.closed {
		c.close(s)
	}
	c.busy = false
	draining := c.draining
	c.mu.Unlock()
	c.peer.slots.give()
	if draining {
		c.linger(nil)
	}
}

// oldTurn waits for a slot.
type oldTurn chan struct{}

func (t oldTurn) start() { t <- struct{}{} }

func (c *connection) readOld() ([]byte, error) {
	digits := make([]byte, 9)
	if _, err := io.ReadFull(c.in, digits); err != nil {
		return nil, err
	}
	length, err := strconv.ParseUint(string(digits), 10, 32)
	if err != nil {
		return nil, err
	}
	bytes, err := io.ReadAll(io.LimitReader(c.in, int64(length)))
	if err == nil && uint64(len(bytes)) < length {
		err = io.ErrUnexpectedEOF
	}
	return bytes, err
}
