package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lrwp.systemtests.harness.HexVector;
import org.lrwp.systemtests.harness.HexVector.Sender;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Every recorded exchange, with the differences of docs/protocol.md section 9 and no others. */
@SystemTest
@ServerConfig("admission")
class ExchangeVectorsIT {
    /** Variables that Xitami had and we never send. */
    private static final Set<String> DROPPED =
            Set.of(
                    "CGI_URL",
                    "CGI_ROOT",
                    "DOCUMENT_ROOT",
                    "PATH_TRANSLATED",
                    "PATH",
                    "HTTP_CONNECTION");

    /** Variables that Xitami had not, or not always. */
    private static final Set<String> ADDED =
            Set.of("QUERY_STRING", "REQUEST_URI", "REMOTE_PORT", "HTTP_X_REQUEST_ID");

    /** Variables with another value, for the reason given. */
    private static final Map<String, String> CHANGED =
            Map.of(
                    "SCRIPT_NAME", "CGI/1.1: the context",
                    "SERVER_PROTOCOL", "the client's version",
                    "SERVER_SOFTWARE", "our name",
                    "SERVER_VERSION", "our version",
                    "SERVER_PORT", "see SERVER_HTTP_PORT",
                    "SERVER_HTTP_PORT", "the port of this test",
                    "HTTP_REFERER", "with its query");

    /** Answers with another status, or none from Xitami. */
    private static final Map<String, Integer> STATUS =
            Map.of(
                    "resp-cl-wrong", 502,
                    "resp-nocolon", 502,
                    "resp-at", 502,
                    "resp-location-local", 302,
                    "resp-location-rel", 302,
                    "resp-location-status", 301,
                    "frame-len-minus", 502,
                    "frame-len-spacepad", 502);

    /** What peers send that costs them their connection. */
    private static final Set<String> PEER_DROPPED =
            Set.of("frame-extra-bytes", "frame-len-minus", "frame-len-spacepad");

    private static final Pattern VOLATILE = Pattern.compile("date|server|connection|keep-alive");
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final String PLAIN_GET =
            "GET /osp HTTP/1.0\r\nHost: localhost:18080\r\nUser-Agent: lw/1\r\n\r\n";

    static List<HexVector> exchanges() {
        return HexVector.all("frame-", "get-", "post-", "head", "resp-");
    }

    @Test
    void allRecordedExchangesAreThere() {
        assertEquals(27, exchanges().size());
    }

    @ParameterizedTest
    @MethodSource("exchanges")
    void exchangeIsAsRecordedButForTheDocumentedDifferences(HexVector vector, Scene scene)
            throws Exception {
        ScriptedPeer peer = scene.peer("osp");
        RawHttp client = scene.client();
        byte[] request = vector.first(Sender.BROWSER);
        client.wire().send(request.length == 0 ? Bytes.of(PLAIN_GET) : request);

        RequestFrame got = peer.request();
        requireSameEnvironment(vector, got);

        byte[] recorded = vector.first(Sender.SERVER);
        assertArrayEquals(bodyOf(recorded), got.body());
        peer.wire().send(whole(vector.first(Sender.PEER)));
        boolean head = Bytes.text(request).startsWith("HEAD");
        requireSameAnswer(vector, head ? client.answerToHead() : client.answer());
        End expected = PEER_DROPPED.contains(vector.name()) ? End.FIN : End.OPEN;
        Duration within = expected == End.FIN ? LONGEST : Duration.ofMillis(100);
        assertEquals(expected, peer.end(within));
    }

    private static int length(byte[] bytes, int at) {
        return Integer.parseInt(Bytes.text(bytes).substring(at, at + 9));
    }

    private static byte[] bodyOf(byte[] frame) {
        int block = length(frame, 0);
        int from = 9 + block + 9;
        return Arrays.copyOfRange(frame, from, from + length(frame, 9 + block));
    }

    private static void requireSameEnvironment(HexVector vector, RequestFrame got) {
        byte[] recorded = vector.first(Sender.SERVER);
        String block = Bytes.text(recorded).substring(9, 9 + length(recorded, 0));
        Set<String> names = new HashSet<>(ADDED);
        for (String entry : block.substring(0, block.length() - 2).split("\0", -1)) {
            String name = entry.substring(0, entry.indexOf('='));
            String value = entry.substring(entry.indexOf('=') + 1);
            names.add(name);
            if (DROPPED.contains(name) || name.startsWith("FORM_")) {
                assertTrue(!got.has(name), name + " is there");
            } else if (!CHANGED.containsKey(name)) {
                assertEquals(value, got.env(name), name);
            }
        }
        Set<String> unknown = new HashSet<>(got.env().keySet());
        unknown.removeAll(names);
        assertEquals(Set.of(), unknown, "variables that nobody knows");
        assertEquals("/osp", got.env("SCRIPT_NAME"));
        assertEquals("" + got.body().length, got.env("CONTENT_LENGTH"));
        if (!got.env("QUERY_STRING").isEmpty()) {
            assertEquals("http://r.test/p?q=1", got.env("HTTP_REFERER"));
        }
    }

    /** Two recordings were cut; they end in a run of the same byte. */
    private static byte[] whole(byte[] frame) {
        if (frame[0] < '0' || frame[0] > '9' || frame.length >= 9 + length(frame, 0)) {
            return frame;
        }
        byte[] whole = Arrays.copyOf(frame, 9 + length(frame, 0));
        Arrays.fill(whole, frame.length, whole.length, frame[frame.length - 1]);
        return whole;
    }

    private static void requireSameAnswer(HexVector vector, HttpAnswer answer) {
        String recorded = Bytes.text(vector.first(Sender.ANSWER));
        Integer other = STATUS.get(vector.name());
        int expected = other == null ? Integer.parseInt(recorded.substring(9, 12)) : other;
        assertEquals(expected, answer.status(), answer.toString());
        assertTrue(answer.value("Server").isEmpty(), "Server is there");
        if (expected == 502) {
            return;
        }
        String output = Bytes.text(whole(vector.first(Sender.PEER))).substring(9);
        int headEnd = recorded.indexOf("\r\n\r\n");
        if (headEnd > 0 && other == null) {
            for (String line : recorded.substring(0, headEnd).lines().toList()) {
                requireSameField(line, answer);
            }
        }
        if (vector.name().startsWith("resp-location")) {
            String location = output.replaceAll("(?s).*Location: ([^\r]*)\r.*", "$1");
            assertEquals(location, answer.value("Location").orElse(""));
        }
        if (!vector.name().equals("head")) {
            int blank = output.replace("\r\n", "\n").indexOf("\n\n");
            String body = blank < 0 ? output : output.replace("\r\n", "\n").substring(blank + 2);
            requireBody(vector, answer, body);
        }
    }

    private static void requireBody(HexVector vector, HttpAnswer answer, String output) {
        String body =
                vector.name().startsWith("frame-extra")
                        ? output.substring(0, output.length() - "EXTRA".length())
                        : output;
        assertEquals(body, answer.text());
    }

    private static void requireSameField(String line, HttpAnswer answer) {
        int colon = line.indexOf(": ");
        if (colon < 0) {
            return;
        }
        String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
        if (VOLATILE.matcher(name).matches()) {
            return;
        }
        String value = line.substring(colon + 2);
        assertTrue(answer.values(name).contains(value), line + " is not in " + answer);
    }
}
