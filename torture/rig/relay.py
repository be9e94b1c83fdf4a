"""The network between a peer and the proxy: carries bytes, and stops doing so when it is told."""

import asyncio

from rig.http1 import reset

PIECE = 65536
SLOW_PIECE = 1024
SLOW_PAUSE = 0.05


class Relay:
    """Listens for one peer. A reset on one side becomes one on the other, and an end an end: peers rely on it."""

    def __init__(self, target):
        self.target = target
        self.links = set()
        self.open = asyncio.Event()
        self.open.set()
        self.slow = False
        self.server = None

    async def start(self):
        self.server = await asyncio.start_server(self.carry, "127.0.0.1", 0)
        return self.server.sockets[0].getsockname()

    async def carry(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection(*self.target)
        except OSError:
            reset(writer)
            return
        link = (writer, far_writer)
        self.links.add(link)
        try:
            await asyncio.gather(self.pump(reader, far_writer), self.pump(far_reader, writer))
        except asyncio.CancelledError:
            # The run is over. Nobody waits for this task, so nobody is to be told.
            pass
        except OSError:
            reset(writer)
            reset(far_writer)
        finally:
            self.links.discard(link)
            writer.close()
            far_writer.close()

    async def pump(self, reader, writer):
        while True:
            data = await reader.read(SLOW_PIECE if self.slow else PIECE)
            await self.open.wait()
            if not data:
                writer.write_eof()
                return
            writer.write(data)
            await writer.drain()
            if self.slow:
                await asyncio.sleep(SLOW_PAUSE)

    def cut(self):
        """Resets what is connected, on both sides."""
        for link in list(self.links):
            for writer in link:
                reset(writer)

    async def half_open(self, seconds):
        """Carries nothing for a while and tells nobody; then the connections of that time are reset."""
        self.open.clear()
        await asyncio.sleep(seconds)
        self.cut()
        self.open.set()

    async def be_slow(self, seconds):
        self.slow = True
        await asyncio.sleep(seconds)
        self.slow = False

    def close(self):
        self.cut()
        if self.server:
            self.server.close()
