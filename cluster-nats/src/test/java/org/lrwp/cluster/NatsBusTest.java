package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.net.ssl.SSLContext;

/** The bus with the library's real connection. */
class NatsBusTest {
    private final Subjects subjects = new Subjects("test", "a", 0xABC);
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private @Nullable FakeNats nats;
    private @Nullable Bus bus;

    /** Writes down what it hears. */
    private final class Ears implements Bus.Listener {
        @Override
        public void up(Bus way) {
            heard.add("up");
        }

        @Override
        public void down(String reason) {
            heard.add("down");
        }

        @Override
        public void unreached(String reason) {
            heard.add("unreached " + reason);
        }

        @Override
        public void message(String subject, String answers, byte[] bytes) {
            heard.add(
                    Subjects.last(subject)
                            + "|"
                            + Subjects.last(answers)
                            + "|"
                            + new String(bytes, StandardCharsets.US_ASCII));
        }

        @Override
        public void nobody(String answers) {
            heard.add("nobody " + Subjects.last(answers));
        }
    }

    private Bus dial(URI url) {
        return dial(url, null);
    }

    private Bus dial(URI url, @Nullable SSLContext tls) {
        var config =
                new ClusterConfig(
                        List.of(url),
                        "test",
                        "a",
                        new ClusterConfig.Access(new ClusterConfig.Login("user", "word"), tls),
                        Duration.ofMillis(250),
                        Duration.ZERO,
                        1,
                        0,
                        null);
        Bus dialled = NatsBus.dial(config, subjects, new Ears());
        bus = dialled;
        return dialled;
    }

    private FakeNats server() throws Exception {
        var server = new FakeNats();
        nats = server;
        return server;
    }

    private void awaitHeard(String what, int times) {
        TestNode.await(
                what + " in " + heard, () -> heard.stream().filter(what::equals).count() == times);
    }

    @AfterEach
    void close() throws Exception {
        if (bus != null) {
            bus.close();
        }
        if (nats != null) {
            nats.close();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void messagesComeAndNobodyIsTold() throws Exception {
        FakeNats server = server();
        Bus way = dial(server.url());
        awaitHeard("up", 1);
        TestNode.await("subscribed", () -> server.subjects().size() == 6);

        assertTrue(way.send(subjects.requests("a"), subjects.answers("7"), bytes("one")));
        assertTrue(way.send(subjects.control("a"), null, bytes("two")));
        assertTrue(way.send(subjects.requests("b"), subjects.answers("8"), bytes("three")));

        awaitHeard("rq|7|one", 1);
        awaitHeard("ctl||two", 1);
        awaitHeard("nobody 8", 1);
        assertFalse(way.send(subjects.requests("b"), null, new byte[2000]), "above max_payload");
        server.complain();
    }

    @Test
    void lostConnectionIsDownAndComesBack() throws Exception {
        FakeNats server = server();
        Bus way = dial(server.url());
        awaitHeard("up", 1);
        server.throwOut();
        awaitHeard("down", 1);
        awaitHeard("up", 2);
        TestNode.await("subscribed", () -> server.subjects().size() == 6);
        assertTrue(way.send(subjects.control("a"), null, bytes("again")));
        awaitHeard("ctl||again", 1);

        way.close();
        assertFalse(way.send(subjects.control("a"), null, bytes("never")));
    }

    @Test
    void whereNobodyListensItIsDownOnceAndDialsOn() throws Exception {
        URI url;
        try (var gone = new FakeNats()) {
            url = gone.url();
        }
        Bus way = dial(url);
        awaitHeard("down", 1);
        awaitHeard("unreached Connection refused", 1);
        assertFalse(way.send(subjects.heartbeats(), null, bytes("x")));
        way.close();
        assertEquals(List.of("down", "unreached Connection refused"), heard);
    }

    @Test
    void handshakeThatFailsIsToldWithItsReason() throws Exception {
        FakeNats server = server();
        server.wantTls();
        dial(server.url(), NatsTls.context(null, null));
        awaitHeard(
                "unreached javax.net.ssl.SSLException: Unsupported or unrecognized SSL message", 1);
    }
}
