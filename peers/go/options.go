package lrwp

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
)

const (
	leastKey     = 32
	longestKey   = 256
	longestName  = 200 // bytes of a context, a virtual host and a peer's name
	longestClaim = 64  // characters of an identity and its key id
	mostRequests = 65536
	longestDrain = 86400 // seconds
)

// check fills in the defaults and says what does not hold together.
func (o *Options) check() error {
	if o.Concurrency == 0 {
		o.Concurrency = 1
	}
	if o.Name == "" {
		o.Name = "lrwp-go/" + Version
	}
	if o.Window == 0 {
		o.Window = 262144
	}
	if o.DrainSeconds == 0 {
		o.DrainSeconds = 30
	}
	switch {
	case len(o.Proxy) == 0:
		return errors.New("Proxy is empty: a peer dials one at least")
	case len(o.Context) == 0:
		return errors.New("Context is empty: a peer serves one at least")
	case o.Concurrency < 0 || o.Concurrency > mostRequests:
		return fmt.Errorf("Concurrency is %d, allowed are 1 to %d", o.Concurrency, mostRequests)
	case o.Window < 0 || o.Window > unlimited:
		return fmt.Errorf("Window is %d, allowed are 1 to %d", o.Window, int64(unlimited))
	case !(o.DrainSeconds >= 0 && o.DrainSeconds <= longestDrain):
		return fmt.Errorf("DrainSeconds is %g, allowed are 0 to %d", o.DrainSeconds, longestDrain)
	}
	for _, context := range o.Context {
		if context == "" {
			return errors.New("a context is empty")
		}
		if err := checkName("context", context); err != nil {
			return err
		}
	}
	if err := checkName("virtual host", o.Vhost); err != nil {
		return err
	}
	if err := checkName("name", o.Name); err != nil {
		return err
	}
	if strings.ContainsAny(o.Upgrades, "\x00\r\n") {
		return fmt.Errorf("Upgrades %q holds a control character", o.Upgrades)
	}
	return o.checkIdentity()
}

// checkName: names go over the wire as ISO 8859-1, with FF behind them.
func checkName(what, name string) error {
	if strings.IndexFunc(name, func(c rune) bool { return c < ' ' || c >= 0xff || c == 0x7f }) >= 0 {
		return fmt.Errorf("the %s %q holds a character that has no place there", what, name)
	}
	if length := len(latin(name)); length > longestName {
		return fmt.Errorf("the %s %.20q... has %d bytes, allowed are %d", what, name, length, longestName)
	}
	return nil
}

func (o *Options) checkIdentity() error {
	if o.KeyFile != "" {
		if len(o.Key) > 0 {
			return errors.New("Key and KeyFile are both given")
		}
		key, err := readKey(o.KeyFile)
		if err != nil {
			return err
		}
		o.Key = key
	}
	if o.Identity == "" && o.KeyID == "" && len(o.Key) == 0 {
		return nil
	}
	if o.Identity == "" || o.KeyID == "" || len(o.Key) == 0 {
		return errors.New("an identity needs all of Identity, KeyID and Key or KeyFile")
	}
	for _, claim := range []string{o.Identity, o.KeyID} {
		if len(claim) > longestClaim || strings.Trim(claim, claimCharacters) != "" {
			return fmt.Errorf("%.70q is no name of an identity or key: 1 to 64 letters, digits, '.', '_' and '-'", claim)
		}
	}
	if len(o.Key) < leastKey || len(o.Key) > longestKey {
		return fmt.Errorf("a key has %d bytes, allowed are %d to %d", len(o.Key), leastKey, longestKey)
	}
	if len(o.Secret) > 0 {
		return errors.New("an identity is proved by its key: Secret has no place beside it")
	}
	return nil
}

const claimCharacters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-"

// readKey reads hexadecimal digits. No message shows any of them.
func readKey(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("others than its owner may use %s: chmod 600 %s", file, file)
	}
	if info.Size() > 2*longestKey+2 {
		return nil, fmt.Errorf("%s has %d bytes, a key has %d at most", file, info.Size(), 2*longestKey+2)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("%s does not hold a key as hexadecimal digits", file)
	}
	return key, nil
}

// address is where a proxy is said to be.
type address struct {
	text    string
	network string // tcp or unix
	host    string // a name, an IP address, or the path of a socket
	port    string
}

// isName: it has to be looked up.
func (a address) isName() bool {
	host, _, _ := strings.Cut(a.host, "%") // the zone of an IPv6 address
	return a.network == "tcp" && net.ParseIP(host) == nil
}

// at is the address to be dialled for one of the hosts that a name means.
func (a address) at(host string) string {
	if a.network == "unix" {
		return a.host
	}
	return net.JoinHostPort(host, a.port)
}

func parseAddresses(proxies []string) ([]address, error) {
	var all []address
	for _, one := range proxies {
		a, err := parseAddress(one)
		if err != nil {
			return nil, fmt.Errorf("the proxy's address %q %w", one, err)
		}
		all = append(all, a)
	}
	return all, nil
}

func parseAddress(text string) (address, error) {
	if path, is := strings.CutPrefix(text, "unix:"); is {
		if path == "" {
			return address{}, errors.New("has no path behind unix:")
		}
		return address{text: text, network: "unix", host: path}, nil
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil || host == "" || port == "" {
		return address{}, errors.New("is not host:port, [v6]:port or unix:/path")
	}
	if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
		return address{}, fmt.Errorf("has the port %q, allowed are 1 to 65535", port)
	}
	return address{text: text, network: "tcp", host: host, port: port}, nil
}
