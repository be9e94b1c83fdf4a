package lrwp

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func fine(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "fine") }

func TestSettingsSayWhatTheOptionsDo(t *testing.T) {
	l := listen(t)
	serve(t, Options{Proxy: []string{l.address()}, Context: []string{"/c", "/d"}, Vhost: "a.test", Concurrency: 7,
		Window: 100000, Stream: true, Upgrades: "websocket", Name: "näme"}, fine)
	s := l.next()
	equal(t, "startup string", "|3.0|/c|a.test", strings.Join(s.hello(3), "|"))
	s.write("OK\xff")
	s.greet()
	for name, value := range map[string]string{"capacity": "7", "window": "100000", "stream": "1", "started": "1",
		"ping": "1", "upgrade": "websocket", "name": "n\xe4me", "instance": instance} {
		equal(t, name, value, s.settings[name])
	}
	equal(t, "REGISTER", "/d\xffa.test\xff", string(s.expect(2).payload))
}

// The examples of section 17 of the protocol.
func TestProofsAreThoseOfTheProtocol(t *testing.T) {
	count := func(from byte) []byte {
		all := make([]byte, 32)
		for i := range all {
			all[i] = from + byte(i)
		}
		return all
	}
	startup := "\xff3.1\xffosp\xff\xffbilling\xff2026a\xff" + hex.EncodeToString(count(0x20)) + "\xff"
	for _, vector := range []struct{ certificate, proxy, peer string }{
		{"", "da9ca1d570af4bf8b3b7f2c7add0ef47b383a71a0a687c12d8af1064ff4f5453",
			"0db4658fa8864a38f5c98dfe8f58bf5228e3be5ca33986a2455a4c625897ccdc"},
		{string(count(0x60)), "5f3da448765180688244a7d633e4ce4a20b858fc37b7ab3dcf38073cf3257c8d",
			"4b2ba580b6ffda702b19439280500678d74107232332af50dcaf316289059a40"},
	} {
		proof, _ := hex.DecodeString(vector.proxy)
		answers := "CHALLENGE\xff000000064" + string(count(0x40)) + string(proof) + "OK\xff"
		var out bytes.Buffer
		h := handshake{peer: &peer{Options: Options{Key: count(0)}}, certificate: []byte(vector.certificate),
			in: newReader(answers), out: &out}
		if err := h.proveKey([]byte(startup)); err != nil {
			t.Fatal(err)
		}
		equal(t, "proof", "000000032"+vector.peer, out.String()[:9]+hex.EncodeToString(out.Bytes()[9:]))
	}
}

var key = bytes.Repeat([]byte{7}, 32)

func identified(o Options) Options {
	o.Identity, o.KeyID, o.Key = "billing", "2026a", key
	return o
}

// challenge plays a proxy with a key up to the peer's proof, and returns whether that is right.
func challenge(s *script, key []byte, certificate []byte) bool {
	startup := "\xff" + strings.Join(s.hello(6)[1:], "\xff") + "\xff"
	nonce := strings.Repeat("n", 32)
	seen := []byte(startup + nonce + string(certificate))
	s.write("CHALLENGE\xff000000064" + nonce + string(mac(key, []byte("lrwp3 proxy\x00"), seen)))
	proof := make([]byte, 41)
	if _, err := io.ReadFull(s.in, proof); err != nil {
		return false
	}
	return string(proof) == "000000032"+string(mac(key, []byte("lrwp3 peer\x00"), seen))
}

func TestPeerWithAKeyProvesIt(t *testing.T) {
	l := listen(t)
	peer := serve(t, identified(Options{Proxy: []string{l.address()}}), fine)
	s := l.next()
	equal(t, "the proof is right", true, challenge(s, key, nil))
	s.write("OK\xff")
	s.greet()
	equal(t, "answer", "fine", s.exchange("/c").body)
	peer.journal.await(t, 1, "registered context=/c version=3.1")
}

func TestPeerWithAKeyGoesOnBehindARightChallengeOnly(t *testing.T) {
	for what, answer := range map[string]string{
		"the proxy does not have the key of this identity": "CHALLENGE\xff000000064" + strings.Repeat("x", 64),
		"the proxy does not ask for the key":               "OK\xff",
		"does not ask for the key, as LRWP 3.1 does":       "CHALLENGE\xff000000032" + strings.Repeat("x", 32),
		"ERROR: Malformed startup string":                  "REJECTED\xffERROR: Malformed startup string\xff",
		"ERROR: Unknown LRWP version":                      "ERROR: Unknown LRWP version",
	} {
		t.Run(what, func(t *testing.T) {
			l := listen(t)
			peer := serve(t, identified(Options{Proxy: []string{l.address()}}), fine)
			for range []int{1, 2} { // and the next time it begins with 3.1 again
				s := l.next()
				equal(t, "version", "3.1", s.hello(6)[1])
				s.write(answer)
				s.closeWrite()
				if rest, _ := io.ReadAll(s.in); len(rest) > 0 {
					t.Fatalf("the peer says %q", rest)
				}
				s.conn.Close()
			}
			peer.journal.await(t, 2, what)
		})
	}
}

