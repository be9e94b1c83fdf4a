// The test peer of peers/conformance: what it does is in docs/protocol.md, section 19.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/examples/options"
)

// bytes gives bytes of which the byte at i is i modulo 251.
func bytes(begin, count int) []byte {
	made := make([]byte, count)
	for i := range made {
		made[i] = byte((begin + i) % 251)
	}
	return made
}

func query(r *http.Request, name string) int {
	number, _ := strconv.Atoi(r.URL.Query().Get(name))
	return number
}

func milliseconds(r *http.Request, name string) time.Duration {
	return time.Duration(query(r, name)) * time.Millisecond
}

func slow(w http.ResponseWriter, r *http.Request) {
	fmt.Println("began")
	select {
	case <-r.Context().Done():
		time.Sleep(milliseconds(r, "linger"))
		fmt.Println("cancelled")
	case <-time.After(30 * time.Second):
		fmt.Fprintln(w, "done")
	}
}

func stream(w http.ResponseWriter, r *http.Request) {
	size := query(r, "size")
	for i := 0; i < query(r, "n"); i++ {
		if i > 0 {
			time.Sleep(milliseconds(r, "ms"))
		}
		if _, err := w.Write(bytes(i*size, size)); err != nil {
			return
		}
		w.(http.Flusher).Flush()
	}
}

func fields(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("X-One", "1")
	w.Header().Add("Set-Cookie", "a=1")
	w.Header().Add("Set-Cookie", "b=2")
	io.WriteString(w, "fields\n")
}

func fail(w http.ResponseWriter, r *http.Request) {
	switch lrwp.Env(r)["PATH_INFO"] {
	case "/fail":
		panic("the handler fails")
	case "/fail/value":
		w.Header().Set("X-Value", "a\r\nSet-Cookie: stolen=1")
	case "/fail/name":
		w.Header().Set("X Value", "a")
	case "/fail/late":
		io.WriteString(w, "begun\n")
		w.(http.Flusher).Flush()
		time.Sleep(10 * time.Millisecond) // the piece is out
		panic("the handler fails late")
	}
	io.WriteString(w, "x")
}

func upgrade(w http.ResponseWriter, r *http.Request) {
	hijacker, ok := w.(http.Hijacker)
	if !ok || !strings.Contains(strings.ToLower(r.Header.Get("Upgrade")), "echo") {
		http.Error(w, "this is for echo", http.StatusUpgradeRequired)
		return
	}
	w.Header().Set("Upgrade", "echo")
	w.Header().Set("Connection", "Upgrade")
	w.WriteHeader(http.StatusSwitchingProtocols)
	client, _, err := hijacker.Hijack()
	if err != nil {
		panic(err)
	}
	if lrwp.Env(r)["PATH_INFO"] == "/upgrade/close" {
		io.WriteString(client, "bye")
	} else {
		io.Copy(client, client)
	}
	client.Close()
}

func echo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	fmt.Fprintf(w, "%s %s\n", r.Method, lrwp.Env(r)["PATH_INFO"])
	io.Copy(w, r.Body)
}

func handle(w http.ResponseWriter, r *http.Request) {
	path := lrwp.Env(r)["PATH_INFO"]
	switch {
	case path == "/bytes":
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(bytes(0, query(r, "n")))
	case path == "/env":
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, lrwp.Env(r)[lrwp.Env(r)["QUERY_STRING"]])
	case path == "/stream":
		stream(w, r)
	case path == "/slow":
		slow(w, r)
	case path == "/fields":
		fields(w, r)
	case path == "/unread":
		io.WriteString(w, "unread\n")
	case path == "/capacity":
		http.Error(w, "its capacity stays", http.StatusNotImplemented)
	case strings.HasPrefix(path, "/status/"):
		status, _ := strconv.Atoi(path[len("/status/"):])
		w.WriteHeader(status)
	case strings.HasPrefix(path, "/fail"):
		fail(w, r)
	case strings.HasPrefix(path, "/upgrade"):
		upgrade(w, r)
	default:
		echo(w, r)
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	peer := options.Parse()
	peer.Stream, peer.Upgrades = true, "echo"
	peer.Admit = func(env map[string]string) string {
		if env["PATH_INFO"] == "/refuse" {
			return "not here"
		}
		return ""
	}
	if err := lrwp.Serve(ctx, peer, http.HandlerFunc(handle)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
