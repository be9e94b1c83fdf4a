package lrwp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func TestHandlerGetsTheRequestAsNetHTTPMakesIt(t *testing.T) {
	l := listen(t)
	got := make(chan *http.Request, 1)
	serve(t, Options{Proxy: []string{l.address()}}, func(w http.ResponseWriter, r *http.Request) {
		got <- r
		io.Copy(w, r.Body)
	})
	s := l.accept()
	s.request(1, "POST", "/c/a%2Fb%20c?q=1&q=2", "body", "CONTENT_TYPE=text/x", "HTTP_HOST=a.test:8080", "HTTP_COOKIE=a=b; c=d",
		"HTTP_X_REQUEST_ID=r-1", "HTTP_USER_AGENT=A=B", "HTTP_CONTENT_LENGTH=4", "HTTP_X_1_ODD__NAME=y", "HTTPS=on", "WITHOUT")
	equal(t, "body", "body", s.answer(1).body)
	r := <-got
	equal(t, "method", "POST", r.Method)
	equal(t, "target", "/c/a%2Fb%20c?q=1&q=2", r.RequestURI)
	equal(t, "path", "/c/a/b c", r.URL.Path)
	equal(t, "escaped path", "/c/a%2Fb%20c", r.URL.EscapedPath())
	equal(t, "query", "1,2", strings.Join(r.URL.Query()["q"], ","))
	equal(t, "URL", "/c/a%2Fb%20c?q=1&q=2", r.URL.String())
	equal(t, "host", "a.test:8080", r.Host)
	equal(t, "client", "192.0.2.7:4711", r.RemoteAddr)
	equal(t, "protocol", "HTTP/1.1 1 1", fmt.Sprint(r.Proto, " ", r.ProtoMajor, r.ProtoMinor))
	equal(t, "TLS", true, r.TLS != nil)
	equal(t, "length", int64(4), r.ContentLength)
	cookie, err := r.Cookie("c")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "cookie", "d", cookie.Value)
	expected := http.Header{"Content-Type": {"text/x"}, "Content-Length": {"4"}, "Cookie": {"a=b; c=d"}, "X-Request-Id": {"r-1"},
		"User-Agent": {"A=B"}, "X-1-Odd--Name": {"y"}}
	equal(t, "header", fmt.Sprint(expected), fmt.Sprint(r.Header))
	equal(t, "variable", "/c", Env(r)["SCRIPT_NAME"])
	equal(t, "value of Serve's context", "of Serve", r.Context().Value(valueKey{}).(string))
	equal(t, "our address", s.conn.RemoteAddr().String(), r.Context().Value(http.LocalAddrContextKey).(net.Addr).String())
	equal(t, "the context at the end", context.Canceled, r.Context().Err())
	if Env(httptest.NewRequest("GET", "/", nil)) != nil {
		t.Fatal("a request from elsewhere has an env block")
	}
}

func TestRequestWithoutBodyHasNone(t *testing.T) {
	l := listen(t)
	serve(t, Options{Proxy: []string{l.address()}}, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, r.ContentLength, r.Body == http.NoBody, r.Host, r.TLS == nil, r.Proto, r.ProtoMajor)
	})
	s := l.accept()
	equal(t, "answer", "0 true a.test true HTTP/2.0 2\n", s.exchange("/c", "SERVER_PROTOCOL=HTTP/2").body)
}

func TestTargetThatCannotBeReadIs400(t *testing.T) {
	l := listen(t)
	serve(t, Options{Proxy: []string{l.address()}}, fine)
	s := l.accept()
	equal(t, "status", "400 Bad Request", s.exchange("/c/%zz").status)
	s.ask(1, true, block("GET", "/c", "CONTENT_LENGTH=x"), "")
	s.expect(8)
	equal(t, "status", "400 Bad Request", s.answer(1).status)
}

