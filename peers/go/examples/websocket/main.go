// Command websocket is a WebSocket echo by github.com/coder/websocket, as an LRWP peer.
//
//	go run . -proxy 127.0.0.1:1081 -context /socket -concurrency 1000
package main

import (
	"context"
	"net/http"
	"os/signal"
	"syscall"
	"unicode/utf8"

	"github.com/coder/websocket"
	"lrwp.org/go/lrwp/examples/options"
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
		if err == nil && kind == websocket.MessageText && !utf8.Valid(message) {
			socket.Close(websocket.StatusInvalidFramePayloadData, "not UTF-8") // the library does not look
			return
		}
		if err != nil || socket.Write(r.Context(), kind, message) != nil {
			return
		}
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	o := options.Parse()
	o.Upgrades = "websocket"
	options.ServeWith(ctx, o, http.HandlerFunc(echo))
}
