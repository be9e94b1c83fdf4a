// Package cgi runs CGI programs (RFC 3875) as they are: a process for each request.
package cgi

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/internal/cgihead"
	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/group"
	"lrwp.org/go/lrwp/internal/pool"
)

// Options say which programs.
type Options struct {
	Folder      string
	Contexts    []string
	Environment []string      // more variables for each program
	Stop        time.Duration // between SIGTERM and SIGKILL
	Limits      gateway.Limits
	Log         func(line string) // what programs write to standard error
}

// Programs is a gateway.Backend.
type Programs struct{ options Options }

// Redirects inside the folder, of one request.
const mostHops = 10

// New checks the options.
func New(options Options) (*Programs, error) {
	folder, err := filepath.Abs(options.Folder)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(folder); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is no folder", folder)
	}
	options.Folder = folder
	return &Programs{options}, nil
}

// Close has nothing to do: a program ends with its request.
func (p *Programs) Close() {}

// Serve runs the program that a request names.
func (p *Programs) Serve(e *lrwp.Exchange) *gateway.Failure {
	length, failure := gateway.Length(e.Env()["CONTENT_LENGTH"])
	if failure != nil {
		return failure
	}
	if most := p.options.Limits.MaxBody; most > 0 && length > most {
		return gateway.Failf(gateway.BodyTooLarge, fmt.Sprintf("%d bytes, --max-body is %d", length, most))
	}
	env, body := e.Env(), io.Reader(e)
	if length == 0 {
		body = nil
	}
	for hops := 0; hops <= mostHops; hops++ {
		next, err := p.run(e, env, body)
		if err != nil {
			return gateway.Talking(e.Context(), err)
		}
		if next == "" {
			return nil
		}
		env, body = redirected(e.Env(), next), nil
	}
	return gateway.Failf(gateway.TooManyHops, fmt.Sprintf("more than %d local redirects", mostHops))
}

// script is a program that was found.
type script struct {
	file, name, rest string // name: the part of the path that is the program, rest: PATH_INFO
}

// find walks down the folder to the first segment that is no folder.
func (p *Programs) find(path string) (*script, *gateway.Failure) {
	if !gateway.IsSafe(path) {
		return nil, gateway.Failf(gateway.NotFound, "the path names no program")
	}
	file, name := p.options.Folder, ""
	for rest := path; rest != ""; {
		segment, behind, more := strings.Cut(rest[1:], "/")
		file, name = filepath.Join(file, segment), name+"/"+segment
		if rest = ""; more {
			rest = "/" + behind
		}
		info, err := os.Stat(file)
		switch {
		case err != nil:
			return nil, gateway.Fail(gateway.NotFound, err)
		case info.IsDir():
			continue
		case !info.Mode().IsRegular() || !group.IsExecutable(info):
			return nil, gateway.Failf(gateway.NotExecutable, file+" is no executable file: chmod +x "+file)
		}
		return &script{file, name, rest}, nil
	}
	return nil, gateway.Failf(gateway.NotFound, "the path names a folder")
}

// run does one request. The path that it returns is where a local redirect goes to.
func (p *Programs) run(e *lrwp.Exchange, env map[string]string, body io.Reader) (string, error) {
	place := gateway.Locate(env["SCRIPT_NAME"], env["PATH_INFO"], p.options.Contexts)
	s, failure := p.find(place.Path)
	if failure != nil {
		return "", failure
	}
	run, err := p.start(s, p.environment(s, place, env), body)
	if err != nil {
		return "", gateway.Fail(gateway.NotStarted, err)
	}
	release := context.AfterFunc(e.Context(), run.end)
	defer release()
	next, err := p.answer(e, run, place.Base)
	switch {
	case err != nil:
		run.end()
	case next != "":
		go io.Copy(io.Discard, run) // a program that cannot write would not end
	}
	state := run.wait()
	switch {
	case next != "": // however it has ended, its answer is whole
		return next, e.Context().Err()
	case err == io.EOF:
		return "", gateway.Failf(gateway.Lost, s.file+" gave no answer: "+state)
	case err == nil && run.wasKilled():
		return "", gateway.Failf(gateway.Lost, s.file+" was ended: "+state)
	}
	return next, err
}

// answer brings the answer to the client.
func (p *Programs) answer(e *lrwp.Exchange, run *process, base string) (string, error) {
	in := pool.NewReader(run)
	head, err := cgihead.Read(in, p.options.Limits.MaxHead)
	if err != nil {
		return "", err
	}
	// What is not below the context is another program's: the client has to ask for it.
	if path, _, _ := strings.Cut(head.Location, "?"); head.Local && strings.HasPrefix(path, base+"/") {
		return head.Location, nil
	}
	if err := e.SendHead(head.Status, head.Bytes); err != nil {
		return "", err
	}
	for {
		if in.Buffered() == 0 {
			e.Flush()
		}
		piece, err := in.Some(1 << 30)
		if err == io.EOF {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if _, err := e.Write(piece); err != nil {
			return "", err
		}
	}
}

// redirected is the request that a local redirect makes.
func redirected(env map[string]string, location string) map[string]string {
	made := make(map[string]string, len(env))
	for name, value := range env {
		if !strings.HasPrefix(name, "CONTENT_") {
			made[name] = value
		}
	}
	path, query, _ := strings.Cut(location, "?")
	made["PATH_INFO"] = strings.TrimPrefix(decoded(path), env["SCRIPT_NAME"])
	made["REQUEST_METHOD"], made["QUERY_METHOD"], made["QUERY_STRING"] = "GET", "GET", query
	made["REQUEST_URI"], made["REDIRECT_URL"] = location, env["REQUEST_URI"]
	return made
}