func TestStripTakesTheContextOff(t *testing.T) {
	l := listen(t)
	serve(t, Options{Proxy: []string{l.address()}, Context: []string{"/c", ".ext", "/"}, Strip: true}, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Path, " ", r.URL.EscapedPath(), " ", r.RequestURI)
	})
	s := l.next()
	s.hello(3)
	s.write("OK\xff")
	s.greet()
	s.expect(2)
	s.expect(2)
	for _, c := range []struct{ target, script, info, expected string }{
		{"/c/x", "/c", "/x", "/x /x /c/x"},
		{"/c", "/c", "", "/ / /c"},
		{"/%63/a%2Fb", "/c", "/a/b", "/a/b /a%2Fb /%63/a%2Fb"},
		{"/base/c/x", "/base/c", "/x", "/x /x /base/c/x"},
		{"/x/y.ext", "/x/y.ext", "", "/x/y.ext /x/y.ext /x/y.ext"},
		{"/x", "", "/x", "/x /x /x"},
	} {
		equal(t, c.target, c.expected, s.exchange(c.target, "SCRIPT_NAME="+c.script, "PATH_INFO="+c.info).body)
	}
}

func TestAnswerIsWhatNetHTTPWouldSend(t *testing.T) {
	long := strings.Repeat("<p>long</p>", 1000)
	handlers := map[string]http.HandlerFunc{
		"nothing": func(http.ResponseWriter, *http.Request) {},
		"text":    func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "text") },
		"pieces":  func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<ht"); io.WriteString(w, "ml>") },
		"binary":  func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("\x89PNG\r\n\x1a\nxx")) },
		"long":    func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, long) },
		"copied":  func(w http.ResponseWriter, _ *http.Request) { io.Copy(w, struct{ io.Reader }{strings.NewReader(long)}) },
		"own type": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "a/b")
			io.WriteString(w, "x")
		},
		"encoded": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			io.WriteString(w, "x")
		},
		"not found": http.NotFound,
		"redirect":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusSeeOther) },
		"no content": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(204)
			_, err := w.Write([]byte("x"))
			mustBe(err, http.ErrBodyNotAllowed)
		},
		"not modified": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "a/b")
			w.Header().Set("Etag", `"1"`)
			w.WriteHeader(304)
		},
		"served": func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "a.txt", time.Unix(1000, 0), strings.NewReader("0123456789"))
		},
		"length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "4")
			io.WriteString(w, "four")
			_, err := io.WriteString(w, "more")
			mustBe(err, http.ErrContentLength)
		},
		"late header": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-A", "1")
			w.WriteHeader(201)
			w.Header().Set("X-A", "2")
			w.Header().Set("X-B", "late")
			w.WriteHeader(202)
		},
		"twice": func(w http.ResponseWriter, _ *http.Request) { w.Header().Add("X-A", "1"); w.Header().Add("X-A", "2") },
		"trailers": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Trailer", "X-T, X-U")
			w.Header().Set("X-T", "early")
			io.WriteString(w, "x")
			w.Header().Set("X-U", "late")
			w.Header().Set(http.TrailerPrefix+"X-V", "undeclared")
		},
		"flushed": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "{")
			mustBe(http.NewResponseController(w).Flush(), nil)
			io.WriteString(w, "}")
		},
		"early hints": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(103); w.WriteHeader(418) },
		"limited": func(w http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2))
			http.Error(w, fmt.Sprint(err), http.StatusRequestEntityTooLarge)
		},
	}
	mux := http.NewServeMux()
	for name, handler := range handlers {
		mux.Handle("/c/"+strings.ReplaceAll(name, " ", "-"), handler)
	}
	reference := httptest.NewServer(mux)
	t.Cleanup(reference.Close)
	l := listen(t)
	serve(t, Options{Proxy: []string{l.address()}}, mux.ServeHTTP)
	s := l.accept()
	for name := range handlers {
		for _, method := range []string{"GET", "HEAD", "POST"} {
			t.Run(method+" "+name, func(t *testing.T) {
				s.t = t
				target := "/c/" + strings.ReplaceAll(name, " ", "-")
				expected := overHTTP(t, method, reference.URL+target)
				s.request(1, method, target, bodyOf(method))
				actual := s.answer(1)
				equal(t, "status", expected.status, actual.status)
				equal(t, "body", expected.body, actual.body)
				for _, field := range []string{"Date", "Connection", "Transfer-Encoding", "Trailer"} {
					expected.header.Del(field) // they are the proxy's matter
				}
				if method != "HEAD" && actual.header.Get("Content-Length") == "" {
					expected.header.Del("Content-Length") // the proxy counts
				}
				if expected.header.Get("Content-Length") == "" && method == "HEAD" && len(long) > 2048 {
					actual.header.Del("Content-Length") // net/http gives up above 2 KiB
				}
				equal(t, "header", fmt.Sprint(expected.header), fmt.Sprint(actual.header))
			})
		}
	}
}

