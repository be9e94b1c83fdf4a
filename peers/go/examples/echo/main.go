// Answers each request with its method, its path and its body.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/examples/options"
)

func handle(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("X-Peer", "go")
	fmt.Fprintf(w, "%s %s\n", r.Method, lrwp.Env(r)["PATH_INFO"])
	io.Copy(w, r.Body)
}

func main() {
	options.Serve(context.Background(), handle)
}
