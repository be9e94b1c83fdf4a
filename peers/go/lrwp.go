// Package lrwp is an LRWP peer, with the standard library only.
//
// A peer dials the proxy, says which URL contexts it serves, and gets HTTP requests over that one connection. Its
// handler is any http.Handler, so what serves HTTP today can be a peer tomorrow:
//
//	options := lrwp.Options{Proxy: []string{"127.0.0.1:1081"}, Context: []string{"/hello"}, Concurrency: 64}
//	err := lrwp.Serve(ctx, options, mux) // until ctx is done: then open requests are finished, and it is over
//
// LRWP 3.1 is spoken with an identity, 3.0 without, and 1.0 with servers that know no better. docs/protocol.md has the
// wire; "rule n" is section 15.n there.
//
// How it is built: a peer has a target for each address of its proxies, and a target has a connection. In a connection
// one goroutine reads frames and one writes all that are ready with one call; each request has its own. A handler is
// entered by the writer, after the call that carried its STARTED (rule 5).
package lrwp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
)

// Version is that of this module.
const Version = "1.0.0"

// ALPN is what LRWP 3 calls itself inside TLS.
const ALPN = "lrwp/3"

// ErrCancelled is what reading and writing say when nobody waits for the answer any more.
var ErrCancelled = errors.New("lrwp: nobody waits for the answer any more")

// Options say which proxies a peer dials, what it serves, and how. Proxy and Context are a must.
type Options struct {
	// Proxy has host:port, [v6]:port or unix:/path of each. A name stands for all its addresses, which are looked up
	// again every 30 s and after each loss. The peer is connected to all at once: each gets the whole Concurrency, and no
	// more than that many handlers run together. Requests above it wait, not started.
	Proxy []string

	Context     []string // such as "/echo" or ".ext"; with 1.0 the first only
	Vhost       string   // only for this host; "" = for every host
	Name        string   // shown in the proxy's status; "" = lrwp-go and its version
	Concurrency int      // requests at once, 65536 at most; 0 = 1

	// Stream lets requests come while their body is still coming.
	Stream bool

	// Strip takes the context off the path of requests, as http.StripPrefix does.
	Strip bool

	// Upgrades are the protocols taken instead of HTTP, such as "websocket", with commas between. Handlers take them by
	// http.Hijacker.
	Upgrades string

	// Admit says why a request is refused, or "". It is asked before anything has begun and must have no effects: a
	// refused request goes to another peer.
	Admit func(env map[string]string) string

	Window       int64   // bytes of one request's body on their way to us; 0 = 256 KiB, 4294967295 = no limit
	DrainSeconds float64 // how long open requests may take at the end; 0 = 30, a day at most; then their contexts are done

	// Secret is that of the contexts. With one there is no fallback to 1.0.
	Secret []byte

	// Identity is who this peer is, KeyID which of the identity's keys it has; Key are its 32 to 256 bytes, or KeyFile is
	// a file with their hexadecimal digits that only its owner can read. Then LRWP 3.1 is spoken and nothing else.
	Identity, KeyID string
	Key             []byte
	KeyFile         string

	TLS *tls.Config       // of the proxy, see Trust; nil = no TLS
	Log func(line string) // nil = standard error
}

// Serve dials in and lets the handler answer until the context is done, and then until what has begun is finished. It
// returns an error at once when the options do not hold together, and nil at the end. Losses and refusals are in the
// log, and the proxy is dialled again.
//
// What a handler gets and gives is as net/http has it, with these differences. The context of a request has the values
// of ctx, and is done when nobody waits for the answer any more. A header that cannot be sent makes the answer 500.
// Trailers and 1xx answers are not sent. http.Hijacker takes requests that ask for one of Upgrades, no others.
func Serve(ctx context.Context, options Options, handler http.Handler) error {
	p, err := newPeer(options, handler)
	if err != nil {
		return fmt.Errorf("lrwp: %w", err)
	}
	p.run(ctx)
	return nil
}

// Env gives the CGI variables of a request, which say more than an http.Request can. It is nil for requests that have
// not come by LRWP.
func Env(r *http.Request) map[string]string {
	if s, is := r.Context().Value(streamKey{}).(*stream); is {
		return s.env()
	}
	return nil
}

// Trust makes the TLS configuration of a peer: proxies must show a certificate of the authorities in caFile, for the
// host that is dialled. The peer shows that in certificate, with its key in certificateKey, unless both are "". All
// files are PEM.
func Trust(caFile, certificate, certificateKey string) (*tls.Config, error) {
	authorities, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS13}
	if !config.RootCAs.AppendCertsFromPEM(authorities) {
		return nil, &fs.PathError{Op: "trust", Path: caFile, Err: errors.New("holds no certificate (PEM)")}
	}
	if certificate != "" {
		own, err := tls.LoadX509KeyPair(certificate, certificateKey)
		if errors.As(err, new(*fs.PathError)) {
			return nil, err
		}
		if err != nil { // crypto/tls names no file whose content is wrong
			return nil, fmt.Errorf("lrwp: certificate %s with certificate key %s: %w", certificate, certificateKey, err)
		}
		config.Certificates = []tls.Certificate{own}
	}
	return config, nil
}
