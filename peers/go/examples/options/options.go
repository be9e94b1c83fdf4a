// Package options is the command line that all examples share.
package options

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"

	"lrwp.org/go/lrwp"
)

type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

// Parse reads the command line. The log goes to standard output, so that a script can wait for "registered".
func Parse() lrwp.Options {
	o := lrwp.Options{Log: func(line string) { fmt.Println(line) }}
	var proxies, contexts list
	flag.Var(&proxies, "proxy", "HOST:PORT or unix:PATH of a proxy; may be repeated")
	flag.Var(&contexts, "context", "what to serve; may be repeated")
	flag.IntVar(&o.Concurrency, "concurrency", 8, "requests at once")
	secretFile := flag.String("secret-file", "", "file with the contexts' secret")
	flag.StringVar(&o.Identity, "identity", "", "name of the identity that this peer proves")
	flag.StringVar(&o.KeyID, "key-id", "", "which of the identity's keys")
	flag.StringVar(&o.KeyFile, "key-file", "", "file with that key")
	caFile := flag.String("ca-file", "", "authorities of the proxy's certificate: dial inside TLS")
	certificate := flag.String("certificate", "", "own certificate inside TLS")
	certificateKey := flag.String("certificate-key", "", "key of the own certificate")
	flag.Parse()
	o.Proxy, o.Context = proxies, contexts
	if len(proxies) == 0 || len(contexts) == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *secretFile != "" {
		secret, err := os.ReadFile(*secretFile)
		require(err)
		o.Secret = bytes.TrimRight(secret, "\r\n")
	}
	if *certificate != "" && *caFile == "" {
		require(errors.New("--certificate needs --ca-file"))
	}
	if *caFile != "" {
		config, err := lrwp.Trust(*caFile, *certificate, *certificateKey)
		require(err)
		o.TLS = config
	}
	return o
}

// Serve serves what the command line says.
func Serve(ctx context.Context, handler http.HandlerFunc) { ServeWith(ctx, Parse(), handler) }

// ServeWith serves with options of the program's own beside.
func ServeWith(ctx context.Context, o lrwp.Options, handler http.Handler) {
	require(lrwp.Serve(ctx, o, handler))
}

func require(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