// mustBe is for handlers, and so a panic.
func mustBe(actual, expected error) {
	if actual != expected {
		panic(fmt.Sprint(actual, " instead of ", expected))
	}
}

func bodyOf(method string) string {
	if method == "POST" {
		return "body"
	}
	return ""
}

// overHTTP is an answer of net/http itself.
func overHTTP(t *testing.T, method, url string) reply {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(bodyOf(method)))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{status: answer.Status, header: answer.Header, body: string(body)}
}

func TestSmallAnswerIsOneFrame(t *testing.T) {
	l := listen(t)
	serve(t, Options{Proxy: []string{l.address()}}, func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < 100; i++ {
			io.WriteString(w, "piece")
		}
	})
	equal(t, "frames", 1, l.accept().exchange("/c").frames)
}

func TestFailureIs500AndInTheLog(t *testing.T) {
	cases := map[string]http.HandlerFunc{
		"thrown":                  func(http.ResponseWriter, *http.Request) { panic("thrown") },
		"behind a write":          func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "x"); panic("behind a write") },
		"holds a control":         func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-A", "a\r\nSet-Cookie: b") },
		"X-Nul holds a control":   func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Nul", "a\x00b") },
		"is not a token":          func(w http.ResponseWriter, _ *http.Request) { w.Header()["X A"] = []string{"a"}; w.WriteHeader(200) },
		`name of the header \"\"`: func(w http.ResponseWriter, _ *http.Request) { w.Header()[""] = []string{"a"} },
		"is taken":                func(w http.ResponseWriter, _ *http.Request) { w.Header()["status"] = []string{"200"} },
		"is no length":            func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "-1") },
		"wrote 1 bytes, and its Content-Length says 2": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "2")
			io.WriteString(w, "x")
		},
		"offers no other protocol": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(101) },
		"the head of the answer has": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-A", strings.Repeat("a", 70000))
			if _, err := io.WriteString(w, strings.Repeat("x", 20000)); err != nil {
				panic(err)
			}
			if err := http.NewResponseController(w).Flush(); err == nil {
				panic("it can be flushed")
			}
		},
		"has not three digits": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(1000) },
	}
	for part, handler := range cases {
		t.Run(part, func(t *testing.T) {
			l := listen(t)
			peer := serve(t, Options{Proxy: []string{l.address()}}, handler)
			s := l.accept()
			answer := s.exchange("/c/path")
			equal(t, "status", "500 Internal Server Error", answer.status)
			equal(t, "body", "internal error\n", answer.body)
			peer.journal.await(t, 1, `failed request="GET /c/path"`)
			peer.journal.await(t, 1, part)
		})
	}
}

func TestLargeWriteBehindAHeadThatIsTooLargeFailsAtOnce(t *testing.T) {
	l := listen(t)
	failed := make(chan error, 1)
	serve(t, Options{Proxy: []string{l.address()}}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-A", strings.Repeat("a", 70000))
		_, err := io.WriteString(w, strings.Repeat("x", 200000))
		failed <- err
	})
	equal(t, "status", "500 Internal Server Error", l.accept().exchange("/c").status)
	contains(t, "failure", fmt.Sprint(<-failed), "the head of the answer has")
}

func TestPanicHasItsStackInTheLog(t *testing.T) {
	l := listen(t)
	peer := serve(t, Options{Proxy: []string{l.address()}}, func(http.ResponseWriter, *http.Request) { thrower() })
	equal(t, "status", "500 Internal Server Error", l.accept().exchange("/c").status)
	peer.journal.await(t, 1, "lrwp.thrower")
}

//go:noinline
func thrower() { panic("here") }

func TestHandlerCutsItsClient(t *testing.T) {
	l := listen(t)
	seen := make(chan bool)
	peer := serve(t, Options{Proxy: []string{l.address()}}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/c/late" {
			io.WriteString(w, "begun")
			w.(http.Flusher).Flush()
			<-seen
			panic("behind a flush")
		}
		panic(http.ErrAbortHandler)
	})
	s := l.accept()
	s.get(1, "/c/late")
	_, _, body := head(t, string(s.expect(6).payload))
	equal(t, "begun", "begun", body)
	close(seen)
	equal(t, "cut", true, s.answer(1).cut)
	answer := s.exchange("/c")
	equal(t, "no answer", "", answer.status)
	equal(t, "cut", true, answer.cut)
	if n, _ := peer.journal.count("abort"); n > 0 {
		t.Fatal("ErrAbortHandler is in the log")
	}
}

