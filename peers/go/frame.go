package lrwp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// Types of frames.
const (
	settings = iota + 1
	register
	unregister
	registered
	request
	response
	data
	started
	refused
	cancel
	window
	capacity
	drain
	ping
	pong
	fault
)

const (
	headSize   = 12
	maxFrame   = 65536 // ours, and the least that the proxy's may be
	turnSize   = 16384 // DATA is cut here, and streams take turns (rule 2)
	reasonSize = 1000  // bytes of a text
	unlimited  = 4294967295
)

// frame is one that has come. Its payload is gone with the next one.
type frame struct {
	kind    byte
	end     bool
	stream  uint32
	payload []byte
}

var errLongFrame = errors.New("a frame longer than max-frame")

// frameReader takes frames out of what has come. Its buffer has room for the longest.
type frameReader struct {
	in   *bufio.Reader
	used int // of the buffer, by the frame before
}

// next waits for a frame.
func (r *frameReader) next() (frame, error) {
	r.in.Discard(r.used)
	r.used = 0
	head, err := r.in.Peek(headSize)
	if err != nil {
		if err == io.EOF && len(head) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return frame{}, err
	}
	f := frame{kind: head[4], end: head[5]&1 == 1, stream: binary.BigEndian.Uint32(head[8:])}
	length := binary.BigEndian.Uint32(head)
	if length > maxFrame {
		return f, errLongFrame
	}
	whole, err := r.in.Peek(headSize + int(length))
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return f, err
	}
	f.payload = whole[headSize:]
	r.used = len(whole)
	return f, nil
}

// hasNext says whether a whole frame has come already.
func (r *frameReader) hasNext() bool {
	left := r.in.Buffered() - r.used
	if left < headSize {
		return false
	}
	head, err := r.in.Peek(r.used + headSize)
	return err == nil && int64(left-headSize) >= int64(binary.BigEndian.Uint32(head[r.used:]))
}

// appendFrame makes a frame of parts.
func appendFrame(out []byte, kind byte, end bool, stream uint32, parts ...[]byte) []byte {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	flags := byte(0)
	if end {
		flags = 1
	}
	out = binary.BigEndian.AppendUint32(out, uint32(length))
	out = append(out, kind, flags, 0, 0)
	out = binary.BigEndian.AppendUint32(out, stream)
	for _, part := range parts {
		out = append(out, part...)
	}
	return out
}

// reason is a text as it goes over the wire.
func reason(text string) []byte {
	bytes := latin(text)
	return bytes[:min(len(bytes), reasonSize)]
}
