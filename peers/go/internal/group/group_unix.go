//go:build unix

package group

import (
	"io/fs"
	"os/exec"
	"syscall"
)

// Terminate asks the program and what it has started to end.
func Terminate(command *exec.Cmd) { syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }

// Kill ends them.
func Kill(command *exec.Cmd) { syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }

// IsExecutable tells whether a file may be run.
func IsExecutable(info fs.FileInfo) bool { return info.Mode().Perm()&0o111 != 0 }
