// Writes the body of each request as a line into the file that COUNTED names, and answers it: a server on the port that
// is its only argument, or a peer with the command line of the examples.
package main

import (
	"context"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"lrwp.org/go/lrwp/examples/options"
)

func count(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	file, err := os.OpenFile(os.Getenv("COUNTED"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.WriteString(string(body) + "\n"); err != nil {
		panic(err)
	}
	time.Sleep(10 * time.Millisecond)
	w.Write(body)
}

func main() {
	if len(os.Args) == 2 {
		log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(count)))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	options.Serve(ctx, count)
}
