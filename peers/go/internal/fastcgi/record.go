package fastcgi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"lrwp.org/go/lrwp/internal/gateway"
	"lrwp.org/go/lrwp/internal/pool"
)

// The records of FastCGI 1.0 that a client sends and gets.
const (
	beginRequest    = 1
	endRequest      = 3
	params          = 4
	stdin           = 5
	stdout          = 6
	stderr          = 7
	getValues       = 9
	getValuesResult = 10

	responder  = 1
	keepOpen   = 1
	requestID  = 1 // there is one request at a time on a connection
	headSize   = 8
	mostRecord = 65535

	complete   = 0
	overloaded = 2
)

func appendRecord(out []byte, kind byte, id uint16, content []byte) []byte {
	out = append(out, 1, kind, byte(id>>8), byte(id), byte(len(content)>>8), byte(len(content)), 0, 0)
	return append(out, content...)
}

// appendStream cuts content into records. Nothing is its end.
func appendStream(out []byte, kind byte, content []byte) []byte {
	for len(content) > mostRecord {
		out = appendRecord(out, kind, requestID, content[:mostRecord])
		content = content[mostRecord:]
	}
	return appendRecord(out, kind, requestID, content)
}

func appendPair(out []byte, name, value string) []byte {
	out = appendLength(appendLength(out, len(name)), len(value))
	return append(append(out, name...), value...)
}

func appendLength(out []byte, length int) []byte {
	if length < 128 {
		return append(out, byte(length))
	}
	return binary.BigEndian.AppendUint32(out, uint32(length)|1<<31)
}

// pair takes one off the front of content.
func pair(content []byte) (name, value string, rest []byte, err error) {
	var lengths [2]int
	for i := range lengths {
		switch {
		case len(content) > 0 && content[0] < 128:
			lengths[i], content = int(content[0]), content[1:]
		case len(content) > 3:
			lengths[i], content = int(binary.BigEndian.Uint32(content)&^(1<<31)), content[4:]
		default:
			return "", "", nil, errBroken
		}
	}
	if lengths[0]+lengths[1] > len(content) {
		return "", "", nil, errBroken
	}
	rest = content[lengths[0]+lengths[1]:]
	return string(content[:lengths[0]]), string(content[lengths[0] : lengths[0]+lengths[1]]), rest, nil
}

var errBroken = gateway.Failf(gateway.BadBody, "a broken FastCGI record")

// output is what a request writes, out of the records that come. Its end is the end of the request.
type output struct {
	in      *pool.Reader
	lines   *gateway.Lines
	before  func() // each read that may wait
	left    int    // of the record's content
	padding int
	kind    byte
	ended   bool
	room    [2 * headSize]byte // for exactly
}

// Read gives what is on standard output, and puts what is on standard error into the log.
func (o *output) Read(into []byte) (int, error) {
	for {
		if o.ended {
			return 0, io.EOF
		}
		if o.left > 0 && o.kind == stdout {
			piece, err := o.some(min(o.left, len(into)))
			return copy(into, piece), err
		}
		if err := o.step(); err != nil {
			return 0, err
		}
	}
}

// step takes a piece that is no output: content of other records, padding, a head.
func (o *output) step() error {
	switch {
	case o.left > 0:
		piece, err := o.some(o.left)
		if err == nil && o.kind == stderr {
			o.lines.Write(piece)
		}
		return err
	case o.padding > 0:
		o.left, o.padding, o.kind = o.padding, 0, 0
		return nil
	}
	head, err := o.exactly(headSize)
	if err != nil {
		return err
	}
	if head[0] != 1 {
		return errBroken
	}
	o.kind, o.left, o.padding = head[1], int(binary.BigEndian.Uint16(head[4:])), int(head[6])
	if o.kind == endRequest {
		return o.end()
	}
	return nil
}

func (o *output) end() error {
	if o.left != headSize {
		return errBroken
	}
	content, err := o.exactly(headSize + o.padding)
	if err != nil {
		return err
	}
	o.lines.Flush()
	o.ended, o.left, o.padding = true, 0, 0
	switch content[4] {
	case complete:
		return nil
	case overloaded:
		return gateway.Failf(gateway.Overloaded, "the FastCGI server is overloaded")
	}
	return gateway.Failf(gateway.BadBody, "the FastCGI server refused the request: protocol status "+strconv.Itoa(int(content[4])))
}

func (o *output) some(most int) ([]byte, error) {
	if o.in.Buffered() == 0 {
		o.before()
	}
	piece, err := o.in.Some(int64(most))
	o.left -= len(piece)
	return piece, o.unexpected(err)
}

// exactly gives so many bytes, good until the next call.
func (o *output) exactly(size int) ([]byte, error) {
	whole := o.room[:0]
	for len(whole) < size {
		if o.in.Buffered() == 0 {
			o.before()
		}
		piece, err := o.in.Some(int64(size - len(whole)))
		if err != nil {
			return nil, o.unexpected(err)
		}
		whole = append(whole, piece...)
	}
	return whole, nil
}

var errClosed = errors.New("the FastCGI server closed the connection before the end of the request")

func (o *output) unexpected(err error) error {
	if err == io.EOF {
		return errClosed
	}
	return err
}

// askConnections asks a server how many connections it serves at once; 0 when it does not say.
func askConnections(in *pool.Reader, write func([]byte) error) (int, error) {
	const name = "FCGI_MAX_CONNS"
	if err := write(appendRecord(nil, getValues, 0, appendPair(nil, name, ""))); err != nil {
		return 0, err
	}
	o := &output{in: in, before: func() {}}
	head, err := o.exactly(headSize)
	if err != nil || head[1] != getValuesResult {
		return 0, err
	}
	content, err := o.exactly(int(binary.BigEndian.Uint16(head[4:])))
	for err == nil && len(content) > 0 {
		var found, value string
		if found, value, content, err = pair(content); err == nil && found == name {
			number, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil || number < 1 {
				return 0, fmt.Errorf("%s is %q", name, value)
			}
			return number, nil
		}
	}
	return 0, err
}