func TestSecretIsProvedAndThereIsNoWayBelow(t *testing.T) {
	l := listen(t)
	peer := serve(t, Options{Proxy: []string{l.address()}, Context: []string{"osp"}, Secret: []byte("funky161")}, fine)
	s := l.next()
	s.hello(3)
	s.write("ERROR: Unknown LRWP version")
	s.conn.Close()
	peer.journal.await(t, 1, "there is a secret")

	s = l.next()
	equal(t, "version", "3.0", s.hello(3)[1])
	nonce := ""
	for i := 0; i < 32; i++ { // the example of section 12 of the protocol
		nonce += string([]byte{byte(i)})
	}
	s.write("CHALLENGE\xff000000032" + nonce)
	proof := make([]byte, 41)
	io.ReadFull(s.in, proof)
	equal(t, "proof", "784c5777e82e53587bd04aae4e14e6da3d5bd82ac5929a880cfa6f1a110d5421", hex.EncodeToString(proof[9:]))
	s.write("OK\xff")
	s.greet()
	equal(t, "answer", "fine", s.exchange("/c").body)
}

func TestWhatRefusesIsInTheLogEachTime(t *testing.T) {
	for what, answer := range map[string]string{
		"ERROR: Application not permitted":          "REJECTED\xffERROR: Application not permitted\xff",
		"this is an HTTP port, not one for LRWP":    "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
		"this port speaks TLS, and there is no TLS": "\x15\x03\x03\x00\x02\x02\x32",
		"a secret is asked for, and there is none":  "CHALLENGE\xff000000032" + strings.Repeat("x", 32),
	} {
		t.Run(what, func(t *testing.T) {
			l := listen(t)
			peer := serve(t, Options{Proxy: []string{l.address()}}, fine)
			for range []int{1, 2} {
				s := l.next()
				s.hello(3)
				s.write(answer)
				s.closeWrite()
				io.ReadAll(s.in)
				s.conn.Close()
			}
			peer.journal.await(t, 2, what)
		})
	}
}

func TestContextThatIsRefusedDoesNotKeepTheOthersOut(t *testing.T) {
	for version, fields := range map[string]int{"3.0": 3, "3.1": 6} {
		t.Run(version, func(t *testing.T) {
			l := listen(t)
			o := Options{Proxy: []string{l.address()}, Context: []string{"/a", "/b", "/c"}}
			if version == version31 {
				o.Identity, o.KeyID, o.Key = "billing", "2026a", bytes.Repeat([]byte("k"), 32)
			}
			peer := serve(t, o, fine)
			for _, context := range []string{"/a", "/b", "/c", "/a"} {
				s := l.next()
				equal(t, "the context of the startup string", context, s.hello(fields)[2])
				s.write("REJECTED\xffERROR: Application not permitted\xff")
				s.conn.Close()
				peer.journal.await(t, 1, "refused context="+context)
			}
			if version == version31 {
				return
			}
			s := l.next()
			equal(t, "the context of the startup string", "/b", s.hello(fields)[2])
			s.write("OK\xff")
			s.greet()
			peer.journal.await(t, 1, "registered context=/b")
			equal(t, "REGISTER", "/a\xff\xff", string(s.expect(2).payload))
			equal(t, "REGISTER", "/c\xff\xff", string(s.expect(2).payload))
			equal(t, "answer", "fine", s.exchange("/c").body)
			s.conn.Close()
			equal(t, "what it asks for after a loss", "/b", l.next().hello(fields)[2])
		})
	}
}

func TestContextThatIsRefusedLaterIsInTheLog(t *testing.T) {
	l := listen(t)
	peer := serve(t, Options{Proxy: []string{l.address()}, Context: []string{"/c", "/d"}}, fine)
	s := l.accept()
	s.expect(2)
	s.frame(4, false, 0, "/d\xff\xffERROR: Application not permitted\xff")
	peer.journal.await(t, 1, `refused context=/d proxy=`+l.address()+` why="ERROR: Application not permitted" remedy="the context is another identity`)
	equal(t, "the first one is served", "fine", s.exchange("/c").body)
}

