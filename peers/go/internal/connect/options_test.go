package connect

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestOptionsMayStandAnywhere(t *testing.T) {
	for _, line := range []string{
		"http http://h:1 /app --strip --timeout 3s --proxy a:1 --proxy b:2,c:3",
		"--proxy=a:1 --strip http --timeout=3s http://h:1 --proxy b:2,c:3 /app",
	} {
		in, err := parse(strings.Fields(line), os.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		r := in.routes[0]
		if !r.strip || r.limits.Answer != 3*time.Second || strings.Join(r.proxies, " ") != "a:1 b:2 c:3" || r.target != "http://h:1" ||
			strings.Join(r.contexts, " ") != "/app" || r.limits.MaxHead != 65536 || r.concurrency != 64 {
			t.Errorf("%s is %+v", line, r)
		}
	}
}

func TestWrongUseIsOneSentenceThatNamesIt(t *testing.T) {
	for line, want := range map[string]string{
		"":                                  "a command is missing",
		"fly":                               "there is no command fly",
		"http http://h:1":                   "use: lrwp-connect http URL CONTEXT",
		"http http://h:1 /a --nothing":      "there is no option --nothing",
		"http http://h:1 /a -timeout 3s":    "there is no option -timeout",
		"http http://h:1 /a --timeout":      "--timeout needs a value",
		"http http://h:1 /a --timeout soon": `--timeout: "soon" is no time such as 250ms, 10s, 5m, 1h or 1d`,
		"http http://h:1 /a --timeout 0s":   "is below 1ms",
		"http http://h:1 /a --timeout 1s --timeout 2s":                            "--timeout is given twice",
		"http http://h:1 /a --concurrency 0":                                      `--concurrency: "0" is no number from 1 to 65536`,
		"http http://h:1 /a --drain-seconds 0":                                    `--drain-seconds: "0" is no number of seconds from 0.001 to 86400`,
		"http http://h:1 /a --drain-seconds 30s":                                  `--drain-seconds: "30s" is no number of seconds from 0.001 to 86400`,
		"http http://h:1 /a --max-head 1MiB":                                      `--max-head: "1MiB" is above 65536 bytes`,
		"http http://h:1 /a --max-body lots":                                      "is no size such as",
		"http http://h:1 /a --strip=yes":                                          "--strip takes no value",
		"http http://h:1 /a --root /x":                                            "http does not know --root",
		"http http://h:1 .php --strip":                                            "--strip has nothing to take off the context .php",
		"run --context /a --port-env P":                                           "run needs a command behind --",
		"run --context /a -- sleep 1":                                             "run needs --port-env NAME, or {port}",
		"http http://h:1 /a /b noslash":                                           `"/b" is one argument too many: use: lrwp-connect http URL`,
		"http http://h:1 noslash":                                                 `"noslash" is no context, such as /app, .php or /`,
		"cgi /bin http://127.0.0.1/foo":                                           `"http://127.0.0.1/foo" is no context`,
		"fastcgi h:1 .php/x":                                                      `".php/x" is no context`,
		"fastcgi h:1 .":                                                           `"." is no context`,
		"http http://h:1 /a --context=/b,c":                                       `--context: "/b,c" is no context`,
		"run --context a --port-env P -- sleep 1":                                 `--context: "a" is no context`,
		"run /a --port-env P -- sleep 1":                                          "use: lrwp-connect run",
		"fastcgi h:1 /a --static":                                                 "need --root",
		"http http://h:1 /a --certificate c.pem":                                  "--certificate and --certificate-key go together",
		"http http://h:1 /a --identity i --key-id k":                              "an identity needs all of --identity, --key-id and --key-file",
		"http http://h:1 /a --key-file f":                                         "an identity needs all of --identity, --key-id and --key-file",
		"http http://h:1 /a --identity i --key-id k --key-file f --secret-file s": "--secret-file has no place beside it",
		"--config nothing.properties":                                             "--config nothing.properties: no such file or directory",
		"--config x http":                                                         "--config stands in place of a command",
		"http http://h:1 /a --health health":                                      `--health: "health" does not begin with /`,
		"cgi /bin /a --env X":                                                     `--env: "X" is not NAME=VALUE`,
	} {
		_, err := parse(strings.Fields(line), os.ReadFile)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, not %s", line, err, want)
		}
	}
	for line, want := range map[string]string{
		"http h:1 /a": "is no URL", "http ftp://h /a": "is no URL", "cgi /none /a": "no such file", "fastcgi here /a": "is no address such as",
		"fastcgi h:1 /a --root /none": "--root", "http http://h:1 /a --secret-file /none": "/none", "http http://u@h:1 /a": "must not",
	} {
		out, errors := &output{}, &output{}
		code := Main(strings.Fields(line), out, errors)
		if code != 2 || !strings.Contains(errors.String(), want) || strings.Count(errors.String(), "\n") != 1 {
			t.Errorf("%s: %d %s", line, code, errors)
		}
	}
}

