// Package static serves files.
package static

import (
	"fmt"
	"net/http"
	"os"
	"strings"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/internal/gateway"
)

// Serve answers with a file: as a whole, a part, or not at all when the client has it.
func Serve(e *lrwp.Exchange, name string) error {
	env := e.Env()
	method := env["REQUEST_METHOD"]
	if method != http.MethodGet && method != http.MethodHead {
		return send(e, http.StatusMethodNotAllowed, http.Header{"Allow": {"GET, HEAD"}})
	}
	file, err := os.Open(name)
	if err != nil {
		return gateway.Fail(gateway.NotFound, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return gateway.Failf(gateway.NotFound, name+" is no file")
	}
	request := &http.Request{Method: method, Header: http.Header{}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	for _, field := range []string{"Range", "If-Range", "If-Modified-Since", "If-Unmodified-Since", "If-Match", "If-None-Match"} {
		if value := env["HTTP_"+strings.ToUpper(strings.ReplaceAll(field, "-", "_"))]; value != "" {
			request.Header.Set(field, value)
		}
	}
	w := &writer{e: e, header: http.Header{}}
	http.ServeContent(w, request, name, info.ModTime(), file)
	return w.err
}

func send(e *lrwp.Exchange, status int, header http.Header) error {
	var head strings.Builder
	fmt.Fprintf(&head, "Status: %d %s\r\n", status, http.StatusText(status))
	header.Write(&head)
	head.WriteString("\r\n")
	return e.SendHead(status, []byte(head.String()))
}

// writer is an http.ResponseWriter over an exchange.
type writer struct {
	e      *lrwp.Exchange
	header http.Header
	sent   bool
	err    error
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if !w.sent {
		w.sent = true
		w.err = send(w.e, status, w.header)
	}
}

func (w *writer) Write(piece []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.e.Write(piece)
	w.err = err
	return n, err
}
