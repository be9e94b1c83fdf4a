package lrwp

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// envOf makes a map of an env block: NAME=VALUE NUL, and a NUL at the end.
func envOf(block string) map[string]string {
	env := make(map[string]string, strings.Count(block, "\x00"))
	for len(block) > 0 {
		var entry string
		entry, block, _ = strings.Cut(block, "\x00")
		if name, value, found := strings.Cut(entry, "="); found {
			env[name] = value
		}
	}
	return env
}

// variables are those of an env block that make a request.
type variables struct {
	method, uri, script, path, query   string
	host, name, port, protocol         string
	length, address, remotePort, https string
	header                             http.Header
}

const headerPrefix = "HTTP_"

// read takes an env block apart. Header fields share one array.
func (v *variables) read(block string) {
	fields := strings.Count(block, "\x00"+headerPrefix) + 3 // CONTENT_TYPE, CONTENT_LENGTH, and one at the beginning
	v.header = make(http.Header, fields)
	values := make([]string, 0, fields)
	for len(block) > 0 {
		var entry string
		entry, block, _ = strings.Cut(block, "\x00")
		name, value, found := strings.Cut(entry, "=")
		if !found {
			continue
		}
		field := ""
		switch name {
		case "REQUEST_METHOD":
			v.method = value
		case "REQUEST_URI":
			v.uri = value
		case "SCRIPT_NAME":
			v.script = value
		case "PATH_INFO":
			v.path = value
		case "QUERY_STRING":
			v.query = value
		case "SERVER_NAME":
			v.name = value
		case "SERVER_PORT":
			v.port = value
		case "SERVER_PROTOCOL":
			v.protocol = value
		case "REMOTE_ADDR":
			v.address = value
		case "REMOTE_PORT":
			v.remotePort = value
		case "HTTPS":
			v.https = value
		case "CONTENT_LENGTH":
			v.length, field = value, "Content-Length"
		case "CONTENT_TYPE":
			field = "Content-Type"
		case "HTTP_HOST":
			v.host = value
		case "HTTP_CONTENT_LENGTH", "HTTP_CONTENT_TYPE": // they are said above
		default:
			if strings.HasPrefix(name, headerPrefix) {
				field = fieldName(name[len(headerPrefix):])
			}
		}
		if field == "" || (value == "" && field == "Content-Type") {
			continue
		}
		values = append(values, value)
		last := len(values) - 1
		v.header[field] = values[last : last+1 : last+1]
	}
}

// fieldName is the canonical name of a header field whose variable is said without its HTTP_.
func fieldName(variable string) string {
	if known := fieldNames[variable]; known != "" {
		return known
	}
	return makeFieldName(variable)
}

func makeFieldName(variable string) string {
	name, inWord := []byte(variable), false
	for i, c := range name {
		switch {
		case c == '_':
			name[i] = '-'
		case inWord && 'A' <= c && c <= 'Z':
			name[i] = c + ('a' - 'A')
		}
		inWord = c != '_'
	}
	return string(name)
}

// fieldNames are the usual ones, so that they need not be made for each request.
var fieldNames = func() map[string]string {
	known := map[string]string{}
	for _, variable := range strings.Fields(`ACCEPT ACCEPT_ENCODING ACCEPT_LANGUAGE AUTHORIZATION CACHE_CONTROL CONNECTION
		COOKIE DNT EXPECT FORWARDED IF_MATCH IF_MODIFIED_SINCE IF_NONE_MATCH IF_RANGE ORIGIN PRAGMA PRIORITY RANGE REFERER
		SEC_CH_UA SEC_CH_UA_MOBILE SEC_CH_UA_PLATFORM SEC_FETCH_DEST SEC_FETCH_MODE SEC_FETCH_SITE SEC_FETCH_USER
		SEC_WEBSOCKET_EXTENSIONS SEC_WEBSOCKET_KEY SEC_WEBSOCKET_PROTOCOL SEC_WEBSOCKET_VERSION TRACEPARENT TRACESTATE
		UPGRADE UPGRADE_INSECURE_REQUESTS USER_AGENT VIA X_FORWARDED_FOR X_FORWARDED_HOST X_FORWARDED_PROTO X_REAL_IP
		X_REQUEST_ID X_REQUESTED_WITH`) {
		known[variable] = makeFieldName(variable)
	}
	return known
}()

