package origin

import (
	"bytes"
	"strings"
)

// The server's paths begin with its base, the client's with the context where it is stripped. Where the two differ, what
// the server says about paths is turned into what the client has to ask for.

func (q *request) isSame() bool { return q.prefix == q.client.base }

// rewritten turns a URL of the server into the client's. A URL of somewhere else, or a relative one, stays.
func (q *request) rewritten(value []byte) []byte {
	if q.isSame() && !bytes.Contains(value, []byte("//")) {
		return value
	}
	text := string(value)
	if strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") {
		return []byte(q.path(text))
	}
	scheme, rest, found := strings.Cut(text, "//")
	if !found || (scheme != "" && !strings.EqualFold(scheme, "http:") && !strings.EqualFold(scheme, "https:")) {
		return value
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	path := rest[end:]
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	switch authority := strings.ToLower(rest[:end]); authority {
	case strings.ToLower(q.clientHost()):
		return []byte(scheme + "//" + rest[:end] + q.path(path))
	case q.client.authority, strings.ToLower(q.client.options.Host): // a name that the client cannot know
		return []byte(q.path(path))
	}
	return value
}

// path turns a path of the server into the client's. A server that follows X-Forwarded-Prefix has done so itself.
func (q *request) path(path string) string {
	base := q.client.base
	isServers := isBelowPath(path, base)
	if q.prefix != "" && isBelowPath(path, q.prefix) && !(isServers && len(base) > len(q.prefix)) {
		return path
	}
	if isServers {
		path = path[len(base):]
	}
	if q.prefix == "" && (path == "" || path[0] != '/') {
		return "/" + path
	}
	return q.prefix + path
}

func isBelowPath(path, base string) bool {
	rest, ok := strings.CutPrefix(path, base)
	return ok && (rest == "" || strings.IndexByte("/?#", rest[0]) >= 0)
}

// rewrittenCookie turns the Path of a cookie. A __Host- cookie has to have the path /.
func (q *request) rewrittenCookie(value []byte) []byte {
	if q.isSame() || bytes.HasPrefix(value, []byte("__Host-")) {
		return value
	}
	parts := strings.Split(string(value), ";")
	for i, part := range parts[1:] {
		name, path, found := strings.Cut(part, "=")
		if path = strings.TrimSpace(path); found && strings.EqualFold(strings.TrimSpace(name), "path") && strings.HasPrefix(path, "/") {
			turned := q.path(path)
			if path == "/" || path == q.client.base+"/" { // so that the context itself belongs to it
				turned = "/" + strings.Trim(turned, "/")
			}
			parts[i+1] = name + "=" + turned
		}
	}
	return []byte(strings.Join(parts, ";"))
}

// rewrittenRefresh turns the URL of `5; url=/x`.
func (q *request) rewrittenRefresh(value []byte) []byte {
	seconds, rest, found := strings.Cut(string(value), ";")
	name, target, hasURL := strings.Cut(rest, "=")
	if !found || !hasURL || !strings.EqualFold(strings.TrimSpace(name), "url") {
		return value
	}
	target = strings.TrimSpace(target)
	quote := ""
	if len(target) > 1 && (target[0] == '"' || target[0] == '\'') && target[len(target)-1] == target[0] {
		quote, target = target[:1], target[1:len(target)-1]
	}
	return []byte(seconds + ";" + name + "=" + quote + string(q.rewritten([]byte(target))) + quote)
}
