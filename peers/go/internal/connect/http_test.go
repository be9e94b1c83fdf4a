package connect

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lrwp.org/go/lrwp/internal/fakeproxy"
)

func TestRequestsReachTheServerAsTheClientSentThem(t *testing.T) {
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/x")
		fmt.Fprintf(w, "%s %s %s %s %q", r.Method, r.RequestURI, r.Host, r.Header.Get("X-Some-Thing"), body)
	})
	s := connect(t, "http", server.URL, "/app")
	peer := s.proxy.Await()

	status, head, body := ask(peer, "POST", "/a%20b;v=1/ü?q=1&r=%20", "hello", "HTTP_X_SOME_THING=yes", "CONTENT_TYPE=text/plain")

	s.equal("200", status, "the status")
	s.contains(head, "Content-Type: text/x\r\n", "Content-Length: ")
	s.equal(`POST /app/a%20b;v=1/ü?q=1&r=%20 client.example yes "hello"`, body, "what the server saw")
	s.equal("/app", peer.Context, "the context")
	s.contains(peer.Settings, "stream=1", "upgrade=websocket", "name=lrwp-connect", "capacity=64")
}

func TestWhereARequestComesFromCannotBeForged(t *testing.T) {
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) { r.Header.Write(w) })
	s := connect(t, "http", server.URL, "/app", "--strip")
	peer := s.proxy.Await()

	_, _, body := ask(peer, "GET", "/x", "", "HTTPS=on", "HTTP_X_FORWARDED_FOR=6.6.6.6", "HTTP_FORWARDED=for=6.6.6.6",
		"HTTP_X_REAL_IP=6.6.6.6", "HTTP_X_FORWARDED_PROTO=gopher", "HTTP_X_FORWARDED_HOST=evil", "HTTP_X_FORWARDED_PREFIX=/evil",
		"HTTP_PROXY=evil", "HTTP_CONNECTION=X-Foo", "HTTP_TE=trailers", "HTTP_KEEP_ALIVE=evil")

	s.contains(body, "X-Forwarded-For: 192.0.2.7\r\n", "X-Real-Ip: 192.0.2.7\r\n", "X-Forwarded-Proto: https\r\n",
		"X-Forwarded-Host: client.example\r\n", "X-Forwarded-Prefix: /app\r\n",
		"Forwarded: for=192.0.2.7;proto=https;host=\"client.example\"\r\n")
	s.lacks(body, "6.6.6.6", "evil", "gopher", "trailers")

	_, _, body = ask(peer, "GET", "/x", "", "REMOTE_ADDR=2001:db8::1")
	s.contains(body, "X-Forwarded-For: 2001:db8::1\r\n", `Forwarded: for="[2001:db8::1]";proto=http;`)
}

func TestAPathThatCanBeReadInTwoWaysIsWrittenAnew(t *testing.T) {
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.RequestURI) })
	s := connect(t, "http", server.URL+"/base/", "/app", "--strip")
	peer := s.proxy.Await()
	for uri, want := range map[string]string{
		"/app/x/../y?q":    "/base/y?q",
		"/app//y":          "/base/y",
		"/%61pp/y":         "/base/y",
		"/app/%2e%2e/z/y":  "/base/y",
		"/other/../app/y":  "/base/y",
		"/app/y?a b":       "/base/y?a%20b",
		"/app/%2Dy?q=%2e.": "/base/%2Dy?q=%2e.",
	} {
		path := "/y"
		if strings.Contains(uri, "%2D") {
			path = "/-y"
		}
		_, query, _ := strings.Cut(uri, "?")
		_, _, body := ask(peer, "GET", path, "", "REQUEST_URI="+uri, "QUERY_STRING="+query)
		s.equal(want, body, uri)
	}
	_, _, body := ask(peer, "GET", "", "", "REQUEST_URI=/app")
	s.equal("/base", body, "the context itself")
}