func TestBodyIsReadAsItComesAndGrantsWindow(t *testing.T) {
	l := listen(t)
	serve(t, Options{Proxy: []string{l.address()}, Stream: true, Window: 1000}, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.ContentLength, r.TransferEncoding)
		http.NewResponseController(w).Flush()
		io.Copy(w, r.Body)
	})
	s := l.accept()
	s.ask(1, false, block("POST", "/c"), "")
	s.expect(8)
	_, _, body := head(t, string(s.expect(6).payload))
	equal(t, "begun", "-1 [chunked]", body)
	for i := 0; i < 3; i++ { // more than the window is long
		s.frame(7, false, 1, strings.Repeat("x", 500))
		f := s.expect(11)
		equal(t, "window", "\x00\x00\x01\xf4", string(f.payload))
	}
	s.frame(7, true, 1, "end")
	equal(t, "answer", strings.Repeat("x", 1500)+"end", s.answer(1).body)
}

func TestProxyThatBreaksARuleIsToldSo(t *testing.T) {
	request := func(s *script, id uint32, env, body string, end bool) { s.ask(id, end, env, body) }
	cases := map[string]func(*script){
		"more body than its window": func(s *script) {
			request(s, 1, block("POST", "/c/wait"), "", false)
			s.expect(8)
			s.frame(7, false, 1, strings.Repeat("x", 1001))
		},
		"REQUEST on a stream that is not free": func(s *script) {
			request(s, 1, block("POST", "/c/wait"), "", false)
			s.expect(8)
			request(s, 1, block("POST", "/c/wait"), "", false)
		},
		"REQUEST on a stream above the capacity": func(s *script) { request(s, 3, block("GET", "/c"), "", true) },
		"broken env block":                       func(s *script) { s.frame(5, true, 1, "\x00\x00\x00\x09A=B") },
		"frame longer than max-frame":            func(s *script) { s.write("\x00\x01\x00\x01\x07\x00\x00\x00\x00\x00\x00\x01") },
		"WINDOW is not 4 bytes":                  func(s *script) { s.frame(11, false, 1, "\x01") },
		"PING is not 8 bytes":                    func(s *script) { s.frame(14, false, 0, "\x01") },
		"a second SETTINGS":                      func(s *script) { s.frame(1, false, 0, "ping=1\x00") },
		"more window than 4294967295": func(s *script) {
			request(s, 1, block("POST", "/c/wait"), "", false)
			s.expect(8)
			s.frame(11, false, 1, "\xff\xff\xff\xff")
		},
	}
	for rule, wrong := range cases {
		t.Run(rule, func(t *testing.T) {
			l := listen(t)
			peer := serve(t, Options{Proxy: []string{l.address()}, Stream: true, Window: 1000, Concurrency: 2},
				func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
			s := l.accept()
			wrong(s)
			contains(t, "ERROR", string(s.expect(16).payload), rule)
			s.awaitEnd()
			s.conn.Close()
			peer.journal.await(t, 1, rule)
			l.accept()
		})
	}
}

func TestUnknownFramesAndVariablesAreSkipped(t *testing.T) {
	l := listen(t)
	peer := serve(t, Options{Proxy: []string{l.address()}}, fine)
	s := l.accept("window=65536", "unknown=x")
	s.frame(99, true, 77, "what")
	s.frame(7, true, 4000000000, "late")
	s.frame(10, false, 1, "late")
	s.frame(14, false, 0, "12345678")
	equal(t, "PONG", "12345678", string(s.expect(15).payload))
	equal(t, "answer", "fine", s.exchange("/c").body)
	s.frame(16, false, 0, "you have broken a rule")
	peer.journal.await(t, 1, `text="you have broken a rule"`)
	s.awaitEnd()
}

func TestWindowOfTheProxyHoldsAnAnswerAndNoOther(t *testing.T) {
	l := listen(t)
	written := make(chan error, 1)
	serve(t, Options{Proxy: []string{l.address()}, Concurrency: 2}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/c/long" {
			_, err := w.Write(bytes.Repeat([]byte("x"), 200000))
			written <- err
		}
	})
	s := l.accept("window=10")
	s.get(1, "/c/long")
	_, _, body := head(t, string(s.expect(6).payload))
	equal(t, "window", 10, len(body))
	s.get(2, "/c")
	equal(t, "another", "200 OK", s.answer(2).status)
	select {
	case err := <-written:
		t.Fatal("the handler did not wait: ", err)
	default:
	}
	s.frame(11, false, 1, "\x00\x10\x00\x00")
	equal(t, "the rest", 200000-10, len(s.answer(1).body))
	mustBe(<-written, nil)
}

