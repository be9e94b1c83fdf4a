// Package origin passes requests on to an HTTP/1.1 server. It is a client of its own because a request that comes as CGI
// variables and leaves as a CGI head never needs an http.Request, an http.Header or an http.Response.
package origin

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/pool"
)

// Options say which server it is, and what is changed on the way.
type Options struct {
	URL    string // http://host:port/base, https://host/base or unix:/path
	Strip  bool   // the server does not know the context
	Host   string // the Host that the server sees; "" = the client's
	CAFile string // authorities of an https server; "" = the machine's
	Limits gateway.Limits
}

// Client is a gateway.Backend.
type Client struct {
	network, address string
	authority        string // of the URL, as the server may name itself
	base             string // begins every path of the server; without / at its end
	secure           *tls.Config
	options          Options
	pool             *pool.Pool
}

// New checks the options.
func New(options Options) (*Client, error) {
	c := &Client{options: options}
	if path, ok := strings.CutPrefix(options.URL, "unix:"); ok {
		if path == "" {
			return nil, fmt.Errorf("%s has no path", options.URL)
		}
		c.network, c.address, c.authority = "unix", path, "localhost"
	} else if err := c.parse(); err != nil {
		return nil, err
	}
	c.pool = &pool.Pool{Dial: c.dial, Idle: options.Limits.Idle, Max: options.Limits.Kept}
	return c, nil
}

func (c *Client) parse() error {
	at, err := url.Parse(c.options.URL)
	switch {
	case err != nil:
		return fmt.Errorf("%q is no URL", c.options.URL)
	case at.Scheme != "http" && at.Scheme != "https", at.Hostname() == "":
		return fmt.Errorf("%s is no URL such as http://127.0.0.1:3000, https://host or unix:/path", c.options.URL)
	case at.RawQuery != "" || at.Fragment != "" || at.User != nil:
		return fmt.Errorf("%s has a query, a fragment or a user, and must not", c.options.URL)
	}
	port := at.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[at.Scheme]
	}
	c.network, c.address, c.authority = "tcp", net.JoinHostPort(at.Hostname(), port), strings.ToLower(at.Host)
	c.base = strings.TrimRight(at.EscapedPath(), "/")
	if at.Scheme == "https" {
		c.secure = &tls.Config{ServerName: at.Hostname(), NextProtos: []string{"http/1.1"}}
		return c.trust()
	}
	return nil
}

func (c *Client) trust() error {
	if c.options.CAFile == "" {
		return nil
	}
	authorities, err := os.ReadFile(c.options.CAFile)
	if err != nil {
		return err
	}
	c.secure.RootCAs = x509.NewCertPool()
	if !c.secure.RootCAs.AppendCertsFromPEM(authorities) {
		return fmt.Errorf("no certificate in %s", c.options.CAFile)
	}
	return nil
}

func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	ctx, stop := context.WithTimeout(ctx, c.options.Limits.Connect)
	defer stop()
	conn, err := (&net.Dialer{}).DialContext(ctx, c.network, c.address)
	if err != nil || c.secure == nil {
		return conn, err
	}
	inside := tls.Client(conn, c.secure)
	if err := inside.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return inside, nil
}

// Address names the server.
func (c *Client) Address() string { return c.address }

// Close drops the connections that are kept.
func (c *Client) Close() { c.pool.Close() }

// errStale is a connection that was kept and turned out to be closed before a byte of the answer had come.
var errStale = errors.New("the connection was closed meanwhile")

// Serve passes one request on.
func (c *Client) Serve(e *lrwp.Exchange) *gateway.Failure {
	q := newRequest(c, e)
	defer q.recycle()
	if failure := q.prepare(); failure != nil {
		return failure
	}
	err := q.attempt(false)
	if errors.Is(err, errStale) {
		err = q.attempt(true)
	}
	if err == nil {
		return nil
	}
	return gateway.Talking(e.Context(), err)
}

// attempt sends the request over one connection and brings back the answer.
func (q *request) attempt(fresh bool) error {
	ctx := q.e.Context()
	// What cannot be repeated goes over a connection that is seen to be open.
	c, err := q.client.pool.Get(ctx, fresh, !q.repeatable)
	if err != nil {
		return gateway.Dialling(ctx, err)
	}
	release := context.AfterFunc(ctx, func() { c.Close() })
	keep, err := q.talk(c)
	// A connection that is being closed is not kept.
	if release() && keep && err == nil {
		q.client.pool.Put(c)
	} else {
		c.Close()
	}
	return err
}

// talk does one request on a connection; whether another one may follow.
func (q *request) talk(c *pool.Conn) (keep bool, err error) {
	limits := q.client.options.Limits
	c.SetDeadline(time.Now().Add(limits.Answer))
	c.Out = q.appendHead(c.Out[:0])
	if !q.streamed { // else it goes in the frames of chunks, and when the server wants it
		c.Out = append(c.Out, q.body...)
	}
	if _, err := c.Write(c.Out); err != nil && q.isStale(c, err) {
		return false, errStale
	} // else the server may have answered before it closed
	var up *upload
	if q.streamed {
		up = q.upload(c)
		defer up.stop()
	}
	a, err := q.readHead(c, up)
	if err != nil {
		if q.isStale(c, err) {
			err = errStale
		} else if up != nil && up.failure() != nil {
			err = up.failure()
		}
		return false, err
	}
	if a.status == 101 {
		return false, q.tunnel(c, a)
	}
	if err := q.e.SendHead(a.status, a.head); err != nil {
		return false, err
	}
	if err := q.copyBody(c, a); err != nil {
		return false, err
	}
	// Some servers send a body for HEAD too: what follows on this connection may not be the next answer.
	return a.keep && q.vars.method != "HEAD" && (up == nil || up.done()), nil
}

// isStale tells whether to try again: the server has closed a connection that was kept, and nothing says that it has
// read the request.
func (q *request) isStale(c *pool.Conn, err error) bool {
	return c.Reused && q.repeatable && q.e.Context().Err() == nil && !gateway.IsTimeout(err) &&
		!errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, new(*gateway.Failure)) && c.In.Buffered() == 0
}
