package connect

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// fcgiRequest is what a FastCGI server gets.
type fcgiRequest struct {
	params map[string]string
	body   string
	keep   bool
}

func readRecord(in io.Reader) (kind byte, content []byte, err error) {
	head := make([]byte, 8)
	if _, err = io.ReadFull(in, head); err != nil {
		return 0, nil, err
	}
	content = make([]byte, int(binary.BigEndian.Uint16(head[4:]))+int(head[6]))
	_, err = io.ReadFull(in, content)
	return head[1], content[:binary.BigEndian.Uint16(head[4:])], err
}

func record(kind byte, content string) string {
	padding := byte(len(content) % 8)
	head := []byte{1, kind, 0, 1, byte(len(content) >> 8), byte(len(content)), padding, 0}
	return string(head) + content + strings.Repeat("\x00", int(padding))
}

func readParams(text []byte) map[string]string {
	params := map[string]string{}
	for len(text) > 0 {
		var lengths [2]int
		for i := range lengths {
			if text[0] < 128 {
				lengths[i], text = int(text[0]), text[1:]
			} else {
				lengths[i], text = int(binary.BigEndian.Uint32(text)&^(1<<31)), text[4:]
			}
		}
		params[string(text[:lengths[0]])] = string(text[lengths[0] : lengths[0]+lengths[1]])
		text = text[lengths[0]+lengths[1]:]
	}
	return params
}

// fcgiServer plays a FastCGI server: the answer to a request is records; "" closes the connection.
func fcgiServer(t *testing.T, connections string, answer func(r fcgiRequest) string) string {
	url := rawOrigin(t, func(_ int, conn net.Conn) {
		defer conn.Close()
		in := bufio.NewReader(conn)
		var r fcgiRequest
		var params []byte
		for {
			kind, content, err := readRecord(in)
			switch {
			case err != nil:
				return
			case kind == 9 && connections == "":
				return
			case kind == 9:
				io.WriteString(conn, record(10, "\x0e\x01FCGI_MAX_CONNS"+connections))
				return
			case kind == 1:
				r, params = fcgiRequest{keep: content[2]&1 == 1}, nil
			case kind == 4:
				params = append(params, content...)
			case kind == 5 && len(content) > 0:
				r.body += string(content)
			case kind == 5:
				r.params = readParams(params)
				out := answer(r)
				if out == "" {
					return
				}
				io.WriteString(conn, out)
				if !r.keep {
					return
				}
			}
		}
	})
	return strings.TrimPrefix(url, "http://")
}

const fcgiEnd = "\x00\x00\x00\x00\x00\x00\x00\x00"

func whole(body string) string {
	return record(6, "Content-Type: text/plain\r\n\r\n"+body) + record(6, "") + record(3, fcgiEnd)
}

