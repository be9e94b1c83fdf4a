package cgi

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/group"
)

// process is a program that runs for one request. Reading it reads its standard output.
type process struct {
	command *exec.Cmd
	output  *os.File
	lines   *gateway.Lines
	silence time.Duration // how long it may say nothing
	stop    time.Duration
	over    chan struct{} // closed when it has ended

	mu     sync.Mutex
	ended  bool // it has
	told   bool // it was asked to
	reason string
	left   time.Time // until then those whom it has left behind may say more
	behind int       // bytes that are read after that, at most
}

const (
	pipe   = 64 << 10 // what the system keeps of its output when it has ended
	moment = 50 * time.Millisecond
)

func (p *Programs) start(s *script, environment []string, body io.Reader) (*process, error) {
	command := exec.Command(s.file)
	command.Dir, command.Env = filepath.Dir(s.file), environment
	lines := &gateway.Lines{Print: p.options.Log, Prefix: "stderr program=" + s.name + " text="}
	command.Stderr = lines
	// Whatever it leaves behind may hold its output open; that is waited for a little only.
	command.WaitDelay = p.options.Stop + time.Second
	var in io.WriteCloser
	if body != nil {
		var err error
		if in, err = command.StdinPipe(); err != nil {
			return nil, err
		}
	}
	output, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	command.Stdout = write
	err = group.Start(command)
	write.Close()
	if err != nil {
		output.Close()
		return nil, err
	}
	if in != nil {
		go func() { // a program need not read all of it
			io.Copy(in, body)
			in.Close()
		}()
	}
	run := &process{command: command, output: output, lines: lines,
		silence: p.options.Limits.Answer, stop: p.options.Stop, over: make(chan struct{})}
	go run.await()
	return run, nil
}

func (r *process) await() {
	err := group.Wait(r.command)
	r.lines.Flush()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended = true; r.told {
		group.Kill(r.command) // what it has started and left behind
	}
	if r.reason = "exit code 0"; err != nil {
		r.reason = err.Error()
	}
	r.left, r.behind = time.Now().Add(r.stop), pipe
	r.output.SetReadDeadline(r.left)
	close(r.over)
}

// Read waits for output as long as the program may be silent. When it has ended, so has its output, although somebody
// whom it has left behind may have it still open. What it has written itself is read however late that is.
func (r *process) Read(into []byte) (int, error) {
	into, err := r.prepare(into)
	if err != nil {
		return 0, err
	}
	n, err := r.output.Read(into)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended && errors.Is(err, os.ErrDeadlineExceeded) {
		return n, io.EOF
	}
	if r.ended && time.Now().After(r.left) {
		r.behind -= n
	}
	return n, err
}

// prepare sets how long the next piece may take: a read whose time has passed does not even look.
func (r *process) prepare(into []byte) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.output.SetReadDeadline(time.Now().Add(r.silence))
		return into, nil
	}
	deadline := r.left
	if soon := time.Now().Add(moment); soon.After(deadline) {
		deadline = soon
		if r.behind == 0 {
			return nil, io.EOF
		}
		into = into[:min(len(into), r.behind)]
	}
	r.output.SetReadDeadline(deadline)
	return into, nil
}

// end asks the program and what it has started to end, and insists.
func (r *process) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.told {
		return
	}
	r.told = true
	group.Terminate(r.command)
	time.AfterFunc(r.stop, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.ended {
			group.Kill(r.command)
		}
	})
}

// wait waits for the program's end, and says how it was.
func (r *process) wait() string {
	select {
	case <-r.over:
	case <-time.After(r.silence):
		r.end()
		<-r.over
	}
	r.output.Close()
	return r.reason
}

// wasKilled tells that it ended by a signal, so that its answer may be a part of one.
func (r *process) wasKilled() bool {
	state := r.command.ProcessState
	return state != nil && !state.Exited()
}