func TestContextThatIsRefusedIsAskedForAgain(t *testing.T) {
	l := listen(t)
	o := Options{Proxy: []string{l.address()}, Context: []string{"/c", "/d"}, Vhost: "v.test"}
	peer := serve(t, o, fine, func(p *peer) { p.askAgain = time.Millisecond })
	s := l.accept()
	for range []int{1, 2} {
		equal(t, "REGISTER", "/d\xffv.test\xff", string(s.expect(2).payload))
		s.frame(4, false, 0, "/d\xffv.test\xffERROR: Application not permitted\xff")
	}
	equal(t, "REGISTER", "/d\xffv.test\xff", string(s.expect(2).payload))
	s.frame(4, false, 0, "/d\xffv.test\xff\xff")
	s.frame(4, false, 0, "/e\xffv.test\xffERROR: what it never asked for\xff")
	peer.journal.await(t, 1, "registered context=/d")
	equal(t, "answer", "fine", s.exchange("/c").body)
}

func TestOlderServerIsServedInItsVersion(t *testing.T) {
	l := listen(t)
	peer := serve(t, Options{Proxy: []string{l.address()}, Concurrency: 9}, func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		io.Copy(w, r.Body)
	})
	s := l.next()
	s.hello(3)
	s.write("ERROR: Unknown LRWP version")
	s.conn.Close()
	s = l.next()
	equal(t, "startup string", "/c|", strings.Join(s.hello(1), "|"))
	s.write("OK")
	peer.journal.await(t, 1, "registered context=/c version=1.0")
	for _, body := range []string{"first", ""} {
		env := block("POST", "/c/x")
		s.write(oldFrame(env) + oldFrame(body))
		digits := make([]byte, 9)
		io.ReadFull(s.in, digits)
		status, _, got := head(t, s.take(digits))
		equal(t, "status", "200 OK", status)
		equal(t, "body", body, got)
	}
	peer.stop()
	s.awaitEnd()
}

func TestAddressesAreReadOrRefusedInOneLine(t *testing.T) {
	for text, part := range map[string]string{
		"localhost":          `"localhost" is not host:port, [v6]:port or unix:/path`,
		"":                   `"" is not host:port`,
		"a:b":                `"a:b" has the port "b", allowed are 1 to 65535`,
		"a:0":                `has the port "0"`,
		"a:65536":            `has the port "65536"`,
		"::1:1081":           "is not host:port",
		"a:1081,b:1081":      "is not host:port",
		"unix:":              "has no path",
		"http://a:1081/path": "is not host:port",
	} {
		err := Serve(context.Background(), Options{Proxy: []string{text}, Context: []string{"/c"}}, http.HandlerFunc(fine))
		if err == nil {
			t.Fatalf("%q is taken", text)
		}
		contains(t, "error", err.Error(), part)
		equal(t, "lines", 0, strings.Count(err.Error(), "\n"))
	}
	all, err := parseAddresses([]string{"[::1]:1081", "a.test:81", "unix:/run/lrwp.sock"})
	if err != nil || len(all) != 3 {
		t.Fatal(all, err)
	}
	equal(t, "v6", "[::1]:1081", all[0].at(all[0].host))
	equal(t, "name", true, all[1].isName())
	equal(t, "socket", "/run/lrwp.sock", all[2].at(all[2].host))
}

