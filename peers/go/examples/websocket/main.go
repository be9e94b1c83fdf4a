// Command websocket is a WebSocket echo by github.com/coder/websocket, as an LRWP peer.
//
//	go run . -proxy 127.0.0.1:1081 -context /socket
package main

import (
	"context"
	"flag"
	"log"
	"net/http"
	"os/signal"
	"syscall"

	"github.com/coder/websocket"
	"lrwp"
)

func echo(w http.ResponseWriter, r *http.Request) {
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // it has answered
	}
	defer socket.CloseNow()
	socket.SetReadLimit(64 << 20)
	for {
		kind, message, err := socket.Read(r.Context())
		if err != nil || socket.Write(r.Context(), kind, message) != nil {
			return
		}
	}
}

func main() {
	proxy := flag.String("proxy", "127.0.0.1:1081", "")
	where := flag.String("context", "/socket", "")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	peer := lrwp.Peer{Proxy: *proxy, Contexts: []string{*where}, Concurrency: 1000, Upgrades: "websocket",
		Handler: http.HandlerFunc(echo)}
	if err := peer.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
