"""Starts processes, knows which are ours, and ends only those."""

import os
import pathlib
import resource
import signal
import subprocess
import time

from . import machine


def raise_file_limit():
    """Thousands of connections need as many descriptors; children inherit the limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


_PATIENCE = 20


class Failed(Exception):
    """A process ended or said nothing; the text has the end of what it printed."""


class Processes:
    """All processes of a run. Their output goes to files: a pipe that nobody reads would stop them."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self._running = []
        self._ended_seconds = 0.0

    def start(self, name, command, ready=None, seconds=120, environment=None):
        """Starts a process and waits until its output has the text `ready`."""
        log = self.folder / f"{len(list(self.folder.glob('*.out'))):03d}-{name}.out"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
            )
        process.log = log
        process.name = name
        self._running.append(process)
        if ready is not None:
            self.await_text(process, ready, seconds)
        return process

    def await_text(self, process, text, seconds):
        self.await_true(process, f"it says '{text}'", lambda: text in process.log.read_text(errors="replace"), seconds)

    def await_true(self, process, what, holds, seconds=30):
        """Waits until something holds that a process brings about; fails when it has ended instead."""
        end = time.monotonic() + seconds
        while not holds():
            if process.poll() is not None:
                raise Failed(f"{process.name} ended with {process.returncode}:\n{self.tail(process)}")
            if time.monotonic() > end:
                raise Failed(f"{process.name} has not come so far in {seconds} s: {what}:\n{self.tail(process)}")
            time.sleep(0.05)

    @staticmethod
    def tail(process):
        return "\n".join(process.log.read_text(errors="replace").splitlines()[-15:])

    def run(self, command, seconds=600):
        """Runs a load generator to its end: what it printed. Its processor time counts as ours."""
        before = _children_seconds()
        done = subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL
        )
        self._ended_seconds += _children_seconds() - before
        if done.returncode != 0:
            raise Failed(f"{command[0]} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def run_together(self, commands, seconds=600):
        """The same for several at once."""
        before = _children_seconds()
        started = [
            subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for command in commands
        ]
        outputs = [one.communicate(timeout=seconds)[0] for one in started]
        self._ended_seconds += _children_seconds() - before
        for command, one, output in zip(commands, started, outputs):
            if one.returncode != 0:
                raise Failed(f"{command[0]} ended with {one.returncode}:\n{output[-2000:]}")
        return outputs

    def own_seconds(self):
        """Processor time of everything that belongs to this run, this program included."""
        times = os.times()
        running = sum(
            machine.process_seconds(pid) for process in self._running for pid in machine.with_children(process.pid)
        )
        return running + self._ended_seconds + times.user + times.system

    def stop(self, process):
        """Asks it to end, insists after 20 s; then the same for what it has left behind."""
        self._await_end(process, *_ask(process))

    def _await_end(self, process, family, used):
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for number in (signal.SIGTERM, signal.SIGKILL):
            left = [pid for pid in family if pid != process.pid and _signalled(pid, number)]
            end = time.monotonic() + _PATIENCE
            while any(pathlib.Path(f"/proc/{pid}").exists() for pid in left) and time.monotonic() < end:
                time.sleep(0.05)
        if process in self._running:
            self._running.remove(process)
            self._ended_seconds += used

    def stop_all(self):
        """All are asked at once: a virtual machine takes its time."""
        asked = [(process, *_ask(process)) for process in reversed(self._running)]
        for process, family, used in asked:
            self._await_end(process, family, used)


def _ask(process):
    """Asks a process to end: (its processes, the processor seconds that they took)."""
    family = machine.with_children(process.pid)
    used = sum(machine.process_seconds(pid) for pid in family)
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    return family, used


def _children_seconds():
    times = os.times()
    return times.children_user + times.children_system


def _signalled(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True
