"""Many times the requests that the peers of a context can take: the good answers must stay as many as before."""

import asyncio

from rig import http1
from rig.peers import LOAD, LOAD_SECONDS, LOAD_SLOTS

MEASURE, OFFER, SETTLE = 2, 6, 0.5
# By how many times the capacity is offered, the least share of it that is to be answered. Peers and clients of the rig
# share the machine with the proxy, which costs them some of the rest.
LEAST_SHARE = {3: 0.95, 10: 0.9}
TRIES, ENOUGH = 3, 0.8
MOST_CONNECTIONS = 600


class Overload:
    def __init__(self, run, number, factor):
        self.run = run
        self.ledger = run.ledger
        self.factor = factor
        self.name = f"load{number}"
        self.count = 0
        self.good = 0
        self.idle = []

    async def stage(self):
        """Measures what the peers can do, then offers so many times of it."""
        capacity = await self.capacity()
        if capacity < 1:
            self.ledger.notes.append("overload: no answer from the peers of its context, so nothing was offered")
            return
        offered = asyncio.create_task(self.offer(self.factor * capacity))
        await asyncio.sleep(SETTLE)
        before = self.good
        await asyncio.sleep(OFFER - SETTLE)
        rate = (self.good - before) / (OFFER - SETTLE)
        await offered
        self.judge(capacity, rate)
        for _, writer in self.idle:
            writer.close()

    def judge(self, capacity, rate):
        share, least, offered = rate / capacity, LEAST_SHARE[self.factor], self.factor * capacity
        words = (f"overload: {capacity:.0f}/s could be answered; of {offered:.0f}/s offered {rate:.0f}/s were,"
                 f" {share:.2f} of it")
        self.ledger.notes.append(words)
        if share < least:
            self.ledger.found("unanswered", f"{words}, where {least} is the least")

    async def capacity(self):
        """Good answers a second: the best of some measurements, as peers may be on their way back from a fault."""
        most, best = LOAD_SLOTS / LOAD_SECONDS, 0
        for _ in range(TRIES):
            best = max(best, await self.measure())
            if best > ENOUGH * most:
                break
        # What the slots can do at most: the measure is of a machine that has other things to do.
        return min(best, most)

    async def measure(self):
        """With twice as many clients as there are slots."""
        over = asyncio.Event()

        async def client():
            while not over.is_set():
                await self.one()

        clients = [asyncio.create_task(client()) for _ in range(2 * LOAD_SLOTS)]
        await asyncio.sleep(SETTLE)
        before = self.good
        await asyncio.sleep(MEASURE)
        rate = (self.good - before) / MEASURE
        over.set()
        await asyncio.gather(*clients)
        return rate

    async def offer(self, rate):
        """So many requests a second, whether there are answers or not."""
        tasks, begun, sent = set(), self.ledger.now(), 0
        while (passed := self.ledger.now() - begun) < OFFER:
            while sent < rate * passed:
                sent += 1
                if len(tasks) < MOST_CONNECTIONS:
                    task = asyncio.create_task(self.one())
                    tasks.add(task)
                    task.add_done_callback(tasks.discard)
            await asyncio.sleep(0.01)
        await asyncio.gather(*tasks)

    async def one(self):
        self.count += 1
        identity = f"{self.name}-{self.count}"
        self.ledger.begin(identity, "GET", LOAD)
        try:
            async with asyncio.timeout(self.run.patience):
                reader, writer = self.idle.pop() if self.idle else await http1.connect(self.run.http)
                writer.write(http1.request("GET", f"{LOAD}/{identity}", fields=[("X-Id", identity)]))
                answer = await http1.read_answer(reader, "GET")
        except TimeoutError:
            self.ledger.end(identity, "hung", f"after {self.run.patience} s")
        except http1.Cut as cut:
            self.ledger.end(identity, "cut" if cut.begun else "none")
        except OSError:
            self.ledger.end(identity, "unreachable")
        except http1.Malformed as fault:
            self.ledger.end(identity, "wrong", str(fault))
        else:
            self.ended(identity, answer)
            (writer.close() if answer.says_close() else self.idle.append((reader, writer)))

    def ended(self, identity, answer):
        if answer.status == 200 and answer.body == f"GET /{identity}\n".encode():
            self.good += 1
            self.ledger.end(identity, "right")
        elif answer.status == 503 and "retry-after" in answer.fields:
            self.ledger.end(identity, f"503 {answer.reason()}")
        else:
            self.ledger.end(identity, "wrong", f"status {answer.status} {answer.body[:60]!r}")
