// Package options is the command line that all examples share.
package options

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"

	"lrwp"
)

type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

// Peer reads the command line. The log goes to standard output, so that a script can wait for "registered".
func Peer(handler http.HandlerFunc) *lrwp.Peer {
	var contexts list
	proxy := flag.String("proxy", "", "HOST:PORT of the proxy")
	flag.Var(&contexts, "context", "what to serve; may be repeated")
	concurrency := flag.Int("concurrency", 8, "requests at once")
	secretFile := flag.String("secret-file", "", "file with the contexts' secret")
	flag.Parse()
	if *proxy == "" || len(contexts) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	var secret []byte
	if *secretFile != "" {
		octets, err := os.ReadFile(*secretFile)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		secret = bytes.TrimRight(octets, "\r\n")
	}
	return &lrwp.Peer{
		Proxy: *proxy, Contexts: contexts, Handler: handler, Concurrency: *concurrency, Secret: secret,
		Log: func(line string) { fmt.Println(line) },
	}
}