func TestOptionsThatDoNotHoldTogetherAreRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	write := func(text string, mode os.FileMode) string {
		os.Remove(file)
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	digits := strings.Repeat("0f", 32)
	cases := []struct {
		part   string
		change func(*Options)
	}{
		{"Proxy is empty", func(o *Options) { o.Proxy = nil }},
		{"Context is empty", func(o *Options) { o.Context = nil }},
		{"a context is empty", func(o *Options) { o.Context = []string{""} }},
		{"has 201 bytes, allowed are 200", func(o *Options) { o.Context = []string{strings.Repeat("c", 201)} }},
		{"no place there", func(o *Options) { o.Context = []string{"/c\xc3\xbf"} }},
		{"no place there", func(o *Options) { o.Vhost = "a\x00" }},
		{"Concurrency is 65537", func(o *Options) { o.Concurrency = 65537 }},
		{"Concurrency is -1", func(o *Options) { o.Concurrency = -1 }},
		{"DrainSeconds is -1", func(o *Options) { o.DrainSeconds = -1 }},
		{"DrainSeconds is 86401", func(o *Options) { o.DrainSeconds = 86401 }},
		{"Window is 4294967296", func(o *Options) { o.Window = 1 << 32 }},
		{"an identity needs all of", func(o *Options) { o.KeyID = "2026a" }},
		{"an identity needs all of", func(o *Options) { o.Identity = "billing" }},
		{"is no name of an identity or key", func(o *Options) { *o = identified(*o); o.Identity = "a b" }},
		{"a key has 31 bytes, allowed are 32 to 256", func(o *Options) { *o = identified(*o); o.Key = key[1:] }},
		{"Secret has no place beside it", func(o *Options) { *o = identified(*o); o.Secret = key }},
		{"chmod 600 " + file, func(o *Options) { o.KeyFile = write(digits, 0o640) }},
		{"does not hold a key as hexadecimal digits", func(o *Options) { o.KeyFile = write("no digits", 0o600) }},
		{"has 1026 bytes, a key has 514 at most", func(o *Options) { o.KeyFile = write(strings.Repeat("0f", 513), 0o600) }},
		{"no such file", func(o *Options) { o.KeyFile = file + "-none" }},
	}
	for _, c := range cases {
		o := Options{Proxy: []string{"127.0.0.1:1081"}, Context: []string{"/c"}}
		c.change(&o)
		err := Serve(context.Background(), o, http.HandlerFunc(fine))
		if err == nil {
			t.Fatalf("taken, expected: %s", c.part)
		}
		contains(t, "error", err.Error(), c.part)
		if strings.Contains(err.Error(), "0f0f") || strings.Contains(err.Error(), "digits0") {
			t.Fatalf("the key is in %q", err)
		}
	}
	o := Options{Proxy: []string{"127.0.0.1:1081"}, Context: []string{"/c"}, Identity: "b", KeyID: "k"}
	o.KeyFile = write(digits+"\n", 0o600)
	p, err := newPeer(o, http.HandlerFunc(fine))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "key", digits, hex.EncodeToString(p.Key))
}

func TestLocalSocketIsDialled(t *testing.T) {
	l, address := listenUnix(t)
	peer := serve(t, Options{Proxy: []string{address}}, fine)
	s := l.accept()
	equal(t, "answer", "fine", s.exchange("/c").body)
	peer.stop()
	s.expect(13)
	s.conn.Close()
}

func TestInsideTLSTheProofCoversTheCertificate(t *testing.T) {
	config, certificate, authorities := certify(t)
	l := listen(t)
	l.tls = config
	trust, err := Trust(authorities, "", "")
	if err != nil {
		t.Fatal(err)
	}
	peer := serve(t, identified(Options{Proxy: []string{l.address()}, TLS: trust}), fine)
	hash := sha256.Sum256(certificate)
	s := l.next()
	equal(t, "the proof is right", true, challenge(s, key, hash[:]))
	s.write("OK\xff")
	s.greet()
	equal(t, "answer", "fine", s.exchange("/c").body)
	equal(t, "ALPN", ALPN, s.conn.(*tls.Conn).ConnectionState().NegotiatedProtocol)
	s.conn.Close()

	s = l.next() // a proof for another connection
	equal(t, "the peer has sent a proof", false, challenge(s, key, make([]byte, 32)))
	peer.journal.await(t, 1, "the proxy does not have the key of this identity")
}

func TestCertificateOfSomebodyElseIsNotTaken(t *testing.T) {
	config, _, _ := certify(t)
	_, _, others := certify(t)
	l := listen(t)
	l.tls = config
	trust, err := Trust(others, "", "")
	if err != nil {
		t.Fatal(err)
	}
	peer := serve(t, Options{Proxy: []string{l.address()}, TLS: trust}, fine)
	s := l.next()
	if err := s.conn.(*tls.Conn).Handshake(); err == nil {
		t.Fatal("the peer has taken it")
	}
	peer.journal.await(t, 1, "unknown authority")
}

func TestFailuresOfTLSAreToldInWords(t *testing.T) {
	config, _, authorities := certify(t)
	trust, err := Trust(authorities, "", "")
	if err != nil {
		t.Fatal(err)
	}
	plain := listen(t)
	peer := serve(t, Options{Proxy: []string{plain.address()}, TLS: trust}, fine)
	plain.next().write("HTTP/1.1 400 Bad Request\r\n\r\n")
	peer.journal.await(t, 1, `why="there is no TLS at this port"`)

	config.ClientAuth = tls.RequireAnyClientCert
	l := listen(t)
	l.tls = config
	peer = serve(t, Options{Proxy: []string{l.address()}, TLS: trust}, fine)
	if err := l.next().conn.(*tls.Conn).Handshake(); err == nil {
		t.Fatal("the peer has shown a certificate")
	}
	peer.journal.await(t, 1, `why="the proxy wants a client certificate"`)
}

