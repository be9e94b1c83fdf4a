// Package program starts a server that listens on a port it is told, and ends it in order.
package program

import (
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"lrwp.org/go/lrwp/internal/group"
)

// Options say which program.
type Options struct {
	Command     []string // {port} in it is the port
	PortEnv     string   // the environment variable with the port; "" = none
	Environment []string // more variables
	Stop        time.Duration
	Out, Errors io.Writer // what the program writes
}

// Program is one that runs, or has.
type Program struct {
	Port    int
	Ended   chan struct{} // closed when it has
	command *exec.Cmd
	stop    time.Duration
	reason  string
}

// The ports that are tried lie below those that systems give to outgoing connections, which could take one away.
const (
	firstPort = 20000
	ports     = 10000
	attempts  = 100
)

// Start starts the program on a port that is free.
func Start(options Options) (*Program, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	text := strconv.Itoa(port)
	arguments := make([]string, len(options.Command))
	for i, argument := range options.Command {
		arguments[i] = strings.ReplaceAll(argument, "{port}", text)
	}
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Env = append(os.Environ(), options.Environment...)
	if options.PortEnv != "" {
		command.Env = append(command.Env, options.PortEnv+"="+text)
	}
	command.Stdout, command.Stderr = options.Out, options.Errors
	command.WaitDelay = options.Stop + time.Second // somebody whom it has left behind may have its output open
	if err := group.Start(command); err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", arguments[0], err)
	}
	p := &Program{Port: port, Ended: make(chan struct{}), command: command, stop: options.Stop}
	go func() {
		if p.reason = "exit code 0"; group.Wait(command) != nil {
			p.reason = command.ProcessState.String()
		}
		close(p.Ended)
	}()
	return p, nil
}

func freePort() (int, error) {
	for i := 0; i < attempts; i++ {
		port := firstPort + rand.Intn(ports)
		if listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return port, listener.Close()
		}
	}
	return 0, errors.New("no port is free")
}

// Reason says how it has ended. Ended comes first.
func (p *Program) Reason() string { return p.reason }

// Pid is its process id.
func (p *Program) Pid() int { return p.command.Process.Pid }

// Stop asks it to end, insists when it takes too long, and waits for its end.
func (p *Program) Stop() {
	select {
	case <-p.Ended:
		group.Kill(p.command) // what it has left behind
		return
	default:
	}
	group.Terminate(p.command)
	late := time.NewTimer(p.stop)
	defer late.Stop()
	select {
	case <-p.Ended:
	case <-late.C:
		group.Kill(p.command)
		<-p.Ended
	}
}
