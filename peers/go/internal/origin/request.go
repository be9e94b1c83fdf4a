package origin

import (
	"io"
	"net"
	"strconv"
	"strings"
	"sync"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/internal/gateway"
)

// What is whole and not larger goes to the server with its head, in one call.
const together = 65536

// request is one request on its way to the server.
type request struct {
	client *Client
	e      *lrwp.Exchange
	vars   variables

	target     string
	prefix     string // of the client's paths, in place of the server's base
	length     int64  // of the body, -1 = unknown
	body       []byte // of a request that goes as a whole; the begin of one that is streamed and was read to see its length
	streamed   bool   // the body goes as it comes
	expects    bool   // the server may refuse before the body goes
	repeatable bool
	answer     answer
	buffer     []byte // the room for a small body
}

// variables are those of the env block that make a request.
type variables struct {
	method, script, path, query, uri       string
	host, server, address, https           string
	length, contentType, upgrade, expected string
	fields                                 []field
}

// field is a header by its CGI name without HTTP_.
type field struct{ name, value string }

// read takes an env block apart, in one pass. Headers that are none of fields are written from what the proxy knows, or
// end here: no client can forge them.
func (v *variables) read(block string) {
	for len(block) > 0 {
		var entry string
		entry, block, _ = strings.Cut(block, "\x00")
		name, value, found := strings.Cut(entry, "=")
		if !found {
			continue
		}
		header, isHeader := strings.CutPrefix(name, "HTTP_")
		switch {
		case !isHeader:
			v.set(name, value)
		case header == "HOST":
			v.host = value
		case header == "UPGRADE":
			v.upgrade = value
		case header == "EXPECT":
			v.expected = value
		case !ends(header):
			v.fields = append(v.fields, field{header, value})
		}
	}
}

func (v *variables) set(name, value string) {
	switch name {
	case "REQUEST_METHOD":
		v.method = value
	case "SCRIPT_NAME":
		v.script = value
	case "PATH_INFO":
		v.path = value
	case "QUERY_STRING":
		v.query = value
	case "REQUEST_URI":
		v.uri = value
	case "SERVER_NAME":
		v.server = value
	case "REMOTE_ADDR":
		v.address = value
	case "HTTPS":
		v.https = value
	case "CONTENT_LENGTH":
		v.length = value
	case "CONTENT_TYPE":
		v.contentType = value
	}
}

// ends tells that a header goes no further.
func ends(name string) bool {
	switch name {
	case "CONNECTION", "KEEP_ALIVE", "TE", "TRAILER", "TRANSFER_ENCODING", "CONTENT_LENGTH", "CONTENT_TYPE", "PROXY",
		"PROXY_CONNECTION", "FORWARDED", "X_REAL_IP", "X_FORWARDED_FOR", "X_FORWARDED_PROTO", "X_FORWARDED_HOST",
		"X_FORWARDED_PORT", "X_FORWARDED_PREFIX":
		return true
	}
	return false
}

var requests = sync.Pool{New: func() any { return &request{buffer: make([]byte, smallBody)} }}

// A body that is not larger is read into memory that is used again.
const smallBody = 4096

func newRequest(c *Client, e *lrwp.Exchange) *request {
	q := requests.Get().(*request)
	*q = request{client: c, e: e, buffer: q.buffer, vars: variables{fields: q.vars.fields[:0]}, answer: answer{head: q.answer.head[:0]}}
	return q
}

// recycle gives the request back, unless its upload may still use it.
func (q *request) recycle() {
	if !q.streamed {
		clear(q.vars.fields[:cap(q.vars.fields)])
		requests.Put(q)
	}
}