func site(t *testing.T) string {
	root := t.TempDir()
	for _, name := range []string{"index.php", "a.php", "sub/index.php", "style.css", ".secret.php", "page.php.css"} {
		file := filepath.Join(root, name)
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte("content of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestAPathIsTakenApartAsForPHP(t *testing.T) {
	root := site(t)
	address := fcgiServer(t, "5", func(r fcgiRequest) string {
		p := r.params
		_, hasUser := p["REMOTE_USER"]
		if hasUser || p["REDIRECT_STATUS"] != "200" || p["DOCUMENT_ROOT"] != root || p["HTTP_PROXY"] != "" {
			return whole("wrong")
		}
		return whole(strings.Join([]string{strings.TrimPrefix(p["SCRIPT_FILENAME"], root), p["SCRIPT_NAME"], p["PATH_INFO"], p["QUERY_STRING"], r.body}, "|"))
	})
	for option, cases := range map[string]map[string]string{
		"--index=index.php": {
			"/a.php": "/a.php|/app/a.php|||", "/a.php/x/y?q=1": "/a.php|/app/a.php|/x/y|q=1|", "/": "/index.php|/app/index.php|||",
			"/sub/": "/sub/index.php|/app/sub/index.php|||", "/none.php": "404", "/x": "404", "/style.css": "404", "/style.css/x.php": "404",
			"/../a.php": "404", "/.secret.php": "404", "/sub": "301", "": "301",
		},
		"--front=index.php": {"/x/y?q=1": "/index.php|/app/index.php||q=1|", "/none.php": "/index.php|/app/index.php|||", "/a.php": "/a.php|/app/a.php|||"},
		"--static":          {"/style.css": "content of style.css", "/page.php.css": "404", "/a.php": "/a.php|/app/a.php|||", "/.secret.php": "404"},
		"--unchecked":       {"/none.php/x": "/none.php|/app/none.php|/x||", "/sub/": "/sub/index.php|/app/sub/index.php|||"},
	} {
		s := connect(t, "fastcgi", address, "/app", "--root", root, option)
		peer := s.proxy.Await()
		for path, want := range cases {
			status, _, body := ask(peer, "GET", path, "", "HTTP_PROXY=evil", "REMOTE_USER=-")
			if status != "200" {
				body = status
			}
			s.equal(want, body, option+" "+path)
		}
	}
}

func TestARequestGoesAsItIsWithoutARoot(t *testing.T) {
	address := fcgiServer(t, "", func(r fcgiRequest) string {
		_, hasFile := r.params["SCRIPT_FILENAME"]
		if hasFile || r.keep {
			return whole("wrong")
		}
		return whole(r.params["SCRIPT_NAME"] + "|" + r.params["PATH_INFO"] + "|" + r.params["NAME"] + "|" + strconv.Itoa(len(r.body)))
	})
	s := connect(t, "fastcgi", address, "/app", "--env", "NAME=value")
	_, _, body := ask(s.proxy.Await(), "POST", "/x/y", strings.Repeat("hello", 50000))
	s.equal("/app|/x/y|value|250000", body, "the answer")
}

func TestWhatAFastCGIServerHasSentGoesOutAtOnce(t *testing.T) {
	isRead := make(chan struct{})
	url := rawOrigin(t, func(_ int, conn net.Conn) {
		defer conn.Close()
		for kind, content := byte(0), []byte(nil); kind != 5 || len(content) > 0; {
			var err error
			if kind, content, err = readRecord(conn); err != nil || kind == 9 {
				return
			}
		}
		io.WriteString(conn, record(6, "Content-Type: text/plain\r\n\r\nfirst\n")) // with padding behind it
		<-isRead
		io.WriteString(conn, record(6, "second\n")+record(3, fcgiEnd))
	})
	s := connect(t, "fastcgi", strings.TrimPrefix(url, "http://"), "/app")
	stream := send(s.proxy.Await(), "GET", "/", "")
	piece := make([]byte, 100)
	n, err := stream.Body().Read(piece)
	close(isRead)
	_, _, rest := stream.Answer()
	s.equal("first\n <nil> second\n", fmt.Sprint(string(piece[:n]), " ", err, " ", rest), "what has come")
}

func TestConnectionsToAFastCGIServerAreKept(t *testing.T) {
	var requests atomic.Int32
	address := fcgiServer(t, "1", func(r fcgiRequest) string {
		if requests.Add(1)%5 == 0 {
			return record(7, "notice\nand half a line") + whole("ok") // standard error is for the log
		}
		return whole("ok")
	})
	s := connect(t, "fastcgi", address, "/app")
	peer := s.proxy.Await()
	for i := 0; i < 10; i++ {
		status, _, body := ask(peer, "GET", "/", "")
		s.equal("200 ok", status+" "+body, "the answer")
	}
	s.awaitLog("stderr notice")
	s.awaitLog("stderr and half a line")
}

func TestAFastCGIServerThatFailsIsOneClearError(t *testing.T) {
	for name, one := range map[string]struct{ wire, status, reason string }{
		"closed":     {"", "502", "lost"},
		"overloaded": {record(3, "\x00\x00\x00\x00\x02\x00\x00\x00"), "503", "overloaded"},
		"refused":    {record(3, "\x00\x00\x00\x00\x03\x00\x00\x00"), "502", "bad-body"},
		"no answer":  {record(3, fcgiEnd), "502", "bad-head"},
		"no record":  {"HTTP/1.1 400 Bad Request\r\n\r\n", "502", "bad-body"},
		"no head":    {record(6, "hello") + record(3, fcgiEnd), "502", "bad-head"},
		"large head": {record(6, "X-A: "+strings.Repeat("x", 40000)) + record(6, strings.Repeat("x", 40000)), "502", "head-too-large"},
	} {
		t.Run(name, func(t *testing.T) {
			address := fcgiServer(t, "5", func(fcgiRequest) string { return one.wire })
			s := connect(t, "fastcgi", address, "/app")
			status, _, _ := ask(s.proxy.Await(), "POST", "/", "hello")
			s.equal(one.status, status, "the status")
			s.awaitLog("outcome=" + one.status + " reason=" + one.reason)
		})
	}
}

// PHP-FPM does not say how many connections it takes.
func TestConnectionsAreKeptWithAServerThatDoesNotSayHowManyItTakes(t *testing.T) {
	for _, one := range []struct {
		options []string
		keep    string
	}{{nil, "false"}, {[]string{"--connections", "1"}, "true"}} {
		begun := make(chan bool, 20)
		address := fcgiServer(t, "", func(r fcgiRequest) string {
			begun <- true
			return whole(fmt.Sprintf("%t %d", r.keep, len(r.body)))
		})
		s := connect(t, append([]string{"fastcgi", address, "/app"}, one.options...)...)
		peer := s.proxy.Await()
		for _, length := range []int{0, 5, 200_000} {
			_, _, body := ask(peer, "POST", "/", strings.Repeat("x", length))
			s.equal(fmt.Sprint(one.keep, " ", length), body, "whether the connection is kept, and the length")
		}
		s.equal(3, len(begun), "the number of requests")
	}
}

func TestAStaleFastCGIConnectionCostsNoRequest(t *testing.T) {
	var connections atomic.Int32
	url := rawOrigin(t, func(_ int, conn net.Conn) {
		defer conn.Close()
		for {
			kind, content, err := readRecord(conn)
			if err != nil {
				return
			}
			if kind == 9 {
				io.WriteString(conn, record(10, "\x0e\x01FCGI_MAX_CONNS9"))
				return
			}
			if kind == 5 && len(content) == 0 {
				connections.Add(1)
				io.WriteString(conn, whole("ok"))
				return
			}
		}
	})
	s := connect(t, "fastcgi", strings.TrimPrefix(url, "http://"), "/app")
	peer := s.proxy.Await()
	for i := 0; i < 20; i++ {
		status, _, _ := ask(peer, "GET", "/", "")
		s.equal("200", status, "the status")
	}
	s.equal(20, connections.Load(), "the number of requests that the server saw")
}

func TestAFastCGIRequestIsRepeatedOnlyWhenItIsIdempotent(t *testing.T) {
	for method, want := range map[string]struct {
		status string
		seen   int32
	}{"GET": {"200", 3}, "POST": {"502", 2}, "PATCH": {"502", 2}} {
		t.Run(method, func(t *testing.T) {
			var requests atomic.Int32
			address := fcgiServer(t, "5", func(fcgiRequest) string {
				if requests.Add(1) == 2 { // the worker dies in the second request of its connection
					return ""
				}
				return whole("ok")
			})
			s := connect(t, "fastcgi", address, "/app")
			peer := s.proxy.Await()
			ask(peer, "GET", "/", "")
			status, _, _ := ask(peer, method, "/", "")
			s.equal(want.status, status, "the status")
			s.equal(want.seen, requests.Load(), "the number of requests that the server saw")
		})
	}
}
