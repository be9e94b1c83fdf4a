package connect

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"lrwp.org/go/lrwp/internal/gateway"
)

// The kinds of routes, which are commands too.
const (
	kindHTTP    = "http"
	kindCGI     = "cgi"
	kindFastCGI = "fastcgi"
	kindRun     = "run"
)

// route is one program behind one or several contexts.
type route struct {
	name     string // in the log; empty when there is only one
	kind     string
	target   string // URL, folder or address
	command  []string
	contexts []string
	given    map[string][]string // options that were given, with their values

	proxies                                                 []string
	vhost, peerName                                         string
	concurrency, connections                                int
	drainSeconds                                            float64
	secretFile, identity, keyID, keyFile                    string
	caFile, certificate, certificateKey                     string
	limits                                                  gateway.Limits
	strip, buffer, static, unchecked                        bool
	host, upgrades, originCA                                string
	health                                                  string
	healthInterval, healthTimeout, stopTime, startTime, try time.Duration
	healthFailures                                          int
	environment                                             []string
	root, index, front, split                               string
	portEnv                                                 string
}

// option is one setting, on the command line as --name, in a file as a key.
type option struct {
	name     string
	value    string // what stands for its value in the help; "" = it has none
	many     bool   // may be given several times
	kinds    string // the kinds of routes that know it; "" = all
	standard string // its default, as it is given
	text     string // what it is, and what happens at a limit
	set      func(r *route, value string) error
}

func (o *option) knownTo(kind string) bool {
	return o.kinds == "" || strings.Contains(" "+o.kinds+" ", " "+kind+" ")
}

func text(field func(r *route) *string) func(*route, string) error {
	return func(r *route, value string) error {
		if value == "" {
			return errors.New("is empty")
		}
		*field(r) = value
		return nil
	}
}

func list(field func(r *route) *[]string) func(*route, string) error {
	return func(r *route, value string) error {
		for _, one := range strings.Split(value, ",") {
			if one = strings.TrimSpace(one); one == "" {
				return errors.New("has an empty part")
			}
			*field(r) = append(*field(r), one)
		}
		return nil
	}
}

func flag(field func(r *route) *bool) func(*route, string) error {
	return func(r *route, value string) error {
		if value != "" && value != "true" && value != "false" {
			return errors.New("is neither true nor false")
		}
		*field(r) = value != "false"
		return nil
	}
}

func span(least time.Duration, field func(r *route) *time.Duration) func(*route, string) error {
	return func(r *route, value string) (err error) {
		*field(r), err = parseTime(value, least)
		return err
	}
}

func number(least, most int, field func(r *route) *int) func(*route, string) error {
	return func(r *route, value string) (err error) {
		*field(r), err = parseNumber(value, least, most)
		return err
	}
}

