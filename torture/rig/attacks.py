"""Connections that keep no rule: what they must get is an error or an end, soon, and never an answer of a peer."""

import asyncio
import random
import ssl

from rig import http1, wire
from rig.peers import SHAKEN

# Bytes that are no request, or one that can be read in two ways; what becomes of the connection is judged.
BAD_REQUESTS = (
    b"\x00\x01\x02\x03\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET %s/x HTTP/9.1\r\nHost: a\r\n\r\n",
    b"GET %s/x HTTP/1.1\r\n\r\n",
    b"GET %s/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET %s/x HTTP/1.1\r\nHost: a\r\nbad name: x\r\n\r\n",
    b"GET %s/x HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
    b"GET %s/x HTTP/1.1\r\nHost: a\r\n folded: x\r\n\r\n",
    b"GET %s/x HTTP/1.1\nHost: a\nX y\n\n",
    b"GET %s/%%2f%%00 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST %s/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST %s/x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST %s/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST %s/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    b"POST %s/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
    b"POST %s/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked, x\r\n\r\n0\r\n\r\n",
    b"GET %s/x HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 300_000 + b"\r\n\r\n",
    b"GET %s/" + b"y" * 300_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
)
SOON = 15
ALERT = bytes.fromhex("15030300020228")
HELLO = bytes.fromhex("16030100a5010000a10303")


async def closed(reader, seconds):
    """Whether the other side ends the connection within that time."""
    try:
        async with asyncio.timeout(seconds):
            while await reader.read(65536):
                pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


class Attacks:
    def __init__(self, run):
        self.run = run
        self.ledger = run.ledger

    async def dial(self, address):
        """A connection, or None when the proxy is away: others notice that."""
        try:
            async with asyncio.timeout(SOON):
                return await http1.connect(address)
        except (OSError, TimeoutError):
            return None

    async def garbage_client(self, choices):
        for bad in choices.sample(BAD_REQUESTS, 6):
            sent = bad.replace(b"%s", SHAKEN.encode(), 1).replace(b"%%", b"%")
            await self.bad_request(sent)
        await self.bad_request(choices.randbytes(choices.randrange(1, 5000)) + b"\r\n\r\n")

    async def bad_request(self, sent):
        link = await self.dial(self.run.http)
        if not link:
            return
        reader, writer = link
        words = f"the broken request {sent[:60]!r} ({len(sent)} bytes)"
        try:
            writer.write(sent)
            async with asyncio.timeout(SOON):
                answer = await http1.read_answer(reader, "GET")
            if answer.status < 400:
                self.ledger.found("wrong", f"{words} was answered with {answer.status}")
        except TimeoutError:
            self.ledger.found("hung", f"{words} had neither an answer nor an end within {SOON} s")
        except (http1.Cut, http1.Malformed, OSError):
            pass
        finally:
            writer.close()

    async def slow_clients(self, choices):
        await asyncio.gather(*(self.dribble(random.Random(choices.getrandbits(32))) for _ in range(8)))

    async def dribble(self, choices):
        link = await self.dial(self.run.http)
        if not link:
            return
        reader, writer = link
        data = http1.request("POST", f"{SHAKEN}/dribble", choices.randbytes(200))
        try:
            for i in range(choices.randrange(20, 60)):
                writer.write(data[i : i + 1])
                await writer.drain()
                await asyncio.sleep(0.05)
        except OSError:
            pass
        writer.close()

    async def reset_storm(self, choices):
        await asyncio.gather(*(self.reset_one(random.Random(choices.getrandbits(32))) for _ in range(30)))

    async def reset_one(self, choices):
        link = await self.dial(self.run.http)
        if link:
            link[1].write(http1.request("GET", f"{SHAKEN}/storm"))
            await asyncio.sleep(choices.choice([0, 0, 0.005, 0.05]))
            http1.reset(link[1])

    async def garbage_peer(self, choices):
        three = b"\xff3.0\xfftorture-garbage\xff\xff"
        start = choices.choice([b"", three, b"torture-garbage\xff\xff", b"\xff2.0\xfftorture-garbage\xff\xff"])
        await self.garbage(self.run.lrwp, start, choices.randbytes(choices.randrange(1, 3000)))
        frames = wire.frame(wire.SETTINGS, 0)
        frames += wire.frame(choices.randrange(20), choices.randrange(9), choices.randbytes(64))
        await self.garbage(self.run.lrwp, three, frames + choices.randbytes(200))
        await self.garbage(self.run.lrwp, three, frames + b"\xff\xff\xff\xff" * 4)

    async def garbage(self, address, start, rest):
        link = await self.dial(address)
        if not link:
            return
        reader, writer = link
        try:
            writer.write(start)
            await asyncio.sleep(0.05)
            writer.write(rest)
            await asyncio.sleep(0.5)
        except OSError:
            pass
        writer.close()

    async def silent_peers(self, choices):
        starts = [b"", b"", b"tortu", b"\xff3.0\xfftorture", b"\xff2.0", b"\xff"]
        await asyncio.gather(*(self.silent(start, self.run.lrwp) for start in starts))

    async def silent(self, start, address):
        link = await self.dial(address)
        if not link:
            return
        reader, writer = link
        writer.write(start)
        begun = self.ledger.now()
        if not await closed(reader, self.run.registration_time + SOON) and not self.was_away(begun):
            self.ledger.found("hung", f"a connection that sent {start!r} and no more was not closed")
        writer.close()

    def was_away(self, begun):
        return any(excuse.ended >= begun for excuse in self.ledger.excuses)

    async def deaf_peer(self, choices):
        """Takes three requests and says nothing more, for three seconds."""
        link = await self.dial(self.run.lrwp)
        if not link:
            return
        reader, writer = link
        writer.write(b"\xff3.0\xff" + SHAKEN[1:].encode() + b"\xff\xff")
        await asyncio.sleep(0.1)
        writer.write(wire.frame(wire.SETTINGS, 0, b"capacity=3\0ping=1\0"))
        await asyncio.sleep(choices.uniform(0.5, 3))
        choices.choice([writer.close, lambda: http1.reset(writer)])()

    async def tls_garbage(self, choices):
        address = self.run.tls
        for sent in (b"torture\xff\xff", HELLO, HELLO + choices.randbytes(170), choices.randbytes(300), ALERT):
            await self.garbage(address, sent, b"")
        await asyncio.gather(self.silent(b"", address), self.silent(HELLO, address))
        await self.old_tls(address)

    async def old_tls(self, address):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        try:
            async with asyncio.timeout(SOON):
                _, writer = await asyncio.open_connection(*address, ssl=context)
        except (OSError, ssl.SSLError, TimeoutError):
            return
        self.ledger.found("wrong", "the port for peers inside TLS took a client of TLS 1.2")
        writer.close()