func (q *request) prepare() (failure *gateway.Failure) {
	v := &q.vars
	v.read(q.e.Block())
	if !isToken(v.method) {
		return gateway.Failf(gateway.BadRequest, "the method is no token")
	}
	q.setTarget()
	if q.length, failure = gateway.Length(v.length); failure != nil {
		return failure
	}
	if err := q.takeBody(); err != nil {
		return gateway.Talking(q.e.Context(), err)
	}
	most, size := q.client.options.Limits.MaxBody, max(q.length, int64(len(q.body)))
	if most > 0 && size > most {
		return gateway.Failf(gateway.BodyTooLarge, strconv.FormatInt(size, 10)+" bytes, --max-body is "+strconv.FormatInt(most, 10))
	}
	q.expects = q.streamed && strings.EqualFold(v.expected, "100-continue")
	q.repeatable = !q.streamed && v.upgrade == "" && gateway.IsIdempotent(v.method)
	if !isClean(v.upgrade) {
		return gateway.Failf(gateway.BadRequest, "the header UPGRADE has a control character")
	}
	for _, f := range v.fields {
		if !isClean(f.value) {
			return gateway.Failf(gateway.BadRequest, "the header "+f.name+" has a control character")
		}
	}
	return nil
}

// takeBody reads a body that is there; a larger one, or one that still comes, is left for later.
func (q *request) takeBody() error {
	if q.vars.upgrade != "" || q.length == 0 {
		return nil
	}
	if q.length > together || !q.e.Whole() {
		q.streamed = true
		return nil
	}
	if q.length < 0 {
		body, err := io.ReadAll(io.LimitReader(q.e, together+1))
		q.body, q.length = body, int64(len(body))
		if len(body) > together {
			q.streamed, q.length = true, -1
		}
		return err
	}
	if q.length <= int64(len(q.buffer)) {
		q.body = q.buffer[:q.length]
	} else {
		q.body = make([]byte, q.length)
	}
	_, err := io.ReadFull(q.e, q.body)
	return err
}

// setTarget makes the path that the server gets. The client's spelling is kept when it has one reading only.
func (q *request) setTarget() {
	script, uri := q.vars.script, q.vars.uri
	path, query, hasQuery := strings.Cut(uri, "?")
	if !isPlain(path) || !isBelow(path, script) || !isVisible(uri) {
		path = escape(script + q.vars.path)
		script = escape(script)
		query = q.vars.query
		hasQuery = query != ""
		if !isVisible(query) {
			query = escape(query)
		}
	}
	q.prefix = ""
	if q.client.options.Strip {
		q.prefix = script
		path = path[len(script):]
	}
	if path = q.client.base + path; path == "" || path[0] != '/' {
		path = "/" + path
	}
	if q.target = path; hasQuery {
		q.target += "?" + query
	}
}

// isPlain tells that no reader would take dots or empty segments out of a path.
func isPlain(path string) bool {
	if path == "" || path[0] != '/' {
		return false
	}
	for i := 0; i < len(path); i++ {
		if path[i] != '/' || i+1 == len(path) {
			continue
		}
		switch next := path[i+1]; {
		case next == '/' || next == '.':
			return false
		case next == '%' && i+3 < len(path) && path[i+2] == '2' && (path[i+3] == 'e' || path[i+3] == 'E'):
			return false
		}
	}
	return true
}

// isBelow tells that a path begins with a prefix that ends at the end of a segment.
func isBelow(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/' || prefix == "")
}

func isVisible(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] <= ' ' || text[i] == 0x7f {
			return false
		}
	}
	return true
}

const hex = "0123456789ABCDEF"

// escape writes a path, or what stands behind it, so that it holds no byte that ends it.
func escape(path string) string {
	const plain = "/-._~!$&'()*+,;=:@"
	out := make([]byte, 0, len(path)+16)
	for i := 0; i < len(path); i++ {
		switch b := path[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', strings.IndexByte(plain, b) >= 0:
			out = append(out, b)
		default:
			out = append(out, '%', hex[b>>4], hex[b&15])
		}
	}
	return string(out)
}