// options are all settings, in the order of the help. docs/connect.md has the same table, and a test compares them.
var options = []option{
	{name: "proxy", value: "HOST:PORT", many: true, standard: "127.0.0.1:1081",
		text: "where to dial in: host:port, [v6]:port or unix:/path; a name with several addresses means all of them; may be repeated",
		set:  list(func(r *route) *[]string { return &r.proxies })},
	{name: "context", value: "CONTEXT", many: true,
		text: "one more context, such as /app, .php or /; may be repeated",
		set: func(r *route, value string) error {
			var contexts []string
			if err := list(func(*route) *[]string { return &contexts })(r, value); err != nil {
				return err
			}
			for _, one := range contexts {
				if err := checkContext(one); err != nil {
					return err
				}
			}
			r.contexts = append(r.contexts, contexts...)
			return nil
		}},
	{name: "vhost", value: "HOST",
		text: "only requests for this virtual host",
		set:  text(func(r *route) *string { return &r.vhost })},
	{name: "name", value: "NAME", standard: "lrwp-connect",
		text: "what the proxy's status page calls this program",
		set:  text(func(r *route) *string { return &r.peerName })},
	{name: "concurrency", value: "N",
		text: "requests at once; more wait in the proxy; 64, and 8 for cgi and fastcgi",
		set:  number(1, 65536, func(r *route) *int { return &r.concurrency })},
	{name: "drain-seconds", value: "N", standard: "30",
		text: "how long open requests may take when it leaves; then they are cut",
		set: func(r *route, value string) (err error) {
			r.drainSeconds, err = parseSeconds(value)
			return err
		}},

	{name: "secret-file", value: "FILE",
		text: "file with the secret of the contexts",
		set:  text(func(r *route) *string { return &r.secretFile })},
	{name: "identity", value: "NAME",
		text: "the identity to prove, with --key-id and --key-file",
		set:  text(func(r *route) *string { return &r.identity })},
	{name: "key-id", value: "ID",
		text: "which of the identity's keys",
		set:  text(func(r *route) *string { return &r.keyID })},
	{name: "key-file", value: "FILE",
		text: "file with the key as hexadecimal digits, which only its owner may read",
		set:  text(func(r *route) *string { return &r.keyFile })},
	{name: "ca-file", value: "FILE",
		text: "dial inside TLS; the proxy's certificate is of one of these authorities (PEM)",
		set:  text(func(r *route) *string { return &r.caFile })},
	{name: "certificate", value: "FILE",
		text: "own certificate inside TLS (PEM), with --certificate-key",
		set:  text(func(r *route) *string { return &r.certificate })},
	{name: "certificate-key", value: "FILE",
		text: "its key (PEM)",
		set:  text(func(r *route) *string { return &r.certificateKey })},

	{name: "connect-timeout", value: "TIME", kinds: "http fastcgi run", standard: "5s",
		text: "how long a connection to the program may take; then 504",
		set:  span(time.Millisecond, func(r *route) *time.Duration { return &r.limits.Connect })},
	{name: "timeout", value: "TIME", standard: "55s",
		text: "how long the program may be silent, before its answer and within it; then 504, or the client is cut. The proxy waits 60s by default",
		set:  span(time.Millisecond, func(r *route) *time.Duration { return &r.limits.Answer })},
	{name: "max-head", value: "SIZE", standard: "64KiB",
		text: "the head of an answer; above it 502. The proxy takes 64KiB at most",
		set: func(r *route, value string) error {
			size, err := parseSize(value, 65536)
			if err == nil && size < 1024 {
				err = errors.New("is below 1024 bytes")
			}
			r.limits.MaxHead = int(size)
			return err
		}},
	{name: "max-body", value: "SIZE", standard: "0",
		text: "the body of a request; above it 413; 0 = what the proxy lets through",
		set: func(r *route, value string) (err error) {
			r.limits.MaxBody, err = parseSize(value, math.MaxInt64)
			return err
		}},
	{name: "keep-alive", value: "TIME", kinds: "http fastcgi run",
		text: "how long a connection to the program is kept without a request; 4s, and 1s for fastcgi; 0s = not at all",
		set:  span(0, func(r *route) *time.Duration { return &r.limits.Idle })},

	{name: "strip", kinds: "http run",
		text: "the program does not know the context: it is taken off the path of requests, and put before the paths in Location, Content-Location, Refresh and Set-Cookie",
		set:  flag(func(r *route) *bool { return &r.strip })},
	{name: "host", value: "HOST", kinds: "http run",
		text: "the Host that the program sees, in place of the client's",
		set:  text(func(r *route) *string { return &r.host })},
	{name: "buffer", kinds: "http run",
		text: "the program gets a request when all of its body is there, and the proxy takes answers as fast as they come: for servers with few workers",
		set:  flag(func(r *route) *bool { return &r.buffer })},
	{name: "upgrades", value: "NAMES", kinds: "http run", standard: "websocket",
		text: "protocols that a connection may go over to; none = no protocol",
		set:  text(func(r *route) *string { return &r.upgrades })},
	{name: "origin-ca-file", value: "FILE", kinds: "http",
		text: "authorities of an https program (PEM); without it those of the machine",
		set:  text(func(r *route) *string { return &r.originCA })},

	{name: "health", value: "PATH", kinds: "http fastcgi run",
		text: "ask the program for this path: after --health-failures answers that are not 2xx or 3xx it leaves the proxy, after a good one it comes back",
		set: func(r *route, value string) error {
			if !strings.HasPrefix(value, "/") {
				return errors.New("does not begin with /")
			}
			r.health = value
			return nil
		}},
	{name: "health-interval", value: "TIME", kinds: "http fastcgi run", standard: "5s",
		text: "the time between two of them",
		set:  span(time.Millisecond, func(r *route) *time.Duration { return &r.healthInterval })},
	{name: "health-timeout", value: "TIME", kinds: "http fastcgi run", standard: "2s",
		text: "how long an answer may take; then it counts as a bad one",
		set:  span(time.Millisecond, func(r *route) *time.Duration { return &r.healthTimeout })},
	{name: "health-failures", value: "N", kinds: "http fastcgi run", standard: "2",
		text: "bad answers in a row",
		set:  number(1, 1000, func(r *route) *int { return &r.healthFailures })},

	{name: "env", value: "NAME=VALUE", many: true, kinds: "cgi fastcgi run",
		text: "one more variable for the program; may be repeated",
		set: func(r *route, value string) error {
			if name, _, found := strings.Cut(value, "="); !found || name == "" {
				return errors.New("is not NAME=VALUE")
			}
			r.environment = append(r.environment, value)
			return nil
		}},
	{name: "stop-timeout", value: "TIME", kinds: "cgi run",
		text: "how long a program may take to end after SIGTERM; then SIGKILL; 10s, and 1s for cgi",
		set:  span(0, func(r *route) *time.Duration { return &r.stopTime })},

	{name: "root", value: "DIR", kinds: "fastcgi",
		text: "the folder of the scripts: a path below the context names a script there; without it the program gets the path only",
		set:  text(func(r *route) *string { return &r.root })},
	{name: "index", value: "FILE", kinds: "fastcgi", standard: "index.php",
		text: "the script of a path that is a folder",
		set:  text(func(r *route) *string { return &r.index })},
	{name: "front", value: "FILE", kinds: "fastcgi",
		text: "the script of every path where there is no script, such as index.php for WordPress, Laravel and Symfony; without it 404",
		set:  text(func(r *route) *string { return &r.front })},
	{name: "split", value: "EXT", kinds: "fastcgi", standard: ".php",
		text: "how the names of scripts end; the rest of the path is PATH_INFO",
		set:  text(func(r *route) *string { return &r.split })},
	{name: "static", kinds: "fastcgi",
		text: "serve the other files below --root, but for hidden ones",
		set:  flag(func(r *route) *bool { return &r.static })},
	{name: "unchecked", kinds: "fastcgi",
		text: "--root is a folder of the FastCGI server's machine: whether a script is there is not looked at",
		set:  flag(func(r *route) *bool { return &r.unchecked })},

	{name: "connections", value: "N", kinds: "fastcgi",
		text: "how many the server takes at once, pm.max_children of PHP-FPM: so many are kept, more requests wait; without it the server is asked, and when it does not say none is kept",
		set:  number(1, 1_000_000, func(r *route) *int { return &r.connections })},

	{name: "port-env", value: "NAME", kinds: "run",
		text: "the environment variable that tells the program its port, such as PORT; {port} in its command does too",
		set:  text(func(r *route) *string { return &r.portEnv })},
	{name: "start-timeout", value: "TIME", kinds: "run", standard: "60s",
		text: "how long the program may take until it answers; then it is ended and started again",
		set:  span(time.Millisecond, func(r *route) *time.Duration { return &r.startTime })},
	{name: "restart-delay", value: "TIME", kinds: "run", standard: "1s",
		text: "the pause before the program is started again; it doubles up to 30s, until the program has run for a minute",
		set:  span(time.Millisecond, func(r *route) *time.Duration { return &r.try })},
}

