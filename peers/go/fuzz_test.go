package lrwp

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
)

// FuzzFrames lets a connection take whatever comes: it may end by an error or a broken rule, and nothing else.
func FuzzFrames(f *testing.F) {
	settings := appendFrame(nil, settings, false, 0, []byte("window=5\x00"))
	env := block("POST", "/c?x", "CONTENT_LENGTH=3", "HTTP_UPGRADE=x")
	request := append([]byte{0, 0, byte(len(env) >> 8), byte(len(env))}, env+"abc"...)
	f.Add(settings)
	f.Add(appendFrame(settings, 5, false, 1, request))
	f.Add(appendFrame(appendFrame(settings, 5, true, 1, request), 10, false, 1, nil))
	f.Add(appendFrame(appendFrame(settings, 5, false, 2, request), 7, true, 2, []byte("more")))
	f.Add([]byte("\x00\x01\x00\x01\x07\x00\x00\x00\x00\x00\x00\x01"))
	in := bufio.NewReaderSize(nil, 2*maxFrame)
	f.Fuzz(func(t *testing.T, sent []byte) {
		p, err := newPeer(Options{Proxy: []string{"127.0.0.1:1"}, Context: []string{"/c"}, Concurrency: 3, Stream: true,
			Log: func(string) {}}, http.HandlerFunc(fine))
		if err != nil {
			t.Fatal(err)
		}
		p.base = context.Background()
		in.Reset(bytes.NewReader(sent))
		c := newConnection(p, "", version30, nil, in)
		frames := frameReader{in: c.in}
		for {
			f, err := frames.next()
			if err != nil {
				if err != io.EOF && err != io.ErrUnexpectedEOF && err != errLongFrame {
					t.Fatal(err)
				}
				return
			}
			var s *stream
			if f.kind == 5 {
				s = c.parse(f)
			}
			c.mu.Lock()
			rule := c.take(f, s)
			c.mu.Unlock()
			out, starting := c.batch(nil)
			if rule != "" {
				return
			}
			if len(starting) > 0 && len(out) == 0 {
				t.Fatal("a handler is entered without STARTED")
			}
			for _, s := range starting {
				s.makeRequest()
			}
		}
	})
}
