"""Does to the proxy, its peers and its network what the plan says."""

import asyncio
import contextlib
import random
import signal

from rig import http1
from rig.attacks import Attacks
from rig.ledger import ANYTHING, ERRORS
from rig.overload import Overload
from rig.peers import SHAKEN, STEADY
from rig.plan import KINDS

LONG_DRAIN = 15
RECOVERY = 30


class Stage:
    def __init__(self, run):
        self.run = run
        self.ledger = run.ledger
        self.attacks = Attacks(run)
        self.shaken = [peer for peer in run.peers if peer.sort.context == SHAKEN]
        self.done = []
        self.left_out = {
            kind.name: run.why_not(kind.needs - run.abilities) for kind in KINDS.values() if kind.needs - run.abilities}
        # A start may take longer than its time in the plan, on a slow machine.
        self.great = asyncio.Lock()
        self.running = set()
        self.broken = None

    async def play(self, faults):
        """All faults at their times, without those that this run cannot do."""
        for fault in faults:
            await self.until(fault.at)
            if fault.kind in self.left_out:
                continue
            task = asyncio.create_task(self.do(fault))
            self.running.add(task)
            task.add_done_callback(self.ended)
        while self.running:
            await asyncio.wait(self.running)
        if self.broken:
            raise self.broken

    def ended(self, task):
        """The rig's own faults are not the proxy's: they end the run."""
        self.running.discard(task)
        if not task.cancelled():
            self.broken = self.broken or task.exception()

    async def until(self, at):
        await asyncio.sleep(max(0, at - self.ledger.now()))

    async def do(self, fault):
        name = fault.kind.replace("-", "_")
        method = getattr(self, name, None) or getattr(self.attacks, name)
        async with self.great if KINDS[fault.kind].seconds else contextlib.nullcontext():
            begun = self.ledger.now()
            words = await method(random.Random(fault.seed))
        self.done.append((begun, self.ledger.now(), fault.kind, words or ""))

    async def with_peer(self, choices, act, relayed=False):
        """One fault at a time for each peer."""
        peers = [peer for peer in self.shaken if peer.relay or not relayed]
        peer = choices.choice(peers)
        if peer.busy:
            return f"{peer.name} had another fault"
        peer.busy = True
        try:
            return await act(peer) or peer.name
        finally:
            peer.busy = False

    async def kill_peer(self, choices):
        async def act(peer):
            peer.signal(signal.SIGKILL)
            await peer.ended(5)
            await asyncio.sleep(choices.uniform(0, 1))
            peer.begin()
        return await self.with_peer(choices, act)

    async def leave_peer(self, choices):
        async def act(peer):
            peer.signal(signal.SIGTERM)
            if not await peer.ended(LONG_DRAIN):
                self.ledger.notes.append(f"{peer.name} did not end within {LONG_DRAIN} s of SIGTERM and was killed")
                peer.signal(signal.SIGKILL)
                await peer.ended(5)
            await asyncio.sleep(choices.uniform(0, 1))
            peer.begin()
        return await self.with_peer(choices, act)

    async def stop_peer(self, choices):
        async def act(peer):
            peer.signal(signal.SIGSTOP)
            await asyncio.sleep(choices.uniform(0.3, 6))
            peer.signal(signal.SIGCONT)
        return await self.with_peer(choices, act)

    async def cut_link(self, choices):
        async def act(peer):
            peer.relay.cut()
        return await self.with_peer(choices, act, relayed=True)

    async def half_open_link(self, choices):
        return await self.with_peer(choices, lambda peer: peer.relay.half_open(choices.uniform(1, 8)), relayed=True)

    async def slow_link(self, choices):
        return await self.with_peer(choices, lambda peer: peer.relay.be_slow(choices.uniform(1, 4)), relayed=True)

    async def overload(self, choices):
        await Overload(self.run, len(self.done), 3).stage()

    async def heavy_overload(self, choices):
        await Overload(self.run, len(self.done), 10).stage()

    async def stop_proxy(self, choices):
        excuse = self.ledger.excuse("the proxy was stopped", ANYTHING)
        self.run.own.signal(signal.SIGSTOP)
        await asyncio.sleep(2)
        self.run.own.signal(signal.SIGCONT)
        await self.recovered("SIGSTOP and SIGCONT")
        excuse.ended = self.ledger.now()

    async def kill_proxy(self, choices):
        await self.restart(signal.SIGKILL, "kill -9")

    async def restart_proxy(self, choices):
        await self.restart(signal.SIGTERM, "SIGTERM and a new start")

    async def restart(self, number, words):
        own = self.run.own
        excuse = self.ledger.excuse(words, ANYTHING | own.between)
        own.signal(number)
        if await asyncio.to_thread(own.await_end, 30) is None:
            self.ledger.found("hung", "the proxy did not end within 30 s of SIGTERM")
            own.signal(signal.SIGKILL)
            await asyncio.to_thread(own.await_end, 10)
        await asyncio.to_thread(own.start)
        await asyncio.to_thread(own.await_ready)
        await self.recovered(words)
        excuse.ended = self.ledger.now()

    async def listener_restart(self, choices):
        """Clients and peers lose their connections, and find the ports again by themselves."""
        words = "a restart of the listener"
        excuse = self.ledger.excuse(words, ANYTHING)
        before = await self.listener_restarts()
        await asyncio.to_thread(self.run.own.restart_listener)
        begun = self.ledger.now()
        while await self.listener_restarts() <= before:
            if self.ledger.now() - begun > RECOVERY:
                self.ledger.found("not recovered", f"the LRWP port is not open again {RECOVERY} s after {words}")
                break
            await asyncio.sleep(0.1)
        await self.recovered(words)
        excuse.ended = self.ledger.now()

    async def listener_restarts(self):
        """How often the ports have come back, as the proxy counts it."""
        status = await self.run.health.status()
        return status["transport"]["restarts"] if status else 0

    async def full_disk(self, choices):
        excuse = self.ledger.excuse("the disk was full", ERRORS | {"cut"})
        await asyncio.to_thread(self.run.own.fill_disk)
        await asyncio.sleep(3)
        self.run.own.free_disk()
        await self.recovered("a full disk")
        excuse.ended = self.ledger.now()

    async def no_descriptors(self, choices):
        own = self.run.own
        excuse = self.ledger.excuse("the proxy had no descriptors", ANYTHING)
        old = own.limit_descriptors(choices.randrange(0, 10))
        links = [await self.attacks.dial(self.run.http) for _ in range(40)]
        await asyncio.sleep(2)
        own.restore_descriptors(old)
        for link in links:
            if link:
                link[1].close()
        await self.recovered("a time without descriptors")
        excuse.ended = self.ledger.now()

    async def clock_jump(self, choices):
        """No request may notice: what waits is measured by a clock that does not jump."""
        await asyncio.to_thread(self.run.own.set_clock, choices.choice(["+3600", "-3600"]))
        await asyncio.sleep(3)
        await asyncio.to_thread(self.run.own.set_clock, "+0")
        await asyncio.sleep(2)

    async def recovered(self, after):
        """Waits until the context that nobody shakes answers some times in a row."""
        begun, right = self.ledger.now(), 0
        while right < 5:
            if self.ledger.now() - begun > RECOVERY:
                self.ledger.found("not recovered", f"no answers at {STEADY} within {RECOVERY} s after {after}")
                return
            right = right + 1 if await self.probe() else 0
            await asyncio.sleep(0.05)
        self.ledger.notes.append(f"answers again {self.ledger.now() - begun:.1f} s after {after}")

    async def probe(self, context=STEADY):
        link = await self.attacks.dial(self.run.http)
        if not link:
            return False
        try:
            link[1].write(http1.request("GET", f"{context}/probe", fields=[("X-Id", "probe"), ("Connection", "close")]))
            async with asyncio.timeout(5):
                return (await http1.read_answer(link[0], "GET")).status == 200
        except (TimeoutError, OSError, http1.Cut, http1.Malformed):
            return False
        finally:
            link[1].close()