func TestAContextHasNoBlanks(t *testing.T) {
	for _, arguments := range [][]string{
		{"http", "http://h:1", "/a b"}, {"http", "http://h:1", "/a", "--context", "/a b"}, {"cgi", "/bin", ""},
	} {
		if _, err := parse(arguments, os.ReadFile); err == nil || !strings.Contains(err.Error(), "is no context") {
			t.Errorf("%q: %v", arguments, err)
		}
	}
	in, err := parse([]string{"http", "http://h:1", "/a", "--context", ".php, /", "--context", "/b/c.d"}, os.ReadFile)
	if err != nil || strings.Join(in.routes[0].contexts, " ") != "/a .php / /b/c.d" {
		t.Errorf("%v", err)
	}
}

func TestWhatTheLibrarySaysIsInTheWordsOfTheCommandLine(t *testing.T) {
	for line, want := range map[string]string{
		"--secret-file none": "lrwp-connect: --secret-file none: no such file or directory\n",
		"--ca-file none":     "lrwp-connect: --ca-file none: no such file or directory\n",
		"--ca-file options.go --certificate none --certificate-key k": "lrwp-connect: --ca-file options.go: holds no certificate (PEM)\n",
		"--ca-file CA --certificate none --certificate-key k":         "lrwp-connect: --certificate none: no such file or directory\n",
		"--ca-file CA --certificate options.go --certificate-key agent.go": "lrwp-connect: certificate options.go with certificate key agent.go: " +
			"tls: failed to find any PEM data in certificate input\n",
		"--identity i --key-id k --key-file none":  "lrwp-connect: --key-file none: no such file or directory\n",
		"--identity a:b --key-id k --key-file KEY": "lrwp-connect: \"a:b\" is no name of an identity or key: 1 to 64 letters, digits, '.', '_' and '-'\n",
	} {
		key := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(key, []byte(strings.Repeat("0f", 32)), 0o600); err != nil {
			t.Fatal(err)
		}
		line = strings.NewReplacer("KEY", key, "CA", "../../../conformance/certificates/authority.pem").Replace(line)
		out, errors := &output{}, &output{}
		code := Main(append([]string{"http", "http://127.0.0.1:1", "/a", "--proxy", "127.0.0.1:1"}, strings.Fields(line)...), out, errors)
		if code != 2 || errors.String() != want {
			t.Errorf("%s: %d %s", line, code, errors)
		}
	}
}

const sample = `# two programs
proxy   = a:1, b:2
timeout = 7s

route.shop.kind    = http
route.shop.target  = http://127.0.0.1:3000
route.shop.context = /shop
route.shop.strip   = true
route.old.kind     = cgi
route.old.target   = /usr/lib/cgi-bin
route.old.context  = /cgi-bin
route.old.timeout  = 9s
route.old.env      = A=1
route.old.env      = B=2
route.node.kind     = run
route.node.command  = npm start -- --name "two words"
route.node.port-env = PORT
route.node.context  = /node
`

func file(text string) func(string) ([]byte, error) {
	return func(string) ([]byte, error) { return []byte(text), nil }
}