// appendHead writes the request's head.
func (q *request) appendHead(out []byte) []byte {
	out = append(append(append(append(out, q.vars.method...), ' '), q.target...), " HTTP/1.1\r\nHost: "...)
	out = append(append(out, q.host()...), '\r', '\n')
	for _, f := range q.vars.fields {
		out = appendField(out, f.name, f.value)
	}
	if q.vars.upgrade != "" {
		out = append(append(append(out, "Connection: Upgrade\r\nUpgrade: "...), q.vars.upgrade...), '\r', '\n')
	}
	out = q.appendForwarded(out)
	if kind := q.vars.contentType; kind != "" && isClean(kind) {
		out = append(append(append(out, "Content-Type: "...), kind...), '\r', '\n')
	}
	switch {
	case q.length < 0:
		out = append(out, "Transfer-Encoding: chunked\r\n"...)
	case q.length > 0 || (q.vars.method != "GET" && q.vars.method != "HEAD" && q.vars.method != "OPTIONS" && q.vars.method != "TRACE" && q.vars.method != "DELETE"):
		out = strconv.AppendInt(append(out, "Content-Length: "...), q.length, 10)
		out = append(out, '\r', '\n')
	}
	if q.expects {
		out = append(out, "Expect: 100-continue\r\n"...)
	}
	return append(out, '\r', '\n')
}

// host of the request as the client named it, or as the options say.
func (q *request) host() string {
	if host := q.client.options.Host; host != "" {
		return host
	}
	return q.clientHost()
}

func (q *request) clientHost() string {
	if host := q.vars.host; host != "" && isVisible(host) {
		return host
	}
	if name := q.vars.server; name != "" && isVisible(name) {
		return name
	}
	return q.client.authority
}

// appendField writes a header by its CGI name, USER_AGENT as User-Agent.
func appendField(out []byte, name, value string) []byte {
	first := true
	for i := 0; i < len(name); i++ {
		b := name[i]
		switch {
		case b == '_':
			b = '-'
		case !first && 'A' <= b && b <= 'Z':
			b += 'a' - 'A'
		}
		first = b == '-'
		out = append(out, b)
	}
	return append(append(append(out, ':', ' '), value...), '\r', '\n')
}

// appendForwarded says where the request comes from. Nothing that the client has sent under these names is passed on.
func (q *request) appendForwarded(out []byte) []byte {
	address, proto, host := q.vars.address, "http", q.clientHost()
	if q.vars.https == "on" {
		proto = "https"
	}
	if net.ParseIP(address) == nil {
		address = "unknown"
	}
	for _, field := range [...][2]string{
		{"X-Forwarded-For: ", address}, {"X-Real-IP: ", address}, {"X-Forwarded-Proto: ", proto}, {"X-Forwarded-Host: ", host},
	} {
		out = append(append(append(out, field[0]...), field[1]...), '\r', '\n')
	}
	if q.prefix != "" {
		out = append(append(append(out, "X-Forwarded-Prefix: "...), q.prefix...), '\r', '\n')
	}
	out = append(out, "Forwarded: for="...)
	if strings.IndexByte(address, ':') >= 0 {
		out = append(append(append(out, `"[`...), address...), `]"`...)
	} else {
		out = append(out, address...)
	}
	out = append(append(append(out, ";proto="...), proto...), `;host="`...)
	for i := 0; i < len(host); i++ {
		if host[i] != '"' && host[i] != '\\' {
			out = append(out, host[i])
		}
	}
	return append(out, '"', '\r', '\n')
}

// A table of bytes is faster than comparisons, and every byte of every header is looked at.
var tokens, texts = func() (token, text [256]bool) {
	for b := 0; b < 256; b++ {
		token[b] = 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", byte(b)) >= 0
		text[b] = b >= ' ' && b != 0x7f || b == '\t'
	}
	return token, text
}()

func isToken[T string | []byte](name T) bool {
	for i := 0; i < len(name); i++ {
		if !tokens[name[i]] {
			return false
		}
	}
	return len(name) > 0
}

func isClean[T string | []byte](value T) bool {
	for i := 0; i < len(value); i++ {
		if !texts[value[i]] {
			return false
		}
	}
	return true
}
