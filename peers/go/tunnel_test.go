package lrwp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"testing"
	"time"
)

var offer = []string{"HTTP_UPGRADE=echo", "HTTP_CONNECTION=Upgrade"}

// open asks for a tunnel.
func open(s *script) {
	s.t.Helper()
	s.ask(1, false, block("GET", "/c", append(offer, "CONTENT_LENGTH=0")...), "")
	s.expect(8)
}

// upgraded reads a 101, and what may be behind it in the same frame.
func upgraded(s *script) string {
	s.t.Helper()
	status, header, rest := head(s.t, string(s.expect(6).payload))
	equal(s.t, "status", "101 Switching Protocols", status)
	equal(s.t, "protocol", "echo", header.Get("Upgrade"))
	return rest
}

// more reads bytes of a tunnel behind others, until there are so many.
func more(s *script, text string, length int) string {
	s.t.Helper()
	for len(text) < length {
		f, err := s.read()
		if err != nil {
			s.t.Fatal(err, text)
		}
		if f.kind == data {
			text += string(f.payload)
		}
	}
	return text
}

// Two ways to answer 101: as github.com/coder/websocket does it, and as github.com/gorilla/websocket and
// httputil.ReverseProxy do.
var ways = map[string]func(http.ResponseWriter) (net.Conn, *bufio.ReadWriter){
	"by WriteHeader": func(w http.ResponseWriter) (net.Conn, *bufio.ReadWriter) {
		w.Header().Set("Upgrade", "echo")
		w.WriteHeader(http.StatusSwitchingProtocols)
		conn, both, err := http.NewResponseController(w).Hijack()
		mustBe(err, nil)
		return conn, both
	},
	"on the connection": func(w http.ResponseWriter) (net.Conn, *bufio.ReadWriter) {
		conn, both, err := w.(http.Hijacker).Hijack()
		mustBe(err, nil)
		mustBe(conn.SetDeadline(time.Time{}), nil)
		io.WriteString(both, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConn")
		mustBe(both.Flush(), nil)
		io.WriteString(both, "ection: Upgrade\r\n\r\n")
		mustBe(both.Flush(), nil)
		return conn, both
	},
}

func TestUpgradeIsAConnection(t *testing.T) {
	for what, way := range ways {
		t.Run(what, func(t *testing.T) {
			l := listen(t)
			serve(t, Options{Proxy: []string{l.address()}, Upgrades: "echo", Window: 1000}, func(w http.ResponseWriter, r *http.Request) {
				conn, both := way(w)
				if _, err := w.Write(nil); err != http.ErrHijacked {
					panic(err)
				}
				fmt.Fprintln(both, conn.RemoteAddr(), r.Body == http.NoBody)
				both.Flush()
				io.Copy(conn, both)
				io.WriteString(conn, "bye") // the other direction goes on
				conn.Close()
			})
			s := l.accept()
			open(s)
			greeting := "192.0.2.7:4711 true\n"
			equal(t, "greeting", greeting, more(s, upgraded(s), len(greeting)))
			for i := 0; i < 3; i++ {
				piece := fmt.Sprintf("%0500d", i)
				s.frame(7, false, 1, piece)
				equal(t, "echo", piece, more(s, "", len(piece)))
			}
			s.frame(7, true, 1, "")
			rest := s.answer(1)
			equal(t, "behind the end of the client", "bye", rest.body)
			nextIsAnswered(s)
		})
	}
}

// nextIsAnswered: the slot is free for an ordinary request, whose handler here fails at Hijack.
func nextIsAnswered(s *script) {
	s.t.Helper()
	s.ask(1, true, block("GET", "/c", "CONTENT_LENGTH=0"), "")
	for {
		f, err := s.read()
		if err != nil {
			s.t.Fatal(err)
		}
		if f.kind == response {
			status, _, _ := head(s.t, string(f.payload))
			equal(s.t, "the next on this slot", "500 Internal Server Error", status)
			return
		}
	}
}

func TestClientOfATunnelThatIsLostEndsIt(t *testing.T) {
	l := listen(t)
	ended := make(chan error, 2)
	serve(t, Options{Proxy: []string{l.address()}, Upgrades: "echo"}, func(w http.ResponseWriter, r *http.Request) {
		conn, _ := ways["by WriteHeader"](w)
		_, err := conn.Read(make([]byte, 1))
		ended <- err
		_, err = conn.Write([]byte("x"))
		ended <- err
		<-r.Context().Done()
		conn.Close()
	})
	s := l.accept()
	open(s)
	upgraded(s)
	s.frame(10, false, 1, "the client is gone")
	mustBe(<-ended, ErrCancelled)
	mustBe(<-ended, ErrCancelled)
	equal(t, "the slot is freed", true, s.answer(1).cut)
}

func TestTunnelOutlivesItsHandler(t *testing.T) {
	l := listen(t)
	conns := make(chan net.Conn, 1)
	serve(t, Options{Proxy: []string{l.address()}, Upgrades: "echo"}, func(w http.ResponseWriter, _ *http.Request) {
		conn, _ := ways["by WriteHeader"](w)
		conns <- conn
	})
	s := l.accept()
	open(s)
	upgraded(s)
	conn := <-conns
	s.frame(7, false, 1, "hello")
	piece := make([]byte, 5)
	io.ReadFull(conn, piece)
	conn.Write(piece)
	equal(t, "echo", "hello", string(s.expect(7).payload))
	conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	if _, err := conn.Read(piece); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	conn.Close()
	equal(t, "END", true, s.expect(7).end)
	if _, err := conn.Write(piece); !errors.Is(err, net.ErrClosed) {
		t.Fatal(err)
	}
}

func TestReverseProxyWorksUnchanged(t *testing.T) {
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			conn, both, err := w.(http.Hijacker).Hijack()
			mustBe(err, nil)
			defer conn.Close()
			io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
			io.Copy(conn, both)
			return
		}
		if r.URL.Path == "/c/broken" {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "text/event-stream") // which the ReverseProxy flushes
		sent, err := io.ReadAll(r.Body)
		mustBe(err, nil)
		io.WriteString(w, "data: ")
		w.(http.Flusher).Flush()
		w.Write(sent)
	}))
	t.Cleanup(back.Close)
	target, err := url.Parse(back.URL)
	mustBe(err, nil)
	l := listen(t)
	serve(t, Options{Proxy: []string{l.address()}, Upgrades: "echo"}, httputil.NewSingleHostReverseProxy(target).ServeHTTP)
	s := l.accept()
	s.request(1, "POST", "/c", "body")
	answer := s.answer(1)
	equal(t, "status", "200 OK", answer.status)
	equal(t, "type", "text/event-stream", answer.header.Get("Content-Type"))
	equal(t, "body", "data: body", answer.body)
	equal(t, "what breaks off is cut", true, s.exchange("/c/broken").cut)

	open(s)
	early := upgraded(s)
	s.frame(7, false, 1, "hello")
	equal(t, "echo", "hello", more(s, early, 5))
	s.frame(10, false, 1, "the client is gone")
	equal(t, "the slot is freed", true, s.answer(1).cut)
}

func TestUpgradeThatIsAnsweredOtherwiseIsAnOrdinaryRequest(t *testing.T) {
	l := listen(t)
	serve(t, Options{Proxy: []string{l.address()}, Upgrades: "echo"}, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			if _, _, err := http.NewResponseController(w).Hijack(); !errors.Is(err, http.ErrNotSupported) {
				panic(err)
			}
		}
		if r.URL.Path == "/c/raw" {
			conn, _, err := http.NewResponseController(w).Hijack()
			mustBe(err, nil)
			io.WriteString(conn, "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
			conn.Close()
			return
		}
		http.Error(w, "no", http.StatusForbidden)
	})
	s := l.accept()
	for _, target := range []string{"/c", "/c/raw"} {
		s.ask(1, false, block("GET", target, offer...), "")
		s.expect(8)
		equal(t, target, "403 Forbidden", s.answer(1).status)
		s.frame(10, false, 1, "")
	}
	equal(t, "without offer", "403 Forbidden", s.exchange("/c").status)
}
