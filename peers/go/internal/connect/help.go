package connect

import (
	"fmt"
	"io"
	"strings"
)

const usage = `lrwp-connect makes any program a peer of an LRWP proxy: an HTTP server, CGI programs, a FastCGI server.

  lrwp-connect http    URL CONTEXT      requests go to an HTTP server: http://host:port, https://host or unix:/path
  lrwp-connect cgi     DIR CONTEXT      CGI programs in a folder, unchanged
  lrwp-connect fastcgi ADDRESS CONTEXT  PHP-FPM and others: host:port or unix:/path
  lrwp-connect run --context CONTEXT --port-env NAME -- COMMAND...
                                        starts an HTTP server, waits until it answers, restarts it, ends it in order
  lrwp-connect --config FILE            many of them; the file has lines such as route.shop.kind = http
  lrwp-connect help                     this text
  lrwp-connect --version

Options may stand before and behind a command's arguments. In a file they are keys, without the dashes.
`

const width = 100

func writeHelp(out io.Writer) {
	fmt.Fprint(out, usage)
	for _, group := range []struct{ title, kinds string }{
		{"All commands", ""}, {"http, run", "http run"}, {"http, fastcgi, run", "http fastcgi run"}, {"http", kindHTTP},
		{"cgi, fastcgi, run", "cgi fastcgi run"}, {"cgi, run", "cgi run"}, {"fastcgi", kindFastCGI}, {"run", kindRun},
	} {
		fmt.Fprintf(out, "\n%s\n", group.title)
		if group.kinds == "" {
			writeOption(out, "-v, --verbose", "a line for each request in the log, not only for those that fail")
			writeOption(out, "--config FILE", "read routes from a file")
		}
		for _, o := range options {
			if o.kinds == group.kinds {
				writeOption(out, o.usage(), o.explained())
			}
		}
	}
	fmt.Fprint(out, "\nExit codes: 0 after SIGTERM or Ctrl-C, 2 wrong use, told in one sentence.\n")
}

func (o *option) usage() string { return strings.TrimSpace("--" + o.name + " " + o.value) }

func (o *option) explained() string {
	if o.standard == "" {
		return o.text
	}
	return o.text + " (" + o.standard + ")"
}

// writeOption writes a name, and behind it the text in lines.
func writeOption(out io.Writer, name, text string) {
	const indent = 28
	line := fmt.Sprintf("  %-*s", indent-2, name)
	if len(name) > indent-3 {
		fmt.Fprintln(out, strings.TrimRight(line, " "))
		line = strings.Repeat(" ", indent)
	}
	for _, word := range strings.Fields(text) {
		if len(line) > indent && len(line)+1+len(word) > width {
			fmt.Fprintln(out, line)
			line = strings.Repeat(" ", indent)
		}
		if len(line) > indent {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(out, line)
}

// row is the option in the table of docs/connect.md.
func (o *option) row() string {
	standard, kinds := "", "all"
	if o.standard != "" {
		standard = "`" + o.standard + "`"
	}
	if o.kinds != "" {
		kinds = strings.ReplaceAll(o.kinds, " ", ", ")
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s |", o.usage(), kinds, standard, o.text)
}
