//go:build !unix

package pool

import "net"

// newLook: here it cannot be told without reading. A connection that has been closed shows when it is used.
func newLook(net.Conn) func() bool { return func() bool { return true } }
