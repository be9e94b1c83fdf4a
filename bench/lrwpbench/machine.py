"""What the machine is, and what its kernel says about processor time and memory."""

import os
import pathlib
import platform
import re
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")
CORES = len(os.sched_getaffinity(0))
_PAGE = os.sysconf("SC_PAGE_SIZE")


def busy_seconds():
    """Processor time that the machine has spent on anything since it started, stolen time included, over all cores."""
    fields = [int(field) for field in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    idle, iowait = fields[3], fields[4]
    return (sum(fields) - idle - iowait) / TICKS


def process_seconds(pid):
    """User and system time of a process, 0 when it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def age(pid):
    """Seconds since a process was started, in steps of a tick."""
    started = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - started / TICKS


def command_line(pid):
    """The words of a process's command, each ended by NUL."""
    return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()


def with_children(pid):
    """A process and all below it: nginx works in children of the one that was started."""
    found = [pid]
    for one in found:
        # Children belong to the thread that made them.
        for children in pathlib.Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found.extend(int(child) for child in children.read_text().split())
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found


def resident_mib(pids):
    """Resident memory of processes, in MiB; pages that they share count in each."""
    total = 0
    for pid in pids:
        try:
            total += int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total * _PAGE / 2**20


def threads(pids):
    """Threads of processes now."""
    total = 0
    for pid in pids:
        try:
            total += len(list(pathlib.Path(f"/proc/{pid}/task").iterdir()))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total


def _first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return "not there"
    return ((done.stdout + done.stderr).strip() or "says nothing").splitlines()[0]


def describe(root, jdk):
    """Rows of (what, which) for the head of a report."""
    cpu = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    memory = int(re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text()).group(1))
    dirty = subprocess.run(["git", "-C", root, "status", "--porcelain"], capture_output=True, text=True).stdout
    return [
        ("processor", f"{CORES} cores, {cpu.group(1) if cpu else platform.machine()}"),
        ("memory", f"{memory / 2**20:.0f} GiB"),
        ("system", f"{platform.system()} {platform.release()}"),
        ("project", _first_line("git", "-C", str(root), "log", "-1", "--format=%h %cs") + (" and changes" if dirty else "")),
        ("JDK", _first_line(f"{jdk}/bin/java", "-version")),
        ("nginx", _first_line("/usr/sbin/nginx", "-v")),
        ("HAProxy", _first_line("/usr/sbin/haproxy", "-v")),
        ("Varnish", _first_line("/usr/sbin/varnishd", "-V")),
        ("wrk", _first_line("wrk", "-v")),
        ("ab", _first_line("ab", "-V")),
        ("C compiler", _first_line("gcc", "--version")),
    ]
