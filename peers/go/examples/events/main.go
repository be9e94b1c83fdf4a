// Server-sent events: ten, one each half second.
package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"lrwp.org/go/lrwp/examples/options"
)

func handle(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for number := 1; number <= 10; number++ {
		fmt.Println("event", number)
		fmt.Fprintf(w, "id: %d\ndata: tick %d\n\n", number, number)
		w.(http.Flusher).Flush()
		if number == 10 {
			return
		}
		select {
		case <-r.Context().Done():
			fmt.Println("cancelled")
			return
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func main() {
	options.Serve(context.Background(), handle)
}
