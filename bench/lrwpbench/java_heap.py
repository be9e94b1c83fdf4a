"""What a JVM of ours holds, and how long its collector stopped it."""

import re
import subprocess
import time

_SETTLE_SECONDS = 5

# A collector whose eden keeps its size, so that its collections count what is allocated.
FIXED_YOUNG = "-XX:+UseParallelGC -XX:-UseAdaptiveSizePolicy -Xms512m -Xmx512m -Xmn64m -XX:SurvivorRatio=8"


def settled_mib(jdk, pid, readings):
    """The least of some readings of live memory: what has just been closed may be held for a few seconds more."""
    least = live_mib(jdk, pid)
    for _ in range(readings - 1):
        time.sleep(_SETTLE_SECONDS)
        least = min(least, live_mib(jdk, pid))
    return least


def live_mib(jdk, pid):
    """Live objects after a full collection, in MiB."""
    jcmd = [str(jdk / "bin/jcmd"), str(pid)]
    subprocess.run([*jcmd, "GC.run"], check=True, capture_output=True, timeout=120)
    text = subprocess.run([*jcmd, "GC.heap_info"], check=True, capture_output=True, text=True, timeout=120).stdout
    return used_mib(text)


def allocated_kib(jdk, pid):
    """What a JVM with fixed generations (FIXED_YOUNG) has allocated in its young one until now, in KiB."""
    collections = _said(jdk, "jstat", "-gc", pid)
    return young_kib(collections, _said(jdk, "jcmd", pid, "GC.heap_info"))


def _said(jdk, tool, *arguments):
    command = [jdk / "bin" / tool, *arguments]
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, timeout=60).stdout


def allocated_per_request(jdk, proxy, load):
    """What a request allocates in a proxy of ours with fixed generations, in bytes. load() returns how many were sent."""
    before = allocated_kib(jdk, proxy.process.pid)
    requests = load()
    return (allocated_kib(jdk, proxy.process.pid) - before) * 1024 / max(1, requests)


def young_kib(jstat_gc, heap_info):
    """Young collections times the size of eden, and what is in it now, which jstat knows only after a collection."""
    names, values = (line.split() for line in jstat_gc.strip().splitlines()[:2])
    found = dict(zip(names, values))
    begin, top = (int(address, 16) for address in re.search(r"eden space .*\[(\w+), ?(\w+),", heap_info).groups())
    return int(found["YGC"]) * float(found["EC"]) + (top - begin) / 1024


def used_mib(heap_info):
    """Reads GC.heap_info of any collector: the sum over its spaces, without metaspace."""
    heap = heap_info.split("Metaspace")[0]
    total = 0.0
    for amount, unit in re.findall(r"\bused (\d+)([KMG])", heap):
        total += int(amount) * {"K": 1 / 1024, "M": 1, "G": 1024}[unit]
    return total


def pauses_ms(gc_log):
    """Every pause in a log of -Xlog:safepoint, in milliseconds: collections and all else that stops all threads."""
    return [int(nanos) / 1e6 for nanos in re.findall(r"Safepoint .*?Total:\s*(\d+) ns", gc_log)]