func TestAFileHasManyRoutes(t *testing.T) {
	in, err := parse([]string{"--config", "f", "--timeout", "8s", "--identity", "i", "--key-id", "k", "--key-file", "f"}, file(sample))
	if err != nil {
		t.Fatal(err)
	}
	shop, old, node := in.routes[0], in.routes[1], in.routes[2]
	if shop.name != "shop" || !shop.strip || shop.limits.Answer != 8*time.Second || len(shop.proxies) != 2 || shop.keyID != "k" {
		t.Errorf("shop is %+v", shop)
	}
	if old.limits.Answer != 9*time.Second || strings.Join(old.environment, " ") != "A=1 B=2" || old.concurrency != 8 {
		t.Errorf("old is %+v", old)
	}
	if strings.Join(node.command, "|") != "npm|start|--|--name|two words" {
		t.Errorf("node is %q", node.command)
	}
}

func TestAFileTellsAllItsFaultsAtOnce(t *testing.T) {
	_, err := parse([]string{"--config", "f"}, file(`nothing = 1
no line
route.a.kind = ftp
route.a.nothing = 1
route.b.kind = http
route.b.target = http://h
route.b.context = /b
route.b.timeout = soon
route.c.kind = cgi
route = x
route.d = x
route.c.root = /var/www
route.e.target = /e
route.e.context = e
route.f.kind = run
route.f.command = npm "start
route.f.context = /f
route.f.certificate = c
route.f.identity = i
`))
	wanted := []string{
		"f:1: nothing: there is no such key", "f:2: no line: a line is", `f:3: route.a.kind: "ftp" is not http, cgi, fastcgi or run`,
		"f:4: route.a.nothing: there is no such key", `f:8: route.b.timeout: "soon" is no time`, "f: route.c.target is missing",
		"f:10: route: ", "f:11: route.d: ",
		"f:12: route.c.root: cgi does not know it", "f: route a: a route needs a context", "f: route c: cgi needs a context",
		"f: route.e.kind is missing", `f:14: route.e.context: "e" is no context`, "f:16: route.f.command: has a quote",
		"f: route f: run needs --port-env", "f: route f: --certificate and --certificate-key go together",
		"f: route f: --certificate needs --ca-file", "f: route f: an identity needs all of",
	}
	for _, want := range wanted {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if lines := strings.Count(err.Error(), "\n") + 1; lines != len(wanted) { // none is told twice
		t.Errorf("%d lines: %v", lines, err)
	}
}

func TestRoutesOfAFileThatCannotBeServedAreToldTogether(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	text := "route.a.kind = http\nroute.a.target = h:1\nroute.a.context = /a\n" +
		"route.b.kind = cgi\nroute.b.target = /none\nroute.b.context = /b\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errors := &output{}, &output{}
	code := Main([]string{"--config", name}, out, errors)
	if code != 2 || strings.Count(errors.String(), "\n") != 2 || !strings.Contains(errors.String(), "route a: h:1 is no URL") ||
		!strings.Contains(errors.String(), "route b: ") {
		t.Errorf("%d %s", code, errors)
	}
}

// The page has every option as the help has it: name, value, default and text.
func TestThePageAndTheHelpSayTheSame(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/connect.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, line := range strings.Split(string(page), "\n") {
		if match := regexp.MustCompile("^\\| `--([a-z-]+)").FindStringSubmatch(line); match != nil {
			rows[match[1]] = line
		}
	}
	var help output
	writeHelp(&help)
	for _, o := range options {
		if want := o.row(); rows[o.name] != want {
			t.Errorf("docs/connect.md has\n%s\nand not\n%s", rows[o.name], want)
		}
		delete(rows, o.name)
		if !strings.Contains(help.String(), "--"+o.name) {
			t.Errorf("the help lacks --%s", o.name)
		}
	}
	for name := range rows {
		if name != "config" && name != "version" {
			t.Errorf("docs/connect.md has --%s, which is no option", name)
		}
	}
}
