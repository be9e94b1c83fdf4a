// Package gateway has what all back ends of lrwp-connect share: what a back end is, and how it says that it has failed.
package gateway

import (
	"context"
	"errors"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"lrwp.org/go/lrwp"
)

// Backend answers requests. A failure is told to the client by whoever called, as far as that is still possible.
type Backend interface {
	Serve(e *lrwp.Exchange) *Failure
	// Close drops what is kept for the next requests. Requests that run are not concerned.
	Close()
}

// Prober is a back end that can ask its program how it is.
type Prober interface {
	// Probe gives the status of the answer to a GET.
	Probe(ctx context.Context, path string) (int, error)
}

// ErrBusy: the program could not be asked because it is at work. That says nothing bad about it.
var ErrBusy = errors.New("busy")

// Limits are those of all back ends.
type Limits struct {
	Connect time.Duration // until a connection to the program is there
	Answer  time.Duration // until the answer begins, and between two pieces of it
	Idle    time.Duration // how long a connection without a request is kept
	MaxBody int64         // bytes of a request's body; 0 = what the proxy lets through
	MaxHead int           // bytes of an answer's head
	Kept    int           // connections that are kept
}

// Failure is why a request has no whole answer.
type Failure struct {
	Status int    // what the client gets while it has got nothing yet
	Reason string // a word for the log
	Text   string // a sentence for the client, without anything that is not its business
	Why    error  // for the log
}

func (f *Failure) Error() string { return f.Reason + ": " + f.Why.Error() }

// The reasons. docs/connect.md has them in a table.
const (
	Refused       = "refused"
	TimedOut      = "timed-out"
	Lost          = "lost"
	BadHead       = "bad-head"
	HeadTooLarge  = "head-too-large"
	BadBody       = "bad-body"
	BodyTooLarge  = "body-too-large"
	BadRequest    = "bad-request"
	NotFound      = "not-found"
	NotExecutable = "not-executable"
	NotStarted    = "not-started"
	TooManyHops   = "too-many-redirects"
	Overloaded    = "overloaded"
	Cancelled     = "cancelled"
)

var answers = map[string]struct {
	status int
	text   string
}{
	Refused:       {502, "The program behind this address does not take connections."},
	TimedOut:      {504, "The program behind this address did not answer in time."},
	Lost:          {502, "The program behind this address ended before it had answered."},
	BadHead:       {502, "The program behind this address gave an answer that is not HTTP."},
	HeadTooLarge:  {502, "The head of the program's answer is too large."},
	BadBody:       {502, "The program behind this address gave a broken answer."},
	BodyTooLarge:  {413, "The body of the request is too large."},
	BadRequest:    {400, "The request cannot be passed on."},
	NotFound:      {404, "There is nothing at this address."},
	NotExecutable: {403, "The program at this address may not be run."},
	NotStarted:    {502, "The program behind this address could not be started."},
	TooManyHops:   {502, "The program behind this address redirects in circles."},
	Overloaded:    {503, "The program behind this address is busy."},
	Cancelled:     {502, "Nobody waits for the answer."},
}

// Fail makes the failure of a reason.
func Fail(reason string, why error) *Failure {
	answer := answers[reason]
	return &Failure{answer.status, reason, answer.text, why}
}

// Failf is Fail with a text.
func Failf(reason, why string) *Failure { return Fail(reason, errors.New(why)) }

// Dialling tells why there is no connection.
func Dialling(ctx context.Context, err error) *Failure {
	switch {
	case ctx.Err() != nil:
		return Fail(Cancelled, err)
	case IsTimeout(err):
		return Fail(TimedOut, err)
	}
	return Fail(Refused, err)
}

// Talking tells why a connection did not bring an answer.
func Talking(ctx context.Context, err error) *Failure {
	var failure *Failure
	switch {
	case errors.As(err, &failure):
		return failure
	case ctx.Err() != nil:
		return Fail(Cancelled, ctx.Err())
	case IsTimeout(err):
		return Fail(TimedOut, err)
	}
	return Fail(Lost, err)
}

// IsTimeout tells whether a time limit has passed.
func IsTimeout(err error) bool {
	var late net.Error
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, syscall.ETIMEDOUT) || (errors.As(err, &late) && late.Timeout())
}

// Length reads the length of the body of a request; -1 when only its end will tell.
func Length(text string) (int64, *Failure) {
	if text == "" {
		return -1, nil
	}
	length, err := strconv.ParseInt(text, 10, 64)
	if err != nil || length < 0 {
		return 0, Failf(BadRequest, "the length "+strconv.Quote(text)+" is not a number")
	}
	return length, nil
}

// IsIdempotent tells whether a request may be sent once more: RFC 9110 section 9.2.2.
func IsIdempotent(method string) bool {
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE":
		return true
	}
	return false
}