func TestWhatTheServerSaysAboutPathsIsTurned(t *testing.T) {
	var address string
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		for _, value := range []string{"/in", "/base/in?x#y", "/", "http://client.example/base/in", "http://" + address + "/base/in",
			"https://elsewhere.example/in", "relative", "//client.example/base/in"} {
			w.Header().Add("Location", value)
		}
		w.Header().Set("Content-Location", "/base/doc")
		w.Header().Set("Refresh", "5; url=/base/next")
		for _, value := range []string{"a=1; Path=/", "b=2; Secure; path=/base/deep", "c=3", "__Host-d=4; Path=/"} {
			w.Header().Add("Set-Cookie", value)
		}
		w.WriteHeader(302)
	})
	address = server.Listener.Addr().String()
	s := connect(t, "http", server.URL+"/base", "/app", "--strip")
	_, head, _ := ask(s.proxy.Await(), "GET", "/x", "")
	s.contains(head, "Location: /app/in\r\nLocation: /app/in?x#y\r\nLocation: /app/\r\n",
		"Location: http://client.example/app/in\r\nLocation: /app/in\r\nLocation: https://elsewhere.example/in\r\nLocation: relative\r\n",
		"Location: //client.example/app/in\r\n", "Content-Location: /app/doc\r\n", "Refresh: 5; url=/app/next\r\n",
		"Set-Cookie: a=1; Path=/app\r\n", "Set-Cookie: b=2; Secure; path=/app/deep\r\n", "Set-Cookie: c=3\r\n",
		"Set-Cookie: __Host-d=4; Path=/\r\n")
}

// A program that follows X-Forwarded-Prefix writes the client's paths itself.
func TestAPathThatIsTheClientsAlreadyStays(t *testing.T) {
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		prefix := r.Header.Get("X-Forwarded-Prefix")
		absolute := "http://client.example" + prefix + "/in"
		for _, value := range []string{prefix + "/in?x", prefix, prefix + "lication", absolute} {
			w.Header().Add("Location", value)
		}
		w.Header().Set("Content-Location", prefix+"/doc")
		w.Header().Set("Refresh", "5; url="+prefix+"/next")
		for _, value := range []string{"a=1; Path=" + prefix, "b=2; Path=" + prefix + "/", "c=3; Path=" + prefix + "/deep"} {
			w.Header().Add("Set-Cookie", value)
		}
		w.WriteHeader(302)
	})
	for _, base := range []string{"", "/base", "/app/base"} {
		s := connect(t, "http", server.URL+base, "/app", "--strip")
		_, head, _ := ask(s.proxy.Await(), "GET", "/x", "")
		s.contains(head, "Location: /app/in?x\r\nLocation: /app\r\nLocation: /app/application\r\n",
			"Location: http://client.example/app/in\r\n", "Content-Location: /app/doc\r\n", "Refresh: 5; url=/app/next\r\n",
			"Set-Cookie: a=1; Path=/app\r\n", "Set-Cookie: b=2; Path=/app/\r\n", "Set-Cookie: c=3; Path=/app/deep\r\n")
	}
}

// A path below the URL's is the server's, also where that looks like the context.
func TestAPathOfABaseThatIsBelowTheContextIsTurned(t *testing.T) {
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/app/base/in", 302) })
	s := connect(t, "http", server.URL+"/app/base", "/app", "--strip")
	_, head, _ := ask(s.proxy.Await(), "GET", "/x", "")
	s.contains(head, "Location: /app/in\r\n")
}

func TestAnswersOfEveryFramingArrive(t *testing.T) {
	for name, one := range map[string]struct{ wire, status, head, body string }{
		"length":       {"HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello", "200", "Status: 200 Fine\r\nX-A: b\r\nContent-Length: 5\r\n", "hello"},
		"chunks":       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;ext=1\r\nhello\r\na\r\n, and more\r\n0\r\nTrailer: x\r\n\r\n", "200", "", "hello, and more"},
		"until end":    {"HTTP/1.0 200 OK\r\n\r\nhello", "200", "", "hello"},
		"no reason":    {"HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", "404", "Status: 404 Not Found\r\n", ""},
		"line feeds":   {"HTTP/1.1 200 OK\nContent-Length: 2\nX-A:b\n\nhi", "200", "X-A: b\r\n", "hi"},
		"no body":      {"HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n", "204", "", ""},
		"not modified": {"HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\nETag: \"x\"\r\n\r\n", "304", "ETag: \"x\"\r\n", ""},
		"interim":      {"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", "200", "", "x"},
		"untyped":      {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n<", "200", "Content-Type: application/octet-stream\r\n", "<"},
		"own status":   {"HTTP/1.1 200 OK\r\nStatus: 500 Trap\r\nContent-Length: 0\r\n\r\n", "200", "", ""},
		"both lengths": {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", "200", "", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			url := rawOrigin(t, func(_ int, conn net.Conn) {
				http.ReadRequest(bufio.NewReader(conn))
				io.WriteString(conn, one.wire)
				conn.Close()
			})
			s := connect(t, "http", url, "/app")
			status, head, body := ask(s.proxy.Await(), "GET", "/", "")
			s.equal(one.status, status, "the status")
			s.equal(one.body, body, "the body")
			s.contains(head, one.head)
			s.lacks(head, "Transfer-Encoding", "Trap", "Trailer")
		})
	}
}

