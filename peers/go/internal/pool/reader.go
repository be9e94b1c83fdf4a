package pool

import (
	"bytes"
	"errors"
	"io"
)

const firstSize = 16384

// ErrTooLong is a head or a line above its limit.
var ErrTooLong = errors.New("too long")

// Reader reads from a connection. What it returns is its own memory, good until the next call.
type Reader struct {
	source io.Reader
	buffer []byte
	begin  int
	end    int
}

// NewReader reads from a source.
func NewReader(source io.Reader) *Reader { return &Reader{source: source} }

// Reset lets it read from another source. What it has not given is dropped.
func (r *Reader) Reset(source io.Reader) { r.source, r.begin, r.end = source, 0, 0 }

// Buffered tells how many bytes have been read and not taken.
func (r *Reader) Buffered() int { return r.end - r.begin }

// Await waits for a byte, unless one is there.
func (r *Reader) Await() error {
	if r.begin < r.end {
		return nil
	}
	return r.fill()
}

// fill reads once. There is room for at least one more byte after it.
func (r *Reader) fill() error {
	if r.begin == r.end {
		r.begin, r.end = 0, 0
	}
	if r.end == len(r.buffer) {
		if r.begin > 0 {
			r.end = copy(r.buffer, r.buffer[r.begin:r.end])
			r.begin = 0
		} else {
			larger := make([]byte, max(firstSize, 2*len(r.buffer)))
			copy(larger, r.buffer[:r.end])
			r.buffer = larger
		}
	}
	n, err := r.source.Read(r.buffer[r.end:])
	r.end += n
	if n > 0 {
		return nil
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

// Head takes lines up to and with an empty one. The end of the source inside a head is io.ErrUnexpectedEOF, before it
// io.EOF.
func (r *Reader) Head(limit int) ([]byte, error) {
	for from := 0; ; {
		window := r.buffer[r.begin:r.end]
		if size := headSize(window, from); size >= 0 {
			if size > limit {
				return nil, ErrTooLong
			}
			r.begin += size
			return window[:size], nil
		}
		if len(window) > limit {
			return nil, ErrTooLong
		}
		from = max(0, len(window)-3)
		if err := r.fill(); err != nil {
			return nil, unexpected(err, len(window))
		}
	}
}

// headSize looks for the end of a head: -1 when it is not there.
func headSize(window []byte, from int) int {
	for {
		at := bytes.IndexByte(window[from:], '\n')
		if at < 0 {
			return -1
		}
		from += at + 1
		switch {
		case from < len(window) && window[from] == '\n':
			return from + 1
		case from+1 < len(window) && window[from] == '\r' && window[from+1] == '\n':
			return from + 2
		}
	}
}

func unexpected(err error, had int) error {
	if err == io.EOF && had > 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Line takes a line; its end is not in it.
func (r *Reader) Line(limit int) ([]byte, error) {
	for {
		window := r.buffer[r.begin:r.end]
		if at := bytes.IndexByte(window, '\n'); at >= 0 && at <= limit {
			r.begin += at + 1
			return bytes.TrimSuffix(window[:at], []byte{'\r'}), nil
		}
		if len(window) > limit {
			return nil, ErrTooLong
		}
		if err := r.fill(); err != nil {
			return nil, unexpected(err, 1)
		}
	}
}

// Some takes what is there, at most limit bytes, and waits when nothing is.
func (r *Reader) Some(limit int64) ([]byte, error) {
	if err := r.Await(); err != nil {
		return nil, err
	}
	size := r.end - r.begin
	if int64(size) > limit {
		size = int(limit)
	}
	piece := r.buffer[r.begin : r.begin+size]
	r.begin += size
	return piece, nil
}

// Read is io.Reader.
func (r *Reader) Read(into []byte) (int, error) {
	piece, err := r.Some(int64(len(into)))
	return copy(into, piece), err
}
