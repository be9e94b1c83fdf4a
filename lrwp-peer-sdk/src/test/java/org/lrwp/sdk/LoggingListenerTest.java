package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lrwp.protocol.ProtocolVersion;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;

final class LoggingListenerTest {
    private final Lines lines = new Lines();
    private final PeerListener listener = new LoggingListener(lines);
    private final PeerLink link =
            new PeerLink(
                    new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 1081), "/osp", "", 2);

    /** Keeps what is logged. */
    private static final class Lines implements System.Logger {
        private final List<String> lines = new ArrayList<>();

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String message,
                @Nullable Throwable thrown) {
            lines.add(level + " " + message + (thrown == null ? "" : " + " + thrown.getMessage()));
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                @Nullable String format,
                @Nullable Object... parameters) {
            lines.add(level + " " + format);
        }
    }

    @Test
    void eventsAreLinesWithTheirNameFirst() {
        listener.onEvent(new PeerEvent.Connecting(link));
        listener.onEvent(new PeerEvent.Registered(link));
        listener.onEvent(new PeerEvent.HandlerFailed(link, new IOException("why")));
        listener.onEvent(new PeerEvent.Retrying(link, Duration.ofMillis(7)));
        listener.onEvent(new PeerEvent.Closed(link));

        String where = " proxy=127.0.0.1:1081 context=/osp connection=2";
        assertEquals(
                List.of(
                        "DEBUG connecting" + where,
                        "INFO registered" + where,
                        "WARNING handler-failed" + where + " + why",
                        "DEBUG retrying" + where + " delay-ms=7",
                        "INFO closed" + where),
                lines.lines);
    }

    @Test
    void faultThatLastsIsLoggedOnceUntilItIsOver() {
        PeerEvent lost = new PeerEvent.Lost(link, new IOException("gone"));
        PeerEvent unresolved =
                new PeerEvent.Unresolved(new ProxyAddress("a", 1), new UnknownHostException("a"));
        for (PeerEvent event :
                List.of(
                        lost,
                        lost,
                        new PeerEvent.Refused(link, "no"),
                        unresolved,
                        unresolved,
                        new PeerEvent.Registered(link),
                        lost,
                        unresolved)) {
            listener.onEvent(event);
        }

        assertEquals(
                List.of(
                        "WARNING lost",
                        "DEBUG lost",
                        "DEBUG refused",
                        "WARNING unresolved",
                        "INFO registered",
                        "WARNING lost",
                        "WARNING unresolved"),
                lines.lines.stream()
                        .map(line -> line.replaceFirst("^(\\w+ [a-z-]+).*$", "$1"))
                        .toList());
    }

    @Test
    void whoeverAsksForLinesGetsThoseFromInfoOnAndTheTraceOfAFailure() {
        List<String> asked = new ArrayList<>();
        PeerListener handingOn = new LoggingListener(new LineLogger(asked::add));
        handingOn.onEvent(new PeerEvent.Connecting(link));
        handingOn.onEvent(new PeerEvent.Registered(link));
        handingOn.onEvent(new PeerEvent.HandlerFailed(link, new IOException("why")));

        String where = " proxy=127.0.0.1:1081 context=/osp connection=2";
        assertEquals(2, asked.size(), asked::toString);
        assertEquals("registered" + where, asked.get(0));
        assertTrue(
                asked.get(1)
                        .startsWith("handler-failed" + where + "\njava.io.IOException: why\n\tat "),
                asked.get(1));
    }

    @Test
    void wordsOfTheProxyStayOnOneLine() {
        listener.onEvent(new PeerEvent.Refused(link, "a\nb\"c\\\u00ff"));

        assertEquals(
                "WARNING refused proxy=127.0.0.1:1081 context=/osp connection=2"
                        + " reason=\"a\\u000ab\\\"c\\\\\\u00ff\"",
                lines.lines.getFirst());
    }

    @Test
    void aRefusalThatAConfigurationMendsSaysHow() {
        listener.onEvent(new PeerEvent.Refused(link, "ERROR: Connection requires an identity"));

        assertEquals(
                "WARNING refused proxy=127.0.0.1:1081 context=/osp connection=2"
                        + " reason=\"ERROR: Connection requires an identity\""
                        + " remedy=\"set an identity and its key\"",
                lines.lines.getFirst());
    }

    @Test
    void olderVersionIsLoggedOnceAndLossesAfterADrainAreNoNews() {
        PeerEvent older =
                new PeerEvent.Downgraded(
                        link, ProtocolVersion.LRWP_3, ProtocolVersion.LRWP_2, "silence");
        listener.onEvent(older);
        listener.onEvent(older);
        listener.onEvent(new PeerEvent.Draining(link));
        listener.onEvent(new PeerEvent.Lost(link, new IOException("gone")));
        listener.onEvent(new PeerEvent.Unregistered(link));

        String where = " proxy=127.0.0.1:1081 context=/osp connection=2";
        String down = "downgraded" + where + " from=3.0 to=2.0 reason=\"silence\"";
        assertEquals(
                List.of(
                        "INFO " + down,
                        "DEBUG " + down,
                        "INFO draining" + where,
                        "DEBUG lost" + where + " cause=\"java.io.IOException: gone\"",
                        "INFO unregistered" + where),
                lines.lines);
    }
}