func TestABrokenAnswerIsOneClearError(t *testing.T) {
	large := strings.Repeat("x", 70000)
	for name, one := range map[string]struct{ wire, status, reason string }{
		"no HTTP":            {"SSH-2.0-OpenSSH\r\n\r\n", "502", "bad-head"},
		"nothing":            {"", "502", "lost"},
		"half a head":        {"HTTP/1.1 200 OK\r\nX-A: b", "502", "lost"},
		"no colon":           {"HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", "502", "bad-head"},
		"folding":            {"HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\n\r\n", "502", "bad-head"},
		"control":            {"HTTP/1.1 200 OK\r\nX-A: b\x00\r\n\r\n", "502", "bad-head"},
		"two lengths":        {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "502", "bad-head"},
		"negative length":    {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "502", "bad-head"},
		"unknown coding":     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "502", "bad-head"},
		"101 unasked":        {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "502", "bad-head"},
		"large head":         {"HTTP/1.1 200 OK\r\nX-A: " + large + "\r\n\r\n", "502", "head-too-large"},
		"endless interim":    {strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 100), "502", "bad-head"},
		"short":              {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", "cut", "lost"},
		"bad chunk":          {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\n", "cut", "bad-body"},
		"unterminated chunk": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "cut", "lost"},
	} {
		t.Run(name, func(t *testing.T) {
			url := rawOrigin(t, func(_ int, conn net.Conn) {
				http.ReadRequest(bufio.NewReader(conn))
				io.WriteString(conn, one.wire)
				conn.Close()
			})
			s := connect(t, "http", url, "/app")
			stream := send(s.proxy.Await(), "GET", "/where", "", "HTTP_X_REQUEST_ID=id-1")
			status, head, body := stream.Answer()
			if one.status == "cut" {
				s.equal("cut", stream.Fate, "the fate of the answer")
			} else {
				s.equal(one.status, status, "the status")
				s.contains(head, "Content-Type: text/plain")
				s.lacks(body, "127.0.0.1")
			}
			s.awaitLog("reason=" + one.reason)
			s.contains(s.log.String(), "failed context=/app request=id-1 method=\"GET\" path=\"/app/where\"", "outcome="+one.status)
			s.equal(1, strings.Count(s.log.String(), "failed"), "how often it is told")
		})
	}
}

func TestAServerThatIsNotThereIs502AndOneThatIsSilent504(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	s := connect(t, "http", "http://"+listener.Addr().String(), "/app")
	status, _, body := ask(s.proxy.Await(), "POST", "/", "hello")
	s.equal("502", status, "the status")
	s.equal("The program behind this address does not take connections.\n", body, "the body")
	s.awaitLog("reason=refused why=\"dial tcp " + listener.Addr().String())

	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/app/late" {
			w.Write([]byte("a"))
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	})
	s = connect(t, "http", server.URL, "/app", "--timeout", "100ms")
	peer := s.proxy.Await()
	status, _, _ = ask(peer, "GET", "/", "")
	s.equal("504", status, "the status")
	s.awaitLog("outcome=504 reason=timed-out")
	late := send(peer, "GET", "/late", "")
	late.Answer()
	s.equal("cut", late.Fate, "the fate of an answer that stops")
}