func TestAFileThatCannotBeTrustedIsNamed(t *testing.T) {
	_, _, authorities := certify(t)
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []struct{ ca, certificate, key, why string }{
		{"none.pem", "", "", "open none.pem: no such file or directory"},
		{empty, "", "", "trust " + empty + ": holds no certificate (PEM)"},
		{authorities, authorities, "none.key", "open none.key: no such file or directory"},
		{authorities, authorities, empty, "lrwp: certificate " + authorities + " with certificate key " + empty +
			": tls: failed to find any PEM data in key input"},
	} {
		_, err := Trust(wrong.ca, wrong.certificate, wrong.key)
		if err == nil || err.Error() != wrong.why {
			t.Errorf("%v, not %s", err, wrong.why)
		}
	}
}

// certify makes a proxy's certificate for 127.0.0.1, and a file with it.
func certify(t *testing.T) (config *tls.Config, der []byte, file string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, IPAddresses: localhost}
	der, err = x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	pair := tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}
	return &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{ALPN}}, der, file
}

func TestSeveralProxiesAreServedAtOnce(t *testing.T) {
	one, two := listen(t), listen(t)
	serve(t, Options{Proxy: []string{one.address(), two.address()}}, fine)
	first, second := one.accept(), two.accept()
	equal(t, "one process", first.settings["instance"], second.settings["instance"])
	equal(t, "first", "fine", first.exchange("/c").body)
	equal(t, "second", "fine", second.exchange("/c").body)
	first.conn.Close()
	one.accept()
	equal(t, "second goes on", "fine", second.exchange("/c").body)
}

// names is a resolver that a test changes.
type names struct {
	mu    sync.Mutex
	hosts []string
	err   error
	asked int
}

func (n *names) set(err error, hosts ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts, n.err = hosts, err
}

func (n *names) lookup(context.Context, string) ([]string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	return n.hosts, n.err
}

func (n *names) change(p *peer) {
	p.lookup, p.every = n.lookup, 20*time.Millisecond
}

// listenTwice listens on a port that is free at two addresses.
func listenTwice(t *testing.T) (one, two *listener, port string) {
	t.Helper()
	for range make([]int, 20) {
		one = listen(t)
		_, port, _ = strings.Cut(one.address(), ":")
		other, err := net.Listen("tcp", "127.0.0.2:"+port)
		if err == nil {
			t.Cleanup(func() { other.Close() })
			return one, &listener{Listener: other, t: t}, port
		}
	}
	t.Fatal("no port is free at both addresses")
	return nil, nil, ""
}

func TestNamesAreLookedUpAgain(t *testing.T) {
	one, two, port := listenTwice(t)
	n := &names{hosts: []string{"127.0.0.1"}}
	peer := serve(t, Options{Proxy: []string{"a.test:" + port}}, fine, n.change)
	first := one.accept()

	n.set(nil, "127.0.0.1", "127.0.0.2")
	second := two.accept()
	equal(t, "first", "fine", first.exchange("/c").body)
	equal(t, "second", "fine", second.exchange("/c").body)

	n.set(errors.New("the name server is away"))
	peer.journal.await(t, 1, "the name server is away")
	equal(t, "an unknown name means what it did", "fine", first.exchange("/c").body)

	n.set(nil, "127.0.0.2")
	first.expect(13) // it leaves the one that is no more
	first.conn.Close()
	equal(t, "second", "fine", second.exchange("/c").body)
}

func TestAddressWithoutListenerIsToldOnce(t *testing.T) {
	l := listen(t)
	address := l.address()
	l.Close()
	peer := serve(t, Options{Proxy: []string{address}}, fine)
	peer.journal.await(t, 1, "unreachable proxy="+address)
	again := listenAt(t, "tcp", address)
	equal(t, "answer", "fine", again.accept().exchange("/c").body)
	if n, _ := peer.journal.count("unreachable"); n != 1 {
		t.Fatalf("told %d times", n)
	}
}

func TestEndOfTheContextEndsAHandshake(t *testing.T) {
	l := listen(t)
	peer := serve(t, Options{Proxy: []string{l.address()}}, fine)
	s := l.next()
	s.hello(3)
	began := time.Now()
	peer.stop()
	peer.awaitEnd(t)
	if waited := time.Since(began); waited > handshakeTime/2 {
		t.Fatal("it took ", waited)
	}
}
