//go:build !unix

package group

import (
	"io/fs"
	"os/exec"
)

func start(command *exec.Cmd) error { return command.Start() }

// Terminate ends the program: here is no signal that asks.
func Terminate(command *exec.Cmd) { command.Process.Kill() }

// Kill ends it.
func Kill(command *exec.Cmd) { command.Process.Kill() }

// IsExecutable is up to the system, which goes by the end of the name.
func IsExecutable(fs.FileInfo) bool { return true }
