//go:build unix && !linux

package group

import (
	"os/exec"
	"syscall"
)

func start(command *exec.Cmd) error {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return command.Start()
}
