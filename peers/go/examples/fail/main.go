// Fails in the ways that a handler can: the client gets 500, and the log says why.
package main

import (
	"context"
	"io"
	"net/http"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/examples/options"
)

const injected = "a\r\nSet-Cookie: stolen=1"

func handle(w http.ResponseWriter, r *http.Request) {
	switch lrwp.Env(r)["PATH_INFO"] {
	case "/value":
		w.Header().Set("X-Value", injected)
	case "/nul":
		w.Header().Set("X-Value", "a\x00b")
	case "/name":
		w.Header().Set("X Value", "a")
	case "/type":
		w.Header().Set("Content-Type", injected)
	case "/throw":
		panic("thrown by the handler")
	}
	io.WriteString(w, "fine\n")
}

func main() {
	options.Serve(context.Background(), handle)
}
