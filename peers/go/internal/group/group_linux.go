package group

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

type order struct {
	command *exec.Cmd
	done    chan error
}

var (
	once   sync.Once
	orders = make(chan order)
)

// start has one thread start all programs: the kernel takes the end of the thread that has started a program for the end
// of its parent.
func start(command *exec.Cmd) error {
	once.Do(func() { go obey() })
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	done := make(chan error, 1)
	orders <- order{command, done}
	return <-done
}

func obey() {
	runtime.LockOSThread()
	for one := range orders {
		one.done <- one.command.Start()
	}
}