func find(name string) *option {
	for i := range options {
		if options[i].name == name {
			return &options[i]
		}
	}
	return nil
}

// set gives an option a value; where names it in an error.
func (r *route) set(o *option, where, value string) error {
	if !o.many && r.has(o.name) {
		return fmt.Errorf("%s is given twice", where)
	}
	if r.given == nil {
		r.given = map[string][]string{}
	}
	r.given[o.name] = append(r.given[o.name], value)
	if err := o.set(r, value); err != nil {
		return fmt.Errorf("%s: %q %w", where, value, err)
	}
	return nil
}

func (r *route) has(option string) bool { return len(r.given[option]) > 0 }

// complete fills in what was not given, and says all that does not hold together.
func (r *route) complete() []error {
	var faults []error
	for i := range options {
		o := &options[i]
		if r.has(o.name) && !o.knownTo(r.kind) {
			faults = append(faults, fmt.Errorf("%s does not know --%s", r.kind, o.name))
		}
		if !r.has(o.name) && o.standard != "" {
			if err := o.set(r, o.standard); err != nil {
				faults = append(faults, fmt.Errorf("--%s: %w", o.name, err))
			}
		}
	}
	few := r.kind == kindCGI || r.kind == kindFastCGI
	if r.concurrency == 0 {
		if r.concurrency = 64; few {
			r.concurrency = 8
		}
	}
	if !r.has("keep-alive") {
		if r.limits.Idle = 4 * time.Second; r.kind == kindFastCGI {
			r.limits.Idle = time.Second
		}
	}
	if !r.has("stop-timeout") {
		if r.stopTime = 10 * time.Second; r.kind == kindCGI {
			r.stopTime = time.Second
		}
	}
	r.limits.Kept = r.concurrency
	if r.upgrades == "none" {
		r.upgrades = ""
	}
	return append(faults, r.check()...)
}

