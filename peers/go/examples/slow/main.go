// Work of ten seconds, given up when nobody waits for its end any more.
package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"lrwp.org/go/lrwp/examples/options"
)

func handle(w http.ResponseWriter, r *http.Request) {
	fmt.Println("began")
	select {
	case <-r.Context().Done():
		fmt.Println("cancelled")
	case <-time.After(10 * time.Second):
		fmt.Fprintln(w, "done")
	}
}

func main() {
	options.Serve(context.Background(), handle)
}
