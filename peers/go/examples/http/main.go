// Command http serves a web site that knows nothing of LRWP: its handler could be one of http.ListenAndServe.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"lrwp.org/go/lrwp/examples/options"
)

const page = "<!DOCTYPE html>\n<title>A site</title>\n<p>It dials in.\n"

var began = time.Now()

// site has ranges and conditional requests, a request as it came, an upload that is read as it comes, and a fault.
func site() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "page.html", began, strings.NewReader(page))
	})
	mux.HandleFunc("/request", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{
			"method": r.Method, "host": r.Host, "url": r.URL.String(), "remote": r.RemoteAddr, "agent": r.UserAgent(),
			"length": r.ContentLength, "secure": r.TLS != nil,
		})
	})
	mux.HandleFunc("/upload", func(w http.ResponseWriter, r *http.Request) {
		answer := http.NewResponseController(w)
		piece := make([]byte, 64<<10)
		for total := 0; ; {
			n, err := r.Body.Read(piece)
			if total += n; n > 0 {
				fmt.Fprintln(w, total)
				answer.Flush()
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				panic(http.ErrAbortHandler)
			}
		}
	})
	mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) { panic("a fault of the site") })
	return mux
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	o := options.Parse()
	o.Strip, o.Stream = true, true
	options.ServeWith(ctx, o, site())
}