func TestConnectionsAreKept(t *testing.T) {
	var connections sync.Map
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		connections.Store(r.RemoteAddr, true)
		io.Copy(w, r.Body)
	})
	s := connect(t, "http", server.URL, "/app")
	peer := s.proxy.Await()
	for i := 0; i < 20; i++ {
		_, _, body := ask(peer, "POST", "/", "hello")
		s.equal("hello", body, "the body")
	}
	count := 0
	connections.Range(func(any, any) bool { count++; return true })
	s.equal(1, count, "the number of connections")
}

// A server that closes a connection which it has kept must not cost a request.
func TestAStaleConnectionCostsNoRequest(t *testing.T) {
	closed := make(chan struct{}, 10)
	var posts atomic.Int32
	url := rawOrigin(t, func(_ int, conn net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		if r.Method == "POST" {
			posts.Add(1)
		}
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") // keep-alive, it says
		conn.Close()
		closed <- struct{}{}
	})
	s := connect(t, "http", url, "/app")
	peer := s.proxy.Await()
	for _, method := range []string{"GET", "GET", "POST", "POST", "GET"} {
		status, _, body := ask(peer, method, "/", "")
		s.equal("200 ok", status+" "+body, method)
		<-closed
	}
	s.equal(2, posts.Load(), "the number of POSTs that the server saw")
}

// Some servers, such as waitress, send a body for HEAD too, which must not become the next client's answer.
func TestABodyForHEADIsNobodysAnswer(t *testing.T) {
	answered, written := make(chan struct{}), make(chan struct{})
	url := rawOrigin(t, func(_ int, conn net.Conn) {
		in := bufio.NewReader(conn)
		for {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 42\r\n\r\n")
			if r.Method == "HEAD" {
				<-answered
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"+strings.ToLower(r.Method)+" ")
			if r.Method == "HEAD" {
				close(written)
			}
		}
	})
	s := connect(t, "http", url, "/app")
	peer := s.proxy.Await()
	status, head, body := ask(peer, "HEAD", "/", "")
	s.equal("200 ", status+" "+body, "the answer to HEAD")
	s.contains(head, "Content-Length: 42\r\n")
	close(answered)
	<-written
	status, _, body = ask(peer, "GET", "/", "")
	s.equal("200", status, "the status")
	s.contains(body, "get ")
}

// Nobody knows whether the server has acted on it.
func TestAPostThatMayHaveBeenReadIsNotRepeated(t *testing.T) {
	var posts atomic.Int32
	url := rawOrigin(t, func(_ int, conn net.Conn) {
		in := bufio.NewReader(conn)
		for {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			io.Copy(io.Discard, r.Body)
			if r.Method == "POST" {
				posts.Add(1)
				conn.Close()
				return
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		}
	})
	s := connect(t, "http", url, "/app")
	peer := s.proxy.Await()
	ask(peer, "GET", "/", "")
	status, _, _ := ask(peer, "POST", "/", "pay")
	s.equal("502", status, "the status")
	s.equal(1, posts.Load(), "how often it was sent")
}

func TestBodiesStreamBothWaysAtOnce(t *testing.T) {
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).EnableFullDuplex()
		piece := make([]byte, 4096)
		for {
			n, err := r.Body.Read(piece)
			w.Write(piece[:n])
			w.(http.Flusher).Flush()
			if err != nil {
				return
			}
		}
	})
	s := connect(t, "http", server.URL, "/app")
	peer := s.proxy.Await()
	stream := peer.Send(nil, variables("POST", "/")...) // no length: it goes in chunks
	piece := make([]byte, 100)
	for i := 0; i < 10; i++ {
		fmt.Fprintf(stream, "message %d", i)
		n, _ := io.ReadAtLeast(stream.Body(), piece, 9)
		s.equal(fmt.Sprintf("message %d", i), string(piece[:n]), "what comes back")
	}
	stream.End()
	stream.AwaitOver()
	s.equal("", stream.Fate, "the fate of the answer")

	large := bytes.Repeat([]byte("0123456789"), 500_000)
	_, _, body := send(peer, "PUT", "/", string(large)).Answer()
	s.equal(len(large), len(body), "the length of a large body")
	if body != string(large) {
		s.Error("the large body is not the same")
	}
}

