//go:build !unix

// Package group starts programs so that what they start in turn can be ended with them.
package group

import (
	"io/fs"
	"os/exec"
)

// Own is to be called before the start.
func Own(*exec.Cmd) {}

// Terminate ends the program: here is no signal that asks.
func Terminate(command *exec.Cmd) { command.Process.Kill() }

// Kill ends it.
func Kill(command *exec.Cmd) { command.Process.Kill() }

// IsExecutable is up to the system, which goes by the end of the name.
func IsExecutable(fs.FileInfo) bool { return true }