// makeRequest makes what the handler gets, on the handler's goroutine.
func (s *stream) makeRequest() (*http.Request, error) {
	var v variables
	v.read(s.block)
	r := http.Request{
		Method: v.method, Header: v.header, Host: v.host, RequestURI: v.uri, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		RemoteAddr: net.JoinHostPort(v.address, v.remotePort), Body: http.NoBody,
	}
	s.isHead, s.client = v.method == http.MethodHead, r.RemoteAddr
	s.upgrade = v.header.Get("Upgrade") != ""
	v.setProtocol(&r)
	if r.Host == "" {
		r.Host = v.name
		if v.port != "" && v.port != "80" && v.port != "443" {
			r.Host = net.JoinHostPort(v.name, v.port)
		}
	}
	if v.https == "on" {
		r.TLS = &tls.ConnectionState{HandshakeComplete: true}
	}
	if err := s.setBody(&r, v.length); err != nil {
		return nil, err
	}
	if err := v.setURL(&r); err != nil {
		return nil, err
	}
	if s.c.peer.Strip {
		strip(r.URL, s.c.peer.contextOf(v.script, v.path))
	}
	return r.WithContext(streamContext{s.context, s}), nil
}

func (v *variables) setProtocol(r *http.Request) {
	if v.protocol == "" || v.protocol == r.Proto {
		return
	}
	r.Proto = v.protocol
	if v.protocol == "HTTP/2" {
		r.Proto = "HTTP/2.0"
	}
	if major, minor, ok := http.ParseHTTPVersion(r.Proto); ok {
		r.ProtoMajor, r.ProtoMinor = major, minor
	}
}

// setBody: without a length the body comes in chunks, unless all of it has come.
func (s *stream) setBody(r *http.Request, length string) error {
	if length != "" {
		number, err := strconv.ParseInt(length, 10, 64)
		if err != nil || number < 0 {
			return errors.New("the length of the request is no number")
		}
		r.ContentLength = number
	}
	s.c.mu.Lock()
	none := s.upgrade || r.ContentLength == 0 && len(s.body) == 0 && (length != "" || s.proxyEnded && !s.cancelled)
	s.c.mu.Unlock()
	switch {
	case none:
		return nil
	case length == "":
		r.ContentLength, r.TransferEncoding = -1, []string{"chunked"}
	}
	r.Body = (*body)(s)
	return nil
}

// setURL takes the target as the client sent it; a server that does not say it has its parts.
func (v *variables) setURL(r *http.Request) (err error) {
	if r.RequestURI == "" {
		r.URL = &url.URL{Path: v.script + v.path, RawQuery: v.query}
		if r.URL.Path == "" {
			r.URL.Path = "/"
		}
		r.RequestURI = r.URL.RequestURI()
		return nil
	}
	if r.URL, err = url.ParseRequestURI(r.RequestURI); err != nil {
		return errors.New("the target of the request cannot be read")
	}
	if r.URL.Host != "" {
		r.Host = r.URL.Host
	}
	return nil
}

// contextOf is the beginning of a path that Strip takes off: SCRIPT_NAME, but nothing for a context such as ".ext",
// whose SCRIPT_NAME is all of the path.
func (p *peer) contextOf(script, pathInfo string) string {
	if pathInfo != "" {
		return script
	}
	for _, context := range p.Context {
		if !strings.HasPrefix(context, ".") && strings.HasSuffix(script, "/"+strings.Trim(context, "/")) {
			return script
		}
	}
	return ""
}

// strip takes the beginning off the path, and off the path as it was sent, where it may be escaped otherwise.
func strip(u *url.URL, prefix string) {
	rest, found := strings.CutPrefix(u.Path, prefix)
	if !found || prefix == "" {
		return
	}
	if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	u.Path = rest
	if u.RawPath == "" {
		return
	}
	raw := u.RawPath
	for range []byte(prefix) {
		if raw[0] == '%' {
			raw = raw[3:]
		} else {
			raw = raw[1:]
		}
	}
	if !strings.HasPrefix(raw, "/") {
		raw = "/" + raw
	}
	u.RawPath = raw
}

// body is a stream as its request's Body. What is read is granted again.
type body stream

func (b *body) Read(into []byte) (int, error) {
	b.c.mu.Lock()
	defer b.c.mu.Unlock()
	if b.returned {
		return 0, http.ErrBodyReadAfterClose
	}
	return (*stream)(b).read(into)
}

// Close drops what still comes.
func (b *body) Close() error {
	b.c.mu.Lock()
	defer b.c.mu.Unlock()
	b.bodyClosed = true
	(*stream)(b).drop()
	return nil
}
