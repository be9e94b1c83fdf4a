package connect

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"lrwp.org/go/lrwp/internal/fakeproxy"
)

// output is a log that a test reads while it is written.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(piece []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(piece)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// scene is an agent beside a proxy that the test plays.
type scene struct {
	*testing.T
	proxy *fakeproxy.Proxy
	log   *output
	stop  context.CancelFunc
	ended chan struct{}
}

// connect runs the program with these arguments, in this process.
func connect(t *testing.T, arguments ...string) *scene {
	t.Helper()
	s := &scene{T: t, proxy: fakeproxy.Start(t), log: &output{}, ended: make(chan struct{})}
	in, err := parse(append(arguments, "--proxy", s.proxy.Address()), os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	s.run(in)
	return s
}

// connectRun is connect for run, whose command comes last.
func connectRun(t *testing.T, options []string, command ...string) *scene {
	t.Helper()
	s := &scene{T: t, proxy: fakeproxy.Start(t), log: &output{}, ended: make(chan struct{})}
	arguments := append([]string{"run", "--proxy", s.proxy.Address()}, options...)
	in, err := parse(append(append(arguments, "--"), command...), os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	s.run(in)
	return s
}

func (s *scene) run(in *invocation) {
	s.Helper()
	var agents []*agent
	for _, r := range in.routes {
		a, err := newAgent(r, newLog(s.log, in.verbose), s.log, s.log)
		if err != nil {
			s.Fatal(err)
		}
		agents = append(agents, a)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	go func() {
		defer close(s.ended)
		serve(ctx, agents, s.log)
	}()
	s.Cleanup(func() {
		stop()
		select {
		case <-s.ended:
		case <-time.After(2 * fakeproxy.Patience):
			s.Error("the agent does not end")
		}
		if s.Failed() {
			s.Logf("its log:\n%s", s.log)
		}
	})
}

// await waits until something holds.
func (s *scene) await(what string, holds func() bool) {
	s.Helper()
	for end := time.Now().Add(fakeproxy.Patience); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			s.Fatalf("not in time: %s", what)
		}
	}
}

func (s *scene) awaitLog(text string) {
	s.Helper()
	s.await("the log says "+text, func() bool { return strings.Contains(s.log.String(), text) })
}

func (s *scene) equal(want, got any, what string) {
	s.Helper()
	if fmt.Sprint(want) != fmt.Sprint(got) {
		s.Errorf("%s is %q, not %q", what, fmt.Sprint(got), fmt.Sprint(want))
	}
}

func (s *scene) contains(text string, parts ...string) {
	s.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			s.Errorf("%q is not in %q", part, text)
		}
	}
}

func (s *scene) lacks(text string, parts ...string) {
	s.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			s.Errorf("%q is in %q", part, text)
		}
	}
}

// ask sends one request to the peer and waits for the answer.
func ask(p *fakeproxy.Peer, method, path, body string, more ...string) (status, head, answer string) {
	return send(p, method, path, body, more...).Answer()
}

// send sends one request below /app.
func send(p *fakeproxy.Peer, method, path, body string, more ...string) *fakeproxy.Stream {
	return p.Send([]byte(body), append(variables(method, path), append([]string{fmt.Sprintf("CONTENT_LENGTH=%d", len(body))}, more...)...)...)
}

// variables are what the proxy says about a request for /app and a path.
func variables(method, path string) []string {
	plain, query, _ := strings.Cut(path, "?")
	return []string{
		"REQUEST_METHOD=" + method, "SCRIPT_NAME=/app", "PATH_INFO=" + plain, "QUERY_STRING=" + query,
		"REQUEST_URI=/app" + path, "SERVER_PROTOCOL=HTTP/1.1", "SERVER_NAME=client.example", "SERVER_PORT=80",
		"REMOTE_ADDR=192.0.2.7", "REMOTE_PORT=4711", "HTTP_HOST=client.example",
	}
}

// httpServer starts an HTTP server.
func httpServer(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// rawOrigin starts a server that does with each connection what the test says.
func rawOrigin(t *testing.T, serve func(number int, conn net.Conn)) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for number := 1; ; number++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			go serve(number, conn)
		}
	}()
	return "http://" + listener.Addr().String()
}