func TestAServerMayRefuseABodyBeforeItComes(t *testing.T) {
	var read atomic.Int64
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/app/no" {
			w.Header().Set("Connection", "close")
			http.Error(w, "no", http.StatusRequestEntityTooLarge)
			return
		}
		n, _ := io.Copy(io.Discard, r.Body) // says 100 Continue
		read.Store(n)
	})
	s := connect(t, "http", server.URL, "/app")
	peer := s.proxy.Await()
	length := "CONTENT_LENGTH=200000"
	stream := peer.Send(nil, append(variables("POST", "/no"), length, "HTTP_EXPECT=100-continue")...)
	status, _, _ := stream.Answer()
	s.equal("413", status, "the status of the refusal")

	status, _, _ = peer.Send(make([]byte, 200000), append(variables("POST", "/yes"), length, "HTTP_EXPECT=100-continue")...).Answer()
	s.equal("200", status, "the status")
	s.equal(200000, read.Load(), "what the server read")
}

// place is the only one that a peer has for requests; it serves two proxies.
type place struct {
	peer, other      *fakeproxy.Peer
	holding, release chan struct{}
}

// late sends a POST without a length. It has come with all of its body when it is looked at, because until then a
// request of the other proxy has the place.
func (p *place) late(body string, more ...string) (status, head, answer string) {
	hold := send(p.other, "GET", "/hold", "")
	<-p.holding
	stream := p.peer.Send(nil, append(variables("POST", "/"), more...)...)
	for rest := body; rest != ""; {
		n := min(len(rest), 16384)
		io.WriteString(stream, rest[:n])
		rest = rest[n:]
	}
	stream.End()
	p.peer.Settle()
	p.release <- struct{}{}
	hold.Answer()
	return stream.Answer()
}

// Whatever a body says, the server must find no other request in it.
func TestABodyWithoutLengthThatHasComeAsAWholeIsFramed(t *testing.T) {
	holding, release := make(chan struct{}), make(chan struct{})
	var requests atomic.Int32
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/app/hold" {
			holding <- struct{}{}
			<-release
			return
		}
		requests.Add(1)
		expected := r.Header.Get("Expect")
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %d %v %q\n%s", r.RequestURI, len(body), err, expected, body)
	})
	hidden := strings.Repeat("5\r\nhello\r\n0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: x\r\n\r\n", 5000)
	second := fakeproxy.Start(t)
	s := connect(t, "http", server.URL, "/app", "--concurrency", "1", "--proxy", second.Address())
	only := &place{s.proxy.Await(), second.Await(), holding, release}
	for _, length := range []int{1, 65536, 65537, 65538, 200_000} {
		_, _, answer := only.late(hidden[:length])
		s.equal(fmt.Sprintf("/app/ %d <nil> \"\"\n%s", length, hidden[:length]), answer, "what the server saw")
	}
	_, _, answer := only.late(hidden[:65537], "HTTP_EXPECT=100-continue")
	want := "/app/ 65537 <nil> \"100-continue\"\n" + hidden[:65537]
	s.equal(want, answer, "what it saw when it may refuse")
	s.equal(6, requests.Load(), "the number of requests that the server saw")

	second = fakeproxy.Start(t)
	s = connect(t, "http", server.URL, "/app", "--concurrency", "1", "--proxy", second.Address(), "--max-body", "1KiB")
	only = &place{s.proxy.Await(), second.Await(), holding, release}
	for _, length := range []int{1025, 65537, 200_000} {
		status, _, _ := only.late(hidden[:length])
		s.equal("413", status, "the status above the limit")
	}
	s.equal(6, requests.Load(), "the number of requests that the server saw after these")
}

func TestABodyAboveItsLimitIs413(t *testing.T) {
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) })
	s := connect(t, "http", server.URL, "/app", "--max-body", "1KiB")
	peer := s.proxy.Await()
	status, _, _ := ask(peer, "POST", "/", strings.Repeat("x", 1024))
	s.equal("200", status, "at the limit")
	status, _, _ = ask(peer, "POST", "/", strings.Repeat("x", 1025))
	s.equal("413", status, "above it")
	stream := peer.Send(nil, variables("POST", "/")...)
	stream.Write(make([]byte, 1025))
	status, _, _ = stream.Answer()
	s.equal("413", status, "above it in chunks")
	s.awaitLog("reason=body-too-large")
}