func TestClientThatLeavesEndsTheContext(t *testing.T) {
	l := listen(t)
	entered := make(chan bool, 1) // STARTED comes before that: cancelled in between, no handler runs
	ended := make(chan error, 2)
	serve(t, Options{Proxy: []string{l.address()}, Stream: true}, func(w http.ResponseWriter, r *http.Request) {
		entered <- true
		<-r.Context().Done()
		_, err := r.Body.Read(make([]byte, 1))
		ended <- err
		_, err = w.Write([]byte("x"))
		ended <- err
	})
	s := l.accept()
	s.ask(1, false, block("POST", "/c"), "")
	s.expect(8)
	<-entered
	s.frame(10, false, 1, "the client is gone")
	mustBe(<-ended, ErrCancelled)
	mustBe(<-ended, ErrCancelled)
	equal(t, "the slot is freed", true, s.answer(1).cut)

	s.ask(1, false, block("POST", "/c"), "")
	s.expect(8)
	<-entered
	s.conn.Close()
	mustBe(<-ended, ErrCancelled)
	mustBe(<-ended, ErrCancelled)
}

func TestDeadlinesEndWaiting(t *testing.T) {
	l := listen(t)
	failures := make(chan error, 2)
	serve(t, Options{Proxy: []string{l.address()}, Stream: true}, func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		mustBe(control.EnableFullDuplex(), nil)
		mustBe(control.SetReadDeadline(time.Now().Add(20*time.Millisecond)), nil)
		_, err := io.ReadAll(r.Body)
		failures <- err
		mustBe(control.SetWriteDeadline(time.Now().Add(20*time.Millisecond)), nil)
		_, err = w.Write(make([]byte, 200000))
		failures <- err
	})
	s := l.accept("window=0")
	s.ask(1, false, block("POST", "/c"), "x")
	s.expect(8)
	for range []int{1, 2} {
		if err := <-failures; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
	}
}

func TestHandlerThatHasReturnedCanDoNothingMore(t *testing.T) {
	l := listen(t)
	late := make(chan func() error, 1)
	serve(t, Options{Proxy: []string{l.address()}}, func(w http.ResponseWriter, r *http.Request) {
		late <- func() error {
			_, write := w.Write([]byte("late"))
			_, read := r.Body.Read(make([]byte, 1))
			if write == nil || read == nil || w.(interface{ FlushError() error }).FlushError() == nil {
				return errors.New("it can")
			}
			return nil
		}
	})
	s := l.accept()
	s.request(1, "POST", "/c", "body")
	equal(t, "answer", "", s.answer(1).body)
	mustBe((<-late)(), nil)
	equal(t, "and the next one", "200 OK", s.exchange("/c").status)
}

func TestReadingEndsWithTheHandler(t *testing.T) {
	l := listen(t)
	failures := make(chan error, 1)
	serve(t, Options{Proxy: []string{l.address()}, Stream: true}, func(_ http.ResponseWriter, r *http.Request) {
		reading := make(chan bool)
		go func() {
			r.Body.Read(make([]byte, 1))
			close(reading)
			_, err := r.Body.Read(make([]byte, 1))
			failures <- err
		}()
		<-reading
	})
	s := l.accept()
	s.ask(1, false, block("POST", "/c"), "x")
	s.expect(8)
	equal(t, "status", "200 OK", s.answer(1).status)
	mustBe(<-failures, http.ErrBodyReadAfterClose)
}

