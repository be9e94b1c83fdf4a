"""The program under test, as a process whose lines are kept."""

import os
import signal
import subprocess
import threading
import time

from .wire import Failure, PATIENCE


class Program:
    """A process; all of its output is one list of lines."""

    def __init__(self, command):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LRWP_")}
        self.command = command
        self.lines = []
        self._changed = threading.Condition()
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, env=environment, start_new_session=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            with self._changed:
                self.lines.append(line.decode("utf-8", "replace").rstrip("\r\n"))
                self._changed.notify_all()
        self._process.wait()
        with self._changed:
            self._changed.notify_all()

    def await_line(self, *texts, since=0, seconds=PATIENCE, section=None):
        """A line that holds one of the texts, in any case of letters."""
        until = time.monotonic() + seconds

        def seen():
            return [line for line in self.lines[since:] if any(text.lower() in line.lower() for text in texts)]

        with self._changed:
            while not seen():
                left = until - time.monotonic()
                if left <= 0 or (self.code() is not None and not self._reader.is_alive()):
                    raise Failure("a line on its output with " + " or ".join(map(repr, texts)),
                                  f"{self.lines[since:][-5:]}", section)
                self._changed.wait(min(left, 0.2))
            return seen()[0]

    def mark(self):
        """To look only at lines that come from now on."""
        with self._changed:
            return len(self.lines)

    def pause(self, seconds):
        """Waits until it prints something, at most so long."""
        with self._changed:
            self._changed.wait(max(seconds, 0))

    def code(self):
        return self._process.poll()

    def terminate(self):
        self._process.send_signal(signal.SIGTERM)

    def await_end(self, what, section=None, seconds=PATIENCE):
        """Waits for its end; gives its exit code."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(what, f"the program goes on; its last lines: {self.lines[-3:]}", section) from None
        self._reader.join(1)
        return code

    def freeze(self):
        """It stands still: what it has written until now is all there is."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def thaw(self):
        os.killpg(self._process.pid, signal.SIGCONT)

    def kill(self):
        """Whatever it has started goes with it."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        self._reader.join(1)
        self._process.stdout.close()
