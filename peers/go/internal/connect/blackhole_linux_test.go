package connect

import (
	"fmt"
	"net"
	"syscall"
	"testing"
)

// blackHole is an address that takes no connection and refuses none: its queue is full.
func blackHole(t *testing.T) string {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
	full, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { full.Close() })
	return address
}

func TestAClientMayLeaveWhileAFastCGIServerCannotBeReached(t *testing.T) {
	s := connect(t, "fastcgi", blackHole(t), "/app", "--connect-timeout", "1h", "--verbose")
	peer := s.proxy.Await()
	first, second := send(peer, "GET", "/1", ""), send(peer, "GET", "/2", "")
	peer.Settle() // both have begun
	second.Cancel()
	s.awaitLog(`method="GET" path="/app/2"`)
	first.Cancel()
	first.AwaitOver()
}
