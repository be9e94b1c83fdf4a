//go:build unix

package pool

import (
	"crypto/tls"
	"net"
	"syscall"
)

// newLook makes what tells whether a connection that waits for nothing is still good: the other side has neither closed
// it nor sent what nobody asked for.
func newLook(conn net.Conn) func() bool {
	if inside, ok := conn.(*tls.Conn); ok {
		conn = inside.NetConn()
	}
	source, ok := conn.(syscall.Conn)
	if !ok {
		return func() bool { return true }
	}
	raw, err := source.SyscallConn()
	if err != nil {
		return func() bool { return false }
	}
	var value [1]byte
	isOpen := false
	look := func(fd uintptr) bool {
		_, _, err := syscall.Recvfrom(int(fd), value[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		isOpen = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK
		return true
	}
	return func() bool {
		isOpen = false
		raw.Read(look)
		return isOpen
	}
}
