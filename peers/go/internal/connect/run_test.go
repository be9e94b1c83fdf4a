//go:build unix

package connect

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"lrwp.org/go/lrwp/internal/fakeproxy"
)

// The test's own binary is the program that is started.
func TestMain(m *testing.M) {
	if os.Getenv("ACT_AS_SERVER") != "" {
		actAsServer()
		return
	}
	if os.Getenv("ACT_AS_CONNECT") != "" {
		os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// actAsServer serves until SIGTERM; /die ends it at once.
func actAsServer() {
	fmt.Println("a line of the program")
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		panic(err)
	}
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		<-terminated
		if os.Getenv("ACT_AS_SERVER") == "stubborn" {
			fmt.Println("never")
			return
		}
		fmt.Println("the program ends in order")
		os.Exit(0)
	}()
	http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/app/die":
			os.Exit(7)
		case "/app/slow":
			w.(http.Flusher).Flush()
			<-time.After(300 * time.Millisecond)
		}
		fmt.Fprintf(w, "pid %d", os.Getpid())
	}))
}

func connectServer(t *testing.T, kind string, options ...string) *scene {
	options = append([]string{"--context", "/app", "--port-env", "PORT", "--env", "ACT_AS_SERVER=" + kind}, options...)
	return connectRun(t, options, os.Args[0])
}

func TestAProgramIsStartedServedAndEndedInOrder(t *testing.T) {
	s := connectServer(t, "yes")
	peer := s.proxy.Await()
	status, _, body := ask(peer, "GET", "/", "")
	s.equal("200", status, "the status")
	s.contains(body, "pid ")
	s.awaitLog("a line of the program\n")

	slow := send(peer, "GET", "/slow", "")
	slow.AwaitHead()
	s.stop()
	_, _, body = slow.Answer()
	s.contains(body, "pid ")
	<-s.ended
	s.contains(s.log.String(), "the program ends in order\n")
	if strings.Index(s.log.String(), "drain by=peer") > strings.Index(s.log.String(), "the program ends") {
		s.Error("the program was told to end before the proxy knew")
	}
}

func TestAProgramThatDiesIsStartedAgain(t *testing.T) {
	s := connectServer(t, "yes", "--restart-delay", "20ms")
	peer := s.proxy.Await()
	_, _, first := ask(peer, "GET", "/", "")
	status, _, _ := ask(peer, "POST", "/die", "x")
	s.equal("502", status, "the status")
	<-peer.Drained
	s.awaitLog(`why="exit status 7"`)
	status, _, second := ask(s.proxy.Await(), "GET", "/", "")
	s.equal("200", status, "the status afterwards")
	if first == second {
		s.Error("it is the same process")
	}
}

func TestAProgramThatDoesNotEndIsKilled(t *testing.T) {
	s := connectServer(t, "stubborn", "--stop-timeout", "100ms")
	_, _, body := ask(s.proxy.Await(), "GET", "/", "")
	var pid int
	fmt.Sscanf(body, "pid %d", &pid)
	s.stop()
	<-s.ended
	s.await("the program is gone", func() bool { return syscall.Kill(pid, 0) != nil })
}

// process is lrwp-connect as one of its own, which runs a program.
type process struct {
	*scene
	connect *exec.Cmd
	peer    *fakeproxy.Peer
	port    string // of the program
}

func startProcess(t *testing.T, kind string) *process {
	p := &process{scene: &scene{T: t, proxy: fakeproxy.Start(t), log: &output{}}}
	p.connect = exec.Command(os.Args[0], "run", "--proxy", p.proxy.Address(), "--context", "/app", "--port-env", "PORT",
		"--env", "ACT_AS_SERVER="+kind, "--", os.Args[0])
	p.connect.Env = append(os.Environ(), "ACT_AS_CONNECT=yes")
	p.connect.Stdout, p.connect.Stderr = p.log, p.log
	p.connect.WaitDelay = fakeproxy.Patience
	if err := p.connect.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.connect.Process.Kill() })
	p.peer = p.proxy.Await()
	_, after, _ := strings.Cut(p.log.String(), " port=")
	p.port, _, _ = strings.Cut(after, "\n")
	p.equal(true, p.listens(), "whether the program listens")
	return p
}

func (p *process) listens() bool {
	conn, err := net.Dial("tcp", "127.0.0.1:"+p.port)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

func TestASecondSignalEndsTheProgramToo(t *testing.T) {
	p := startProcess(t, "stubborn")
	p.connect.Process.Signal(syscall.SIGTERM)
	<-p.peer.Drained
	p.connect.Process.Signal(syscall.SIGTERM)
	p.connect.Wait()
	p.equal(128+int(syscall.SIGTERM), p.connect.ProcessState.ExitCode(), "the exit code")
	p.await("the program is gone", func() bool { return !p.listens() })
}

func TestAProgramDoesNotOutliveWhoHasStartedIt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a process that its parent has died")
	}
	p := startProcess(t, "yes")
	p.connect.Process.Kill()
	p.connect.Wait()
	p.await("the program is gone", func() bool { return !p.listens() })
}

func TestAProgramThatDoesNotAnswerIsStartedAgain(t *testing.T) {
	s := connectRun(t, []string{"--context", "/app", "--start-timeout", "50ms", "--restart-delay", "10ms"}, "sleep", "100", "{port}")
	s.await("it was started twice", func() bool { return strings.Count(s.log.String(), "started context=/app") > 1 })
	s.contains(s.log.String(), "it did not answer within --start-timeout, 50ms")
	s.proxy.None(0)
}
