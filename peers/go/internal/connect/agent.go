package connect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/internal/cgi"
	"lrwp.org/go/lrwp/internal/fastcgi"
	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/origin"
)

// agent serves one route: it is dialled in while its program is well.
type agent struct {
	route   *route
	log     *log
	backend gateway.Backend // nil for run: each start of the program has its own
	options lrwp.Options
	ill     atomic.Pointer[string] // why requests are refused
	leaving sync.WaitGroup         // what still finishes requests of a program that has ended
	out     io.Writer              // of the program of run
	errors  io.Writer
}

func newAgent(r *route, log *log, out, errors io.Writer) (*agent, error) {
	a := &agent{route: r, log: log, out: out, errors: errors}
	var err error
	if a.options, err = a.peerOptions(); err == nil && r.kind != kindRun {
		a.backend, err = newBackend(r, log)
	}
	return a, err
}

// prefix of an error names the route where there are several.
func (r *route) prefix() string {
	if r.name == "" {
		return ""
	}
	return "route " + r.name + ": "
}

// told is an error in the words of the command line: the library names itself, and a file without its option.
func (r *route) told(err error) string {
	var file *fs.PathError
	if errors.As(err, &file) {
		for _, option := range []string{"secret-file", "key-file", "ca-file", "certificate", "certificate-key", "origin-ca-file"} {
			if r.has(option) && r.given[option][0] == file.Path {
				return fmt.Sprintf("--%s %s: %v", option, file.Path, file.Err)
			}
		}
	}
	return strings.TrimPrefix(err.Error(), "lrwp: ")
}

func newBackend(r *route, log *log) (gateway.Backend, error) {
	switch r.kind {
	case kindCGI:
		return cgi.New(cgi.Options{
			Folder: r.target, Contexts: r.contexts, Environment: r.environment, Stop: r.stopTime, Limits: r.limits, Log: log.print,
		})
	case kindFastCGI:
		return fastcgi.New(fastcgi.Options{
			Address: r.target, Contexts: r.contexts, Root: r.root, Index: r.index, Front: r.front, Split: r.split,
			Static: r.static, Unchecked: r.unchecked, Connections: r.connections, Environment: r.environment, Limits: r.limits, Log: log.print,
		})
	}
	return newOrigin(r, r.target)
}

func newOrigin(r *route, url string) (*origin.Client, error) {
	return origin.New(origin.Options{URL: url, Strip: r.strip, Host: r.host, CAFile: r.originCA, Limits: r.limits})
}

func (a *agent) peerOptions() (lrwp.Options, error) {
	r := a.route
	o := lrwp.Options{
		Context: r.contexts, Vhost: r.vhost, Name: r.peerName, Concurrency: r.concurrency, DrainSeconds: r.drainSeconds,
		Identity: r.identity, KeyID: r.keyID, KeyFile: r.keyFile, Log: a.log.print,
		Stream: (r.kind == kindHTTP || r.kind == kindRun) && !r.buffer, Upgrades: r.upgrades,
	}
	o.Proxy = r.proxies
	if r.kind == kindRun || r.health != "" { // otherwise nothing is refused, and asking would cost
		o.Admit = a.admit
	}
	if r.kind == kindCGI || r.kind == kindFastCGI {
		o.Upgrades = ""
	}
	if r.secretFile != "" {
		secret, err := os.ReadFile(r.secretFile)
		if err != nil {
			return o, err
		}
		if o.Secret = bytes.TrimRight(secret, "\r\n"); len(o.Secret) == 0 {
			return o, fmt.Errorf("%s is empty", r.secretFile)
		}
	}
	var err error
	if r.caFile != "" {
		o.TLS, err = lrwp.Trust(r.caFile, r.certificate, r.certificateKey)
	}
	return o, err
}

// admit refuses requests that have crossed the news that the program is ill: another peer gets them.
func (a *agent) admit(map[string]string) string {
	if why := a.ill.Load(); why != nil {
		return *why
	}
	return ""
}

// run serves until the context is done and what has begun is finished.
func (a *agent) run(ctx context.Context) error {
	if a.route.kind == kindRun {
		return a.runProgram(ctx)
	}
	defer a.backend.Close()
	return a.serveWell(ctx, a.backend)
}

// relay is dialled in until the context is done.
func (a *agent) relay(ctx context.Context, backend gateway.Backend) error {
	return lrwp.Relay(ctx, a.options, func(e *lrwp.Exchange) { a.serve(e, backend) })
}

// serve is one request. What fails is told here, to the client and in the log.
func (a *agent) serve(e *lrwp.Exchange, backend gateway.Backend) {
	begin := time.Now()
	failure := backend.Serve(e)
	if failure == nil {
		if a.log.verbose {
			a.tell("answered", e, begin, "")
		}
		return
	}
	if failure.Reason == gateway.Cancelled || e.Context().Err() != nil {
		if a.log.verbose {
			a.tell("cancelled", e, begin, "")
		}
		panic(http.ErrAbortHandler)
	}
	cut := e.HasHead()
	outcome := fmt.Sprint(failure.Status)
	if cut {
		outcome = "cut"
	}
	a.tell("failed", e, begin, fmt.Sprintf(" outcome=%s reason=%s why=%q", outcome, failure.Reason, failure.Why))
	if cut || sendFailure(e, failure) != nil {
		panic(http.ErrAbortHandler) // its client must not take a part for the whole
	}
}

func (a *agent) tell(event string, e *lrwp.Exchange, begin time.Time, more string) {
	env := e.Env()
	a.log.printf("%s context=%s request=%s method=%q path=%q ms=%d%s", event, a.route.contexts[0], env["HTTP_X_REQUEST_ID"],
		env["REQUEST_METHOD"], env["SCRIPT_NAME"]+env["PATH_INFO"], time.Since(begin).Milliseconds(), more)
}

func sendFailure(e *lrwp.Exchange, failure *gateway.Failure) error {
	retry := ""
	if failure.Status == http.StatusServiceUnavailable {
		retry = "Retry-After: 1\r\n"
	}
	head := fmt.Sprintf("Status: %d %s\r\nContent-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n%s\r\n",
		failure.Status, http.StatusText(failure.Status), retry)
	if err := e.SendHead(failure.Status, []byte(head)); err != nil {
		return err
	}
	_, err := e.Write([]byte(failure.Text + "\n"))
	return err
}
