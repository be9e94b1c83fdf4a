//go:build unix

package cgi

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lrwp.org/go/lrwp/internal/gateway"
)

// run starts a program for the shell, and waits until it has ended and nobody is waited for any more.
func run(t *testing.T, text string) *process {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	programs := &Programs{options: Options{Stop: time.Nanosecond, Limits: gateway.Limits{Answer: time.Minute},
		Log: func(string) {}}}
	made, err := programs.start(&script{file: file, name: "program"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	<-made.over
	t.Cleanup(func() { made.wait() })
	return made
}

func TestWhatAProgramHasWrittenIsReadHoweverLate(t *testing.T) {
	made := run(t, "head -c 60000 /dev/zero\n")
	all, err := io.ReadAll(made)
	if len(all) != 60000 || err != nil {
		t.Errorf("%d bytes, %v", len(all), err)
	}
}

func TestWhatWritesForEverBehindAProgramIsNotReadForEver(t *testing.T) {
	made := run(t, "yes &\n") // the shell itself writes nothing: the pipe may be full at once
	all, err := io.ReadAll(made)
	if err != nil || len(all) > pipe+512 || !strings.Contains(string(all), "y\n") {
		t.Errorf("%d bytes, %v", len(all), err)
	}
}