func TestAClientThatLeavesEndsTheServersRequest(t *testing.T) {
	begun, left := make(chan struct{}), make(chan struct{})
	server := httpServer(t, func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(left)
	})
	s := connect(t, "http", server.URL, "/app", "-v")
	stream := send(s.proxy.Await(), "GET", "/", "")
	<-begun
	stream.Cancel()
	<-left
	stream.AwaitOver()
	s.awaitLog("cancelled context=/app")
	s.lacks(s.log.String(), "failed")
}

func TestAConnectionMayGoOverToAnotherProtocol(t *testing.T) {
	url := rawOrigin(t, func(_ int, conn net.Conn) {
		in := bufio.NewReader(conn)
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		if r.Header.Get("Upgrade") != "websocket" || r.Header.Get("Connection") != "Upgrade" {
			io.WriteString(conn, "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n")
			return
		}
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\nfirst,")
		io.Copy(conn, in)
		io.WriteString(conn, ",last")
		conn.(*net.TCPConn).CloseWrite()
	})
	s := connect(t, "http", url, "/app", "--timeout", "50ms") // no time limit in a tunnel
	peer := s.proxy.Await()
	offer := append(variables("GET", "/"), "CONTENT_LENGTH=0", "HTTP_UPGRADE=websocket", "HTTP_CONNECTION=Upgrade")
	stream := peer.Send(nil, offer...)
	s.contains(stream.AwaitHead(), "Status: 101", "Upgrade: websocket\r\n", "Sec-WebSocket-Accept: x\r\n")
	piece := make([]byte, 11)
	io.WriteString(stream, "hello")
	io.ReadFull(stream.Body(), piece)
	s.equal("first,hello", string(piece), "what comes back")
	stream.End() // a half-close: the rest still comes
	rest, _ := io.ReadAll(stream.Body())
	s.equal(",last", string(rest), "what comes behind the half-close")
	s.equal("", stream.Fate, "the fate of the tunnel")

	status, _, _ := ask(peer, "GET", "/", "")
	s.equal("426", status, "without an offer")
}

func TestTheHostCanBeSet(t *testing.T) {
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host) })
	s := connect(t, "http", server.URL, "/app", "--host", "inside.example", "--buffer", "--upgrades", "none")
	peer := s.proxy.Await()
	_, _, body := ask(peer, "GET", "/", "")
	s.equal("inside.example", body, "the Host")
	s.contains(peer.Settings, "stream=0")
	s.lacks(peer.Settings, "upgrade")
}

func TestLeavingFinishesWhatHasBegun(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	server := httpServer(t, func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-finish
		io.WriteString(w, "whole")
	})
	s := connect(t, "http", server.URL, "/app")
	peer := s.proxy.Await()
	stream := send(peer, "GET", "/", "")
	<-begun
	s.stop()
	<-peer.Drained
	close(finish)
	_, _, body := stream.Answer()
	s.equal("whole", body, "the answer")
	<-s.ended
}

func TestAProgramThatIsIllIsLeftAndComesBack(t *testing.T) {
	var ill atomic.Bool
	ill.Store(true)
	server := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/health" && ill.Load() {
			w.WriteHeader(500)
		}
	})
	s := connect(t, "http", server.URL, "/app", "--health", "/health", "--health-interval", "10ms", "--health-failures", "3")
	s.awaitLog(`waiting context=/app path=/health why="status 500"`)
	s.proxy.None(0)
	ill.Store(false)
	peer := s.proxy.Await()
	status, _, _ := ask(peer, "GET", "/", "")
	s.equal("200", status, "the status")

	ill.Store(true)
	<-peer.Drained
	<-peer.Gone
	s.awaitLog(`ill context=/app path=/health why="status 500"`)
	ill.Store(false)
	status, _, _ = ask(s.proxy.Await(), "GET", "/", "")
	s.equal("200", status, "the status when it is back")
}

func TestAServerMayListenOnALocalSocket(t *testing.T) {
	folder := t.TempDir()
	listener, err := net.Listen("unix", folder+"/socket")
	if err != nil {
		t.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "local "+r.URL.Path) }))
	t.Cleanup(func() { listener.Close() })
	s := connect(t, "http", "unix:"+folder+"/socket", "/app")
	_, _, body := ask(s.proxy.Await(), "GET", "/x", "")
	s.equal("local /app/x", body, "the answer")
}
