"""Whether the proxy is as before when all faults are over."""

import asyncio
import json
from collections import Counter

from rig import http1
from rig.stage import RECOVERY

# What a proxy may have more of than at the start: threads and descriptors that it keeps for the next time.
MORE_ALLOWED = {"descriptors": 100, "threads": 60, "temporary files": 0}


class Health:
    def __init__(self, run):
        self.run = run
        self.ledger = run.ledger
        self.before = {}
        self.after = {}

    async def take_figures(self):
        if self.run.own:
            self.before = self.run.own.figures()

    async def status(self):
        """The status page, or None when it is not for us."""
        link = await self.run.stage.attacks.dial(self.run.http)
        if not link:
            return None
        try:
            link[1].write(http1.request("GET", "/-/status", fields=[("Connection", "close")]))
            async with asyncio.timeout(10):
                answer = await http1.read_answer(link[0], "GET")
            return json.loads(answer.body) if answer.status == 200 else None
        except (TimeoutError, OSError, ValueError, http1.Cut, http1.Malformed):
            return None
        finally:
            link[1].close()

    async def check(self):
        """Waits until nothing is left of the run, and tells what is when that takes too long."""
        begun = self.ledger.now()
        await self.run.stage.recovered("the last fault")
        left = ["nothing was looked at"]
        while left and self.ledger.now() - begun < RECOVERY:
            await asyncio.sleep(0.25)
            left = await self.left()
        for words in left:
            self.ledger.found("not recovered", f"{words}, {RECOVERY} s after the last fault")

    async def left(self):
        if self.run.own and self.run.own.process.poll() is not None:
            return [f"the proxy has ended by itself with {self.run.own.process.returncode}"]
        status = await self.status()
        if status is None:
            if self.run.own:
                return ["the status page does not answer"]
            self.ledger.notes.append("the status page is not for this address, so peers and bodies were not counted")
            return []
        return list(self.left_of(status)) + list(self.grown())

    def left_of(self, status):
        ours = [context for context in status["contexts"] if context["context"].startswith("/torture")]
        there = {context["context"]: context["connections"] for context in ours}
        for context, wanted in Counter(peer.sort.context for peer in self.run.peers).items():
            if there.get(context, 0) < wanted:
                yield f"{context} has {there.get(context, 0)} connections of {wanted} peers"
        for context in ours:
            if context["waiting"]:
                yield f"{context['waiting']} requests wait for {context['context']}"
        if self.run.own:
            if status["exchanges"]:
                yield f"requests are in flight: {json.dumps(status['exchanges'][:3])}"
            if status["spoolMemory"] or status["spoolDisk"]:
                yield f"bodies are kept: {status['spoolMemory']} bytes in memory, {status['spoolDisk']} on the disk"
        stuck = [peer["peer"] for peer in status["peers"] if peer["stuck"]]
        if stuck:
            yield f"cancelled requests are held by {', '.join(stuck)}"

    def grown(self):
        if not self.run.own:
            return
        self.after = self.run.own.figures()
        for name, more in MORE_ALLOWED.items():
            if self.after[name] > self.before[name] + more:
                yield f"{name}: {self.after[name]}, before {self.before[name]}"
