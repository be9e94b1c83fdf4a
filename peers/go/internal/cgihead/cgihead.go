// Package cgihead reads the head of what a CGI program or a FastCGI server answers (RFC 3875 section 6).
package cgihead

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/pool"
)

// Head is a head that has been checked.
type Head struct {
	Status   int
	Location string
	Local    bool   // a redirect that the client does not see: section 6.2.2
	Bytes    []byte // as it goes to the proxy
}

// Read takes a head from a source.
func Read(source *pool.Reader, limit int) (*Head, error) {
	raw, err := source.Head(limit)
	switch {
	case err == pool.ErrTooLong:
		return nil, gateway.Failf(gateway.HeadTooLarge, fmt.Sprintf("the head of the answer is above --max-head, %d bytes", limit))
	case err == io.ErrUnexpectedEOF:
		return nil, gateway.Failf(gateway.BadHead, "the answer ended inside its head")
	case err != nil:
		return nil, err
	}
	head, err := parse(raw)
	if err != nil {
		return nil, gateway.Fail(gateway.BadHead, err)
	}
	return head, nil
}

func parse(raw []byte) (*Head, error) {
	h := &Head{Bytes: make([]byte, 0, len(raw)+64)}
	status, fields, documents := "", 0, 0
	for len(raw) > 0 {
		var line []byte
		line, raw, _ = bytes.Cut(raw, []byte{'\n'})
		if line = bytes.TrimSuffix(line, []byte{'\r'}); len(line) == 0 {
			break
		}
		name, value, found := strings.Cut(string(line), ":")
		value = strings.Trim(value, " \t")
		if strings.HasPrefix(name, "HTTP/") {
			return nil, errors.New("the program answers with a status line (nph), which is not supported")
		}
		if !found || !isToken(name) || !isText(value) {
			return nil, fmt.Errorf("the line %.80q is no header", line)
		}
		fields++
		switch strings.ToLower(name) {
		case "status":
			status = value
			continue
		case "location":
			h.Location = value
			documents++
		case "content-type":
			documents++
		}
		h.Bytes = append(append(append(append(h.Bytes, name...), ": "...), value...), "\r\n"...)
	}
	if documents == 0 && status == "" {
		return nil, errors.New("none of Content-Type, Location and Status is in the head of the answer")
	}
	h.Local = status == "" && fields == 1 && strings.HasPrefix(h.Location, "/") && !strings.HasPrefix(h.Location, "//")
	return h, h.finish(status)
}

// finish puts the status before the other fields.
func (h *Head) finish(status string) error {
	switch {
	case status == "" && h.Location != "":
		status = "302 Found"
	case status == "":
		status = "200 OK"
	}
	digits, reason, _ := strings.Cut(status, " ")
	number, err := strconv.Atoi(digits)
	if err != nil || len(digits) != 3 || number < 200 {
		return fmt.Errorf("%.40q is no status", status)
	}
	if reason == "" {
		reason = http.StatusText(number)
	}
	h.Status = number
	h.Bytes = append(fmt.Appendf(nil, "Status: %d %s\r\n", number, reason), append(h.Bytes, "\r\n"...)...)
	return nil
}

func isToken(name string) bool {
	for _, c := range []byte(name) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}

func isText(value string) bool {
	for _, c := range []byte(value) {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
