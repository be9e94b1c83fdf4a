package lrwp

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
)

const (
	version10 = "1.0"
	version30 = "3.0"
	version31 = "3.1"

	delimiter = 0xff

	accepted      = "OK\xff"
	rejected      = "REJECTED\xff"
	challenged    = "CHALLENGE\xff000000032" // of a secret: 32 bytes follow
	keyChallenged = "CHALLENGE\xff000000064" // of a key: 32 bytes and the proxy's proof
	proofSize     = sha256.Size
	longestText   = 1100 // bytes of a refusal that are read
)

// older: the server does not speak LRWP 3.
type older string

func (o older) Error() string { return string(o) }

// refusal is why the proxy does not take this peer.
type refusal string

func (r refusal) Error() string { return "refused: " + string(r) }

// remedies: of the refusals that a configuration mends; peers/README.md.
var remedies = map[refusal]string{
	"ERROR: Application not permitted":       "the context is another identity's, or outside the scope of this one",
	"ERROR: Connection requires an identity": "set an identity and its key",
	"ERROR: Unauthorized access":             "the identity may not come from this address",
	"Incorrect LRWP challenge response":      "the proxy has another secret or key",
}

// line is what the log says of it.
func (r refusal) line(context, proxy string) string {
	line := fmt.Sprintf("refused context=%s proxy=%s why=%q", context, proxy, string(r))
	if remedy := remedies[r]; remedy != "" {
		line += fmt.Sprintf(" remedy=%q", remedy)
	}
	return line
}

// handshake registers one context of a fresh connection: protocol 2, 12 and 17.
type handshake struct {
	peer        *peer
	context     string
	version     string
	certificate []byte // the hash of the proxy's, inside TLS
	in          *bufio.Reader
	out         io.Writer
}

// run sends the startup string and comes back when the proxy has accepted. REJECTED is never a reason for an older
// version; other texts are.
func (h handshake) run() error {
	names := h.peer.names(h.context)
	startup := names
	switch h.version {
	case version30:
		startup = append([]byte("\xff3.0\xff"), names...)
	case version31:
		startup = append([]byte("\xff3.1\xff"), names...)
		startup = fmt.Appendf(startup, "%s\xff%s\xff%s\xff", h.peer.Identity, h.peer.KeyID, random(32))
	}
	if _, err := h.out.Write(startup); err != nil {
		return err
	}
	switch h.version {
	case version10:
		return h.acceptedOld()
	case version31:
		return h.proveKey(startup)
	}
	reply, err := h.reply(true)
	if err == nil && strings.HasPrefix(reply, challenged) {
		if len(h.peer.Secret) == 0 {
			return errors.New("a secret is asked for, and there is none")
		}
		proof := mac(h.peer.Secret, []byte(reply[len(challenged):]), names[:len(names)-1])
		if _, err = h.out.Write(append([]byte("000000032"), proof...)); err == nil {
			reply, err = h.reply(false)
		}
	}
	if err == nil && reply != accepted {
		err = errors.New("an answer that was not asked for")
	}
	return err
}

// proveKey: the proxy shows first that it has the key. One that does not gets no proof, and no other handshake: whoever
// stands in between could else make the peer do without its key.
func (h handshake) proveKey(startup []byte) error {
	reply, err := h.reply(false)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(reply, keyChallenged) {
		return errors.New("the proxy does not ask for the key, as LRWP 3.1 does")
	}
	nonce, proof := []byte(reply[len(keyChallenged):][:32]), []byte(reply[len(keyChallenged)+32:])
	seen := append(append(append([]byte{}, startup...), nonce...), h.certificate...)
	if !hmac.Equal(proof, mac(h.peer.Key, []byte("lrwp3 proxy\x00"), seen)) {
		return errors.New("the proxy does not have the key of this identity")
	}
	own := mac(h.peer.Key, []byte("lrwp3 peer\x00"), seen)
	if _, err := h.out.Write(append([]byte("000000032"), own...)); err != nil {
		return err
	}
	if reply, err = h.reply(false); err == nil && reply != accepted {
		err = errors.New("a second challenge")
	}
	return err
}

func mac(key []byte, texts ...[]byte) []byte {
	sum := hmac.New(sha256.New, key)
	for _, text := range texts {
		sum.Write(text)
	}
	return sum.Sum(nil)
}

// reply reads accepted or a challenge. Only the first reply to a startup string of 3.0 shows an older server.
func (h handshake) reply(first bool) (string, error) {
	text := ""
	for {
		c, err := h.in.ReadByte()
		if err != nil {
			return "", unanswered(err, text, first)
		}
		text += string([]byte{c})
		switch {
		case text == accepted,
			strings.HasPrefix(text, challenged) && len(text) == len(challenged)+32,
			strings.HasPrefix(text, keyChallenged) && len(text) == len(keyChallenged)+32+proofSize:
			return text, nil
		case strings.HasPrefix(text, rejected):
			if c == delimiter && len(text) > len(rejected) || len(text) > longestText {
				return "", refusal(strings.Trim(text[len(rejected):], "\xff"))
			}
		case strings.HasPrefix(text, challenged), strings.HasPrefix(text, keyChallenged),
			strings.HasPrefix(accepted, text), strings.HasPrefix(challenged, text),
			strings.HasPrefix(keyChallenged, text), strings.HasPrefix(rejected, text):
		default:
			return "", h.strange(text, first)
		}
	}
}

// unanswered: an older server may say nothing, or OK and nothing more.
func unanswered(err error, text string, first bool) error {
	var late net.Error
	isLate := errors.As(err, &late) && late.Timeout()
	switch {
	case first && (text == "OK" || isLate && text == ""):
		return older(fmt.Sprintf("no reply that is known: %q", text))
	case isLate:
		return fmt.Errorf("no reply within %s, is this an LRWP port? It said %q", handshakeTime, text)
	case wantsCertificate(err):
		return errors.New("the proxy wants a client certificate")
	default:
		return fmt.Errorf("no reply: %w, behind %q", err, text)
	}
}

// wantsCertificate: in TLS 1.3 the proxy says so behind the handshake. The alert has no type outside crypto/tls.
func wantsCertificate(err error) bool {
	var alert *net.OpError
	return errors.As(err, &alert) && alert.Op == "remote error" && alert.Err.Error() == "tls: certificate required"
}

// strange: what answered is no LRWP 3 proxy.
func (h handshake) strange(text string, first bool) error {
	for len(text) < 100 { // for the log, as much as comes before the end or the time is over
		c, err := h.in.ReadByte()
		if err != nil || c == '\r' || c == '\n' {
			break
		}
		text += string([]byte{c})
	}
	switch {
	case strings.HasPrefix(text, "HTTP/"):
		return fmt.Errorf("this is an HTTP port, not one for LRWP: it said %q", text)
	case strings.HasPrefix(text, "\x15\x03"):
		return errors.New("this port speaks TLS, and there is no TLS in the options")
	case first:
		return older(text)
	default:
		return refusal(text)
	}
}

// acceptedOld reads the OK of 1.0. Any other text is a refusal.
func (h handshake) acceptedOld() error {
	text := make([]byte, 2)
	if n, err := io.ReadFull(h.in, text); err != nil {
		return unanswered(err, string(text[:n]), false)
	}
	if string(text) == "OK" {
		return nil
	}
	return h.strange(string(text), false)
}
