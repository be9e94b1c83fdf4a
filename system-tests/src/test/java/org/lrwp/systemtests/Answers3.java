package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.FramePeer;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;

/** What answers of LRWP 3 peers look like to clients that read byte by byte. */
final class Answers3 {
    private Answers3() {}

    /** Requires that a peer's next request is for a path, and that its client gets the answer. */
    static void requireServed(FramePeer peer, String path, String text, RawHttp client)
            throws IOException {
        requireAnswered(peer, peer.request(path).stream(), text, client);
    }

    /** Requires that a client gets what its peer answers. */
    static void requireAnswered(FramePeer peer, int stream, String text, RawHttp client)
            throws IOException {
        peer.text(stream, text);
        assertEquals(text, client.answer().text());
    }

    /**
     * Requires that the rest of an answer, from within its head on, ends visibly before its time: a
     * chunked one without its last chunk, any other by a reset.
     */
    static void requireCut(RawHttp client) throws IOException {
        boolean chunked = false;
        long length = -1;
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            chunked |= line.equalsIgnoreCase("Transfer-Encoding: chunked");
            if (line.startsWith("Content-Length: ")) {
                length = Long.parseLong(line.substring("Content-Length: ".length()));
            }
        }
        var body = new StringBuilder();
        End end = readToEnd(client, body);
        if (chunked) {
            assertEquals(false, body.toString().endsWith("0\r\n\r\n"), "whole: " + body);
        } else if (length >= 0) {
            assertEquals(true, body.length() < length, "whole: " + body);
        } else {
            assertEquals(End.RESET, end, "an answer without length or chunks");
        }
    }

    private static End readToEnd(RawHttp client, StringBuilder body) throws IOException {
        client.wire().patience(Duration.ofSeconds(10));
        try {
            for (int value = client.wire().read(); value >= 0; value = client.wire().read()) {
                body.append((char) value);
            }
            return End.FIN;
        } catch (SocketException e) {
            return End.RESET;
        }
    }
}
