package org.lrwp.engine.peer.serial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.engine.testkit.FakeLink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/** A request whose body the disk gives late. */
class RequestSenderTest {
    @TempDir private Path folder = Path.of("unset");
    private final Queue<Runnable> disk = new ArrayDeque<>();
    private final AtomicInteger ready = new AtomicInteger();
    private final FakeLink link = new FakeLink("127.0.0.1", 9, Runnable::run);

    private Spool body() throws Exception {
        Spool body =
                new SpoolStore(new SpoolConfig(folder, 3, 100, 1000, 1000), disk::add).forRequest();
        body.append(bytes("abc"));
        body.append(bytes("defg"));
        body.complete();
        return body;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void diskWorks() {
        for (Runnable next = disk.poll(); next != null; next = disk.poll()) {
            next.run();
        }
    }

    @Test
    void goesOnWhenTheDiskHasGivenTheRest() throws Exception {
        var sender = new RequestSender(bytes("head "), body(), ready::incrementAndGet);

        assertFalse(sender.send(link));
        assertTrue(sender.isStarved());
        assertEquals("head abc", link.received());
        assertEquals(0, ready.get());
        diskWorks();

        assertTrue(ready.get() > 0);
        assertTrue(sender.send(link));
        assertFalse(sender.isStarved());
        assertEquals("defg", link.received());
    }

    @Test
    void peerThatTakesNothingIsNotTheDisksFault() throws Exception {
        link.takesOnly(2);
        var sender = new RequestSender(bytes("head "), body(), ready::incrementAndGet);

        assertFalse(sender.send(link));

        assertFalse(sender.isStarved());
    }

    @Test
    void bodyThatTheDiskLosesEndsTheRequest() throws Exception {
        Spool body = body();
        var sender = new RequestSender(bytes("head "), body, ready::incrementAndGet);
        assertFalse(sender.send(link));

        body.close();

        assertThrows(IOException.class, () -> sender.send(link));
        diskWorks();
    }
}
