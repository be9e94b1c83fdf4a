//go:build unix

package connect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// programs makes a folder of CGI programs for the shell.
func programs(t *testing.T, scripts map[string]string) string {
	folder := t.TempDir()
	for name, text := range scripts {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

const plain = "printf 'Content-Type: text/plain\\n\\n'\n"

func TestACGIProgramRunsUnchanged(t *testing.T) {
	folder := programs(t, map[string]string{
		"sub/show.cgi": "echo to the log >&2\n" + plain + "echo \"$REQUEST_METHOD $SCRIPT_NAME|$PATH_INFO|$QUERY_STRING|$CONTENT_LENGTH|$HTTP_HOST|$EXTRA|$GATEWAY_INTERFACE\"\npwd\ncat\n",
		"env":          plain + "env\n",
	})
	s := connect(t, "cgi", folder, "/app", "--env", "EXTRA=more")
	peer := s.proxy.Await()
	status, head, body := ask(peer, "POST", "/sub/show.cgi/a b/c?q=1", "hello")
	s.equal("200", status, "the status")
	s.contains(head, "Content-Type: text/plain\r\n")
	s.equal("POST /app/sub/show.cgi|/a b/c|q=1|5|client.example|more|CGI/1.1\n"+folder+"/sub\nhello", body, "the answer")
	s.awaitLog("stderr program=/sub/show.cgi text=to the log")
	s.contains(peer.Settings, "stream=0", "capacity=8")

	_, _, body = ask(peer, "GET", "/env", "", "LD_PRELOAD=/evil.so", "HTTP_PROXY=evil", "HTTP_X_A=b", "REMOTE_USER=-")
	s.contains(body, "HTTP_X_A=b\n", "PATH=", "REMOTE_ADDR=192.0.2.7\n", "SCRIPT_FILENAME="+folder+"/env\n")
	s.lacks(body, "LD_PRELOAD", "HTTP_PROXY", "REMOTE_USER", "HOME=")
}

func TestOnlyProgramsBelowTheFolderRun(t *testing.T) {
	folder := programs(t, map[string]string{"cgi-bin/ok": plain, "outside": plain + "echo stolen", "cgi-bin/.hidden": plain, "cgi-bin/d/x": plain})
	if err := os.WriteFile(filepath.Join(folder, "cgi-bin/data.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := connect(t, "cgi", filepath.Join(folder, "cgi-bin"), "/app")
	peer := s.proxy.Await()
	for path, want := range map[string]string{
		"/ok": "200", "": "404", "/": "404", "/none": "404", "/../outside": "404", "/d/../../outside": "404", "/ok/../../outside": "404",
		"/.hidden": "404", "/d": "404", "/d/": "404", "/data.txt": "403", "/data.txt/x": "403", "/ok\x01": "404", "//ok": "404",
	} {
		status, _, body := ask(peer, "GET", path, "")
		s.equal(want, status, path)
		s.lacks(body, "stolen", folder)
	}
}

func TestHeadsUpTo64KiBArrive(t *testing.T) {
	folder := programs(t, map[string]string{
		"large": "printf 'Content-Type: text/plain\\nX-Large: '\nhead -c 60000 /dev/zero | tr '\\0' x\nprintf '\\n\\nbody'\n",
		"more":  "printf 'Content-Type: text/plain\\nX-Large: '\nhead -c 70000 /dev/zero | tr '\\0' x\nprintf '\\n\\nbody'\n",
	})
	s := connect(t, "cgi", folder, "/app")
	peer := s.proxy.Await()
	status, head, body := ask(peer, "GET", "/large", "")
	s.equal("200 body", status+" "+body, "the answer")
	s.contains(head, "X-Large: "+strings.Repeat("x", 60000)+"\r\n")
	status, _, _ = ask(peer, "GET", "/more", "")
	s.equal("502", status, "above the limit")
	s.awaitLog("reason=head-too-large")
}

func TestRedirects(t *testing.T) {
	folder := programs(t, map[string]string{
		"local":   "printf 'Location: /app/show/rest?q=2\\n\\n'\n",
		"show":    plain + "echo \"$REQUEST_METHOD $SCRIPT_NAME|$PATH_INFO|$QUERY_STRING|$CONTENT_LENGTH\"\n",
		"circle":  "printf 'Location: /app/circle\\n\\n'\n",
		"outside": "printf 'Location: /other\\n\\n'\n",
		"client":  "printf 'Location: https://x.example/\\n\\n'\n",
		"status":  "printf 'Status: 303 See Other\\nLocation: /app/show\\n\\n'\n",
	})
	s := connect(t, "cgi", folder, "/app")
	peer := s.proxy.Await()
	_, _, body := ask(peer, "POST", "/local", "hello")
	s.equal("GET /app/show|/rest|q=2|\n", body, "behind a local redirect")
	status, _, _ := ask(peer, "GET", "/circle", "")
	s.equal("502", status, "the status of a circle")
	s.awaitLog("reason=too-many-redirects")
	for path, want := range map[string]string{"/outside": "302 /other", "/client": "302 https://x.example/", "/status": "303 /app/show"} {
		status, head, _ := ask(peer, "GET", path, "")
		_, rest, _ := strings.Cut(head, "Location: ")
		location, _, _ := strings.Cut(rest, "\r\n")
		s.equal(want, status+" "+location, path)
	}
}

// What stands behind the head of a local redirect is for nobody, and must not hold the program or the client.
func TestALocalRedirectWithOutputBehindItIsFollowed(t *testing.T) {
	const redirect = "printf 'Location: /app/show\\n\\n'\n"
	folder := programs(t, map[string]string{
		"more":    redirect + "head -c 1000000 /dev/zero\necho whole > done\n",
		"endless": redirect + "exec cat /dev/zero\n",
		"hung":    redirect + "exec sleep 1000\n",
		"killed":  redirect + "kill -9 $$\n",
		"show":    plain + "echo \"$REQUEST_METHOD\"; cat done\n",
		"begin":   redirect + "echo begun >&2\nexec sleep 1000\n",
	})
	s := connect(t, "cgi", folder, "/app")
	status, _, body := ask(s.proxy.Await(), "POST", "/more", "hello")
	s.equal("200 GET\nwhole\n", status+" "+body, "behind the redirect of a program that goes on")

	s = connect(t, "cgi", folder, "/app", "--timeout", "300ms", "--stop-timeout", "100ms")
	peer := s.proxy.Await()
	for _, path := range []string{"/endless", "/hung", "/killed"} {
		status, _, body = ask(peer, "GET", path, "")
		s.equal("200 GET\nwhole\n", status+" "+body, path)
	}
	s.lacks(s.log.String(), "failed")

	s = connect(t, "cgi", folder, "/app", "-v")
	stream := send(s.proxy.Await(), "GET", "/begin", "")
	s.awaitLog("text=begun")
	stream.Cancel()
	stream.AwaitOver()
	s.awaitLog("cancelled context=/app")
}

func TestAProgramThatFailsIsOneClearError(t *testing.T) {
	folder := programs(t, map[string]string{
		"silent": "exit 3\n",
		"broken": "echo 'no header here'\necho\n",
		"nph":    "printf 'HTTP/1.1 200 OK\\nContent-Type: text/plain\\n\\n'\n",
		"empty":  "echo\n",
		"half":   "printf 'Content-Type: text/plain'\n",
		"killed": plain + "echo part\nkill -9 $$\n",
		"hung":   "sleep 60\n",
		"stops":  plain + "echo part\nsleep 60\n",
	})
	if err := os.WriteFile(filepath.Join(folder, "nothing"), []byte("#!/no/such/interpreter\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := connect(t, "cgi", folder, "/app", "--timeout", "300ms", "--stop-timeout", "100ms")
	peer := s.proxy.Await()
	for path, want := range map[string]string{
		"/silent": "502 lost", "/broken": "502 bad-head", "/nph": "502 bad-head", "/empty": "502 bad-head", "/half": "502 bad-head",
		"/nothing": "502 not-started", "/killed": "cut lost", "/hung": "504 timed-out", "/stops": "cut timed-out",
	} {
		stream := send(peer, "GET", path, "")
		status, _, _ := stream.Answer()
		if stream.Fate != "" {
			status = stream.Fate
		}
		fate, reason, _ := strings.Cut(want, " ")
		s.equal(fate, status, path)
		line := fmt.Sprintf("path=\"/app%s\"", path)
		s.awaitLog(line)
		_, rest, _ := strings.Cut(s.log.String(), line)
		rest, _, _ = strings.Cut(rest, "\n")
		s.contains(rest, "reason="+reason)
	}
	s.contains(s.log.String(), "exit status 3")
}

func TestAClientThatLeavesEndsTheProgramAndWhatItHasStarted(t *testing.T) {
	folder := programs(t, map[string]string{"long": "sleep 1000 &\n" + plain + "echo $$ $!\nwait\n"})
	s := connect(t, "cgi", folder, "/app")
	stream := send(s.proxy.Await(), "GET", "/long", "")
	var program, child int
	if _, err := fmt.Fscan(stream.Body(), &program, &child); err != nil {
		t.Fatal(err)
	}
	stream.Cancel()
	stream.AwaitOver()
	s.await("both processes are gone", func() bool {
		return syscall.Kill(program, 0) == syscall.ESRCH && isGone(child)
	})
}

// isGone: one that nobody waits for may be left as a zombie.
func isGone(pid int) bool {
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return syscall.Kill(pid, 0) == syscall.ESRCH || (err == nil && strings.Contains(string(state), ") Z"))
}

func TestWhatAProgramLeavesBehindDoesNotHoldItsAnswer(t *testing.T) {
	folder := programs(t, map[string]string{"daemon": plain + "echo done\nsleep 5 &\n"})
	s := connect(t, "cgi", folder, "/app", "--stop-timeout", "50ms")
	status, _, body := ask(s.proxy.Await(), "GET", "/daemon", "")
	s.equal("200 done\n", status+" "+body, "the answer")
}

func TestAnswersOfAProgramStream(t *testing.T) {
	folder := programs(t, map[string]string{"stream": plain + "echo first\nread line\necho \"$line\"\n", "large": plain + "head -c 3000000 /dev/zero\n", "unread": plain + "echo ok\n"})
	s := connect(t, "cgi", folder, "/app")
	peer := s.proxy.Await()
	stream := peer.Send(nil, append(variables("POST", "/stream"), "CONTENT_LENGTH=7")...)
	piece := make([]byte, 6)
	stream.Body().Read(piece)
	s.equal("first\n", string(piece), "what comes before the body was sent")
	stream.Write([]byte("second\n"))
	stream.End()
	_, _, body := stream.Answer()
	s.equal("second\n", body, "the rest")
	_, _, body = ask(peer, "GET", "/large", "")
	s.equal(3000000, len(body), "the length of a large answer")
	_, _, body = ask(peer, "POST", "/unread", strings.Repeat("x", 1<<20))
	s.equal("ok\n", body, "the answer of one that reads nothing")
}
