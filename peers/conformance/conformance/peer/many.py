"""One request at a time, and many."""

import random

from ..bench import require_behaviour
from ..cases import case
from ..wire import counted, expect, pattern, printable


@case("single", "15.1")
def one_at_a_time(bench):
    """with concurrency 1 the peer says capacity=1 and answers one request after the other"""
    link = bench.link()
    expect(link.capacity == 1, "capacity=1", f"capacity={link.capacity}")
    for i in range(20):
        link.echo(body=pattern(i * 500))


@case("single", "15.4")
def single_slot_after_cancel(bench):
    """with concurrency 1 the slot is free again after CANCEL, failure and refusal"""
    link = bench.link()
    for path in ("/slow", "/fail", "/refuse", "/fail/late"):
        entry = link.request(path)
        if path == "/slow":
            entry.await_started()
            entry.cancel()
        entry.await_end()
        link.echo()


@case("single", "15.3.2")
def single_slot_large_bodies(bench):
    """with concurrency 1 a large body goes both ways at once"""
    link = bench.link()
    body = pattern(600000)
    entry = link.request("/both", method="POST", end=False, variables={"CONTENT_LENGTH": "600000"})
    entry.upload(body)
    came = entry.answer()
    expect(came == b"POST /both\n" + body, "the echo", f"{len(came)} bytes that differ")


@case("many", "15.1.1")
def all_slots_at_once(bench):
    """64 requests in one call are answered, each by its own answer"""
    link = bench.link()
    pairs = [link.request_frame(f"/all/{slot}", b"%d" % slot, method="POST", slot=slot) for slot in range(1, 65)]
    link.send_frames(*[frame for frame, _ in pairs])
    for slot, (_, entry) in enumerate(pairs, 1):
        came = entry.answer()
        expect(came == b"POST /all/%d\n%d" % (slot, slot), "each its own echo", printable(came))


@case("many", "15.1.1")
def all_handlers_at_once(bench):
    """64 handlers run at once"""
    link = bench.link()
    slow = [link.request("/slow", slot=slot) for slot in range(1, 65)]
    for entry in slow:
        entry.await_started()
    link.ping()
    for entry in reversed(slow):
        entry.cancel()
    for entry in slow:
        entry.await_end("the end of a cancelled request", "15.4.4")


@case("many", "15.2.1")
def two_thousand_requests(bench):
    """2,000 requests on 64 slots, in any order, get their own answers"""
    link, dice, sent = bench.link(), random.Random(7), 0
    free, open_ = list(range(1, 65)), {}
    while sent < 2000 or open_:
        batch = []
        while free and sent < 2000:
            slot = free.pop(dice.randrange(len(free)))
            body = pattern(dice.choice((0, 1, 100, 3000)), sent % 256)
            frame, entry = link.request_frame(f"/n/{sent}", body, method="POST", slot=slot)
            open_[slot] = (sent, body, entry)
            batch.append(frame)
            sent += 1
        if batch:
            link.send_frames(*batch)
        link.until(lambda: any(entry.ended for _, _, entry in open_.values()), "an answer")
        for slot, (at, body, entry) in list(open_.items()):
            if entry.ended:
                came = entry.answer()
                expect(came == b"POST /n/%d\n" % at + body, f"the echo of /n/{at}", printable(came))
                del open_[slot]
                free.append(slot)


@case("many", "15.3")
def many_streams_with_small_windows(bench):
    """30 streams with a window of 500 bytes each come whole"""
    link = bench.fresh(window=500)
    entries = [link.request("/stream", query="n=10&size=700&ms=1", slot=slot) for slot in range(1, 31)]
    for entry in entries:
        came = entry.answer()
        expect(came == counted(7000), "7,000 bytes", f"{len(came)} bytes that differ")


@case("many", "15.3.2")
def many_uploads(bench):
    """20 uploads at once come whole"""
    link = bench.link()
    bodies = {slot: pattern(60000, slot) for slot in range(1, 21)}
    entries = {slot: link.request(f"/u/{slot}", method="POST", slot=slot, end=False,
                                  variables={"CONTENT_LENGTH": "60000"}) for slot in bodies}
    for at in range(0, 60000, 6000):
        for slot, entry in entries.items():
            link.until(lambda entry=entry: entry.credit >= 6000, "window for the body")
            entry.data(bodies[slot][at:at + 6000], end=at == 54000)
    for slot, entry in entries.items():
        came = entry.answer()
        expect(came == b"POST /u/%d\n" % slot + bodies[slot], "the echo", f"{len(came)} bytes that differ")


@case("many", "15.4")
def storm(bench):
    """requests, cancels and failures in any order cost no slot"""
    link, dice = bench.link(), random.Random(11)
    for _ in range(300):
        slot = dice.randrange(1, 65)
        entry = link.slots.get(slot)
        if entry and not (entry.ended and entry.over):
            if not entry.cancelled:
                entry.cancel()
            entry.await_end("the end of a request", "15.4.4")
        path, query = dice.choice((("/slow", ""), ("/echo", ""), ("/fail", ""), ("/refuse", ""), ("/fail/late", ""),
                                   ("/stream", "n=20&size=100&ms=3"), ("/bytes", "n=50000")))
        link.request(path, query=query, slot=slot, end=dice.random() < 0.8, method="POST")
        if dice.random() < 0.3:
            link.ping()
    for slot, entry in link.slots.items():
        if not entry.ended:
            if not entry.cancelled:
                entry.cancel()
            entry.await_end("the end of a request", "15.4.4")
    for slot in range(1, 65):
        link.echo(slot=slot)


@case("many", "15.1.2")
def capacity_that_crosses_requests(bench):
    """a peer that lowers its capacity takes or refuses the requests that cross its CAPACITY"""
    link = bench.fresh()
    require_behaviour(link.request("/capacity", query="n=2"))
    link.until(lambda: link.capacity == 2, "CAPACITY 2", "15.1.2")
    entry = link.request("/above", slot=60).await_end()
    expect(entry.ended in ("REFUSED", "END"), "REFUSED, or the answer", str(entry.ended))
    link.echo(slot=2)
    require_behaviour(link.request("/capacity", query="n=64"))
    link.until(lambda: link.capacity == 64, "CAPACITY 64", "15.1.2")
    link.echo(slot=64)


@case("many", "15.1")
def capacity_of_nothing(bench):
    """CAPACITY 0 is a pause: what crosses it is taken or refused, and the peer goes on later"""
    link = bench.fresh()
    require_behaviour(link.request("/capacity", query="n=0&ms=300"))
    link.until(lambda: link.capacity == 0, "CAPACITY 0", "15.1.2")
    entry = link.request("/crossing", slot=3).await_end()
    expect(entry.ended in ("REFUSED", "END"), "REFUSED, or the answer", str(entry.ended))
    link.until(lambda: link.capacity == 64, "CAPACITY 64 after 300 ms", "15.1.2")
    link.echo(slot=64)
