module lrwp.org/go/lrwp/examples/websocket

go 1.23

require (
	github.com/coder/websocket v1.8.13
	lrwp.org/go/lrwp v0.0.0
)

replace lrwp.org/go/lrwp => ../..
