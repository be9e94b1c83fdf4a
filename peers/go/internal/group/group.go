// Package group starts programs so that what they start in turn can be ended with them.
package group

import (
	"os/exec"
	"sync"
)

// running has the programs that were started and not waited for.
var running = struct {
	sync.Mutex
	commands map[*exec.Cmd]bool
}{commands: map[*exec.Cmd]bool{}}

// Start starts a program in a group of its own. On Linux it gets SIGTERM when this process dies, however it does.
func Start(command *exec.Cmd) error {
	running.Lock()
	defer running.Unlock()
	if err := start(command); err != nil {
		return err
	}
	running.commands[command] = true
	return nil
}

// Wait waits for the end of a program that was started.
func Wait(command *exec.Cmd) error {
	err := command.Wait()
	running.Lock()
	defer running.Unlock()
	delete(running.commands, command)
	return err
}

// KillAll ends all programs. No other one is started any more: the process has to end.
func KillAll() {
	running.Lock()
	for command := range running.commands {
		Kill(command)
	}
}
