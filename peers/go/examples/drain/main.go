// Leaves in order: after SIGTERM open requests (of one second) are answered, new ones go elsewhere, then it ends.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"lrwp.org/go/lrwp/examples/options"
)

func handle(w http.ResponseWriter, _ *http.Request) {
	fmt.Println("began")
	time.Sleep(time.Second)
	fmt.Fprintln(w, "done")
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	options.Serve(ctx, handle)
	fmt.Println("drained")
}