// check looks at what was given, right or not, so that a value with a fault of its own is not told to be missing too.
func (r *route) check() []error {
	var faults []error
	fault := func(format string, values ...any) { faults = append(faults, fmt.Errorf(format, values...)) }
	if len(r.contexts) == 0 && !r.has("context") {
		kind := r.kind
		if kind == "" {
			kind = "a route"
		}
		fault("%s needs a context, such as /app", kind)
	}
	for _, context := range r.contexts {
		if r.strip && strings.HasPrefix(context, ".") {
			fault("--strip has nothing to take off the context %s", context)
		}
	}
	if r.kind == kindRun && len(r.command) == 0 {
		fault("run needs a command behind --, such as: run --context /app --port-env PORT -- npm start")
	}
	if r.kind == kindRun && !r.has("port-env") && !strings.Contains(strings.Join(r.command, " "), "{port}") {
		fault("run needs --port-env NAME, or {port} in the command: how does the program learn its port?")
	}
	if !r.has("root") && (r.static || r.front != "" || r.has("index") || r.has("split")) {
		fault("--static, --front, --index and --split need --root")
	}
	if r.static && r.unchecked {
		fault("--static and --unchecked do not go together")
	}
	if identity := r.has("identity"); identity != r.has("key-id") || identity != r.has("key-file") {
		fault("an identity needs all of --identity, --key-id and --key-file")
	}
	if r.has("identity") && r.has("secret-file") {
		fault("an identity is proved by its key: --secret-file has no place beside it")
	}
	if r.has("certificate") != r.has("certificate-key") {
		fault("--certificate and --certificate-key go together")
	}
	if r.has("certificate") && !r.has("ca-file") {
		fault("--certificate needs --ca-file")
	}
	return faults
}
