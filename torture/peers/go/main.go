// The rig's peer with the Go library: executes each request once in the file $TORTURE_RECORD, then echoes it.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/examples/options"
)

func main() {
	record, err := os.OpenFile(os.Getenv("TORTURE_RECORD"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	options.Serve(context.Background(), func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(record, r.Header.Get("X-Id")+"\n")
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "%s %s\n", r.Method, lrwp.Env(r)["PATH_INFO"])
		io.Copy(w, r.Body)
	})
}
