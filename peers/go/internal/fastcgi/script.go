package fastcgi

import (
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"lrwp.org/go/lrwp"
	"lrwp.org/go/lrwp/internal/gateway"
)

// target is what a path below the root means.
type target struct {
	place  gateway.Place
	script string // below the root; "" = the request goes as it is
	rest   string // PATH_INFO
	file   string // to be served as it is
	folder bool   // asked for without the / at its end
}

// find says what a request is for.
func (c *Client) find(place gateway.Place) (target, *gateway.Failure) {
	t := target{place: place}
	if c.options.Root == "" {
		t.rest = place.Path
		return t, nil
	}
	if place.Path == "" {
		t.folder = c.isFolder("/")
		place.Path = "/"
		if t.folder {
			return t, nil
		}
	}
	if !gateway.IsSafe(place.Path) && !(c.options.Front != "" && isBelow(place.Path)) {
		return t, gateway.Failf(gateway.NotFound, "the path names nothing below --root")
	}
	if script, rest := c.split(place.Path); script != "" && c.isFile(script) && gateway.IsSafe(script) {
		t.script, t.rest = script, rest
		return t, nil
	}
	return c.findOther(t, place.Path)
}

// isBelow tells that nothing in a path leads up.
func isBelow(text string) bool {
	return strings.HasPrefix(text, "/") && !strings.Contains(text+"/", "/../") && !strings.Contains(text, "\x00")
}

// split takes a path apart behind the first segment that ends as scripts do.
func (c *Client) split(text string) (script, rest string) {
	for from := 0; ; {
		at := strings.Index(text[from:], c.options.Split)
		if at < 0 {
			return "", ""
		}
		if from += at + len(c.options.Split); from == len(text) || text[from] == '/' {
			return text[:from], text[from:]
		}
	}
}

// findOther is for a path that is no script.
func (c *Client) findOther(t target, text string) (target, *gateway.Failure) {
	safe := gateway.IsSafe(text)
	if safe && (strings.HasSuffix(text, "/") || c.isFolder(text)) {
		if index := path.Join(text, c.options.Index); c.isFile(index) {
			t.script, t.folder = index, !strings.HasSuffix(text, "/")
			return t, nil
		}
	}
	if safe && c.options.Static && c.isFile(text) && !strings.Contains(text, c.options.Split) {
		t.file = c.file(text)
		return t, nil
	}
	if c.options.Front != "" {
		t.script = "/" + strings.TrimPrefix(c.options.Front, "/")
		return t, nil
	}
	return t, gateway.Failf(gateway.NotFound, fmt.Sprintf("%q is no script below --root", text))
}

func (c *Client) file(text string) string {
	return filepath.Join(c.options.Root, filepath.FromSlash(text))
}

func (c *Client) isFile(text string) bool {
	if c.options.Unchecked {
		return true
	}
	info, err := os.Stat(c.file(text))
	return err == nil && info.Mode().IsRegular()
}

func (c *Client) isFolder(text string) bool {
	if c.options.Unchecked {
		return false
	}
	info, err := os.Stat(c.file(text))
	return err == nil && info.IsDir()
}

// appendParameters appends the request's variables, and where the script is.
func (c *Client) appendParameters(out []byte, t target, block string) []byte {
	made := make([][2]string, 0, 16)
	base, rest := t.place.Base, t.rest
	if root := c.options.Root; root != "" {
		made = append(made, [2]string{"DOCUMENT_ROOT", root}, [2]string{"SCRIPT_FILENAME", root + t.script},
			[2]string{"SCRIPT_NAME", base + t.script}, [2]string{"PATH_INFO", rest},
			[2]string{"DOCUMENT_URI", base + t.script + rest}, [2]string{"REDIRECT_STATUS", "200"})
		if rest != "" {
			made = append(made, [2]string{"PATH_TRANSLATED", root + rest})
		}
	}
	for _, one := range c.options.Environment {
		name, value, _ := strings.Cut(one, "=")
		made = append(slices.DeleteFunc(made, func(other [2]string) bool { return other[0] == name }), [2]string{name, value})
	}
	for _, one := range made {
		out = appendPair(out, one[0], one[1])
	}
	gateway.Variables(block, func(name, value string) {
		if gateway.IsForPrograms(name, value) && !slices.ContainsFunc(made, func(one [2]string) bool { return one[0] == name }) {
			out = appendPair(out, name, value)
		}
	})
	return out
}

// redirectToFolder lets relative links on the page of a folder work.
func redirectToFolder(e *lrwp.Exchange) *gateway.Failure {
	uri, query, hasQuery := strings.Cut(e.Env()["REQUEST_URI"], "?")
	// //host/ would lead elsewhere.
	if uri = "/" + strings.TrimLeft(uri, "/") + "/"; hasQuery {
		uri += "?" + query
	}
	head := fmt.Sprintf("Status: 301 Moved Permanently\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", uri)
	if err := e.SendHead(http.StatusMovedPermanently, []byte(head)); err != nil {
		return gateway.Talking(e.Context(), err)
	}
	return nil
}