func TestHandlersOfAllProxiesAreNoMoreThanTheConcurrency(t *testing.T) {
	one, two := listen(t), listen(t)
	release := make(chan bool)
	peer := serve(t, Options{Proxy: []string{one.address(), two.address()}}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/c/wait" {
			<-release
		}
		io.WriteString(w, "fine")
	})
	first, second := one.accept(), two.accept()
	first.get(1, "/c/wait")
	second.ask(1, true, block("GET", "/c"), "")
	second.frame(14, false, 0, "barrier!")
	second.expect(15) // the request has come, and is not started
	release <- true
	equal(t, "first", "fine", first.answer(1).body)
	second.expect(8)
	equal(t, "second", "fine", second.answer(1).body)

	first.get(1, "/c/wait")
	second.ask(1, true, block("GET", "/c"), "")
	second.frame(10, false, 1, "the client is gone")
	equal(t, "cancelled while it waits", true, second.answer(1).cut)
	second.ask(1, true, block("GET", "/c"), "")
	second.frame(14, false, 0, "barrier!")
	second.expect(15)
	peer.stop() // what has not begun is for somebody else
	second.expect(13)
	equal(t, "REFUSED", "draining", string(second.expect(9).payload))
	second.conn.Close()
	first.expect(13)
	release <- true
	equal(t, "first is finished", "fine", first.answer(1).body)
	first.conn.Close()
	peer.awaitEnd(t)
}

func TestEndOfTheContextDrains(t *testing.T) {
	l := listen(t)
	release := make(chan bool)
	peer := serve(t, Options{Proxy: []string{l.address()}, Concurrency: 2}, func(w http.ResponseWriter, r *http.Request) {
		<-release
		fmt.Fprint(w, r.Context().Err())
	})
	s := l.accept()
	s.get(1, "/c")
	peer.stop()
	s.expect(13)
	peer.journal.await(t, 1, "drain by=peer")
	s.ask(2, true, block("GET", "/c"), "")
	equal(t, "REFUSED", "draining", string(s.expect(9).payload))
	release <- true
	equal(t, "what has begun is finished", "<nil>", s.answer(1).body)
	s.conn.Close()
	peer.awaitEnd(t)
}

func TestDrainHasAnEnd(t *testing.T) {
	l := listen(t)
	ended := make(chan bool)
	peer := serve(t, Options{Proxy: []string{l.address()}, DrainSeconds: 0.05}, func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(ended)
	})
	s := l.accept()
	s.get(1, "/c")
	peer.stop()
	s.expect(13)
	<-ended
	s.awaitEnd()
	s.conn.Close()
	peer.awaitEnd(t)
}

func TestProxyThatDrainsIsDialledAgainAndAnswered(t *testing.T) {
	l := listen(t)
	release := make(chan bool)
	serve(t, Options{Proxy: []string{l.address()}}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/c/wait" {
			<-release
		}
		io.WriteString(w, "fine")
	})
	old := l.accept()
	old.get(1, "/c/wait")
	old.frame(13, false, 0, "")
	l.accept()
	release <- true
	equal(t, "old", "fine", old.answer(1).body)
}

func TestAdmitRefusesBeforeAnythingHasBegun(t *testing.T) {
	l := listen(t)
	peer := serve(t, Options{Proxy: []string{l.address()}, Admit: func(env map[string]string) string {
		switch env["PATH_INFO"] {
		case "/panic":
			panic("in Admit")
		case "/busy":
			return "busy \u20ac"
		}
		return ""
	}}, fine)
	s := l.accept()
	s.ask(1, true, block("POST", "/c/busy"), "")
	equal(t, "REFUSED", "busy ?", string(s.expect(9).payload))
	s.ask(1, true, block("POST", "/c/panic"), "")
	equal(t, "REFUSED", "the admission failed", string(s.expect(9).payload))
	peer.journal.await(t, 1, "in Admit")
	equal(t, "admitted", "fine", s.exchange("/c").body)
}

func TestSilentProxyIsAskedAndThenLeft(t *testing.T) {
	t.Parallel()
	l := listen(t)
	peer := serve(t, Options{Proxy: []string{l.address()}}, fine)
	s := l.accept("ping=1")
	equal(t, "PING", 8, len(s.expect(14).payload))
	peer.journal.await(t, 1, "lost version=3.0")
	l.accept()
}
