package org.lrwp.webapp.container;

import org.glassfish.grizzly.Buffer;
import org.lrwp.http1.KnownMethod;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** A request without TLS, where TLS is spoken. */
final class PlainRequest {
    /** What a log says of its client. */
    static final String REASON = "the client speaks plain HTTP on the HTTPS port";

    /** What HTTP/2 begins with. */
    private static final String PREFACE = "PRI";

    private static final List<String> BEGINNINGS =
            Stream.concat(
                            Stream.of(KnownMethod.values()).map(KnownMethod::name),
                            Stream.of(PREFACE))
                    .map(method -> method + ' ')
                    .toList();

    private static final String TEXT = "This port speaks HTTPS. The request came without TLS.\n";

    private PlainRequest() {}

    /**
     * Says whether bytes are the beginning of a request.
     *
     * @param come enough of them to tell a record of TLS
     */
    static boolean isBegun(Buffer come) {
        for (String beginning : BEGINNINGS) {
            if (begins(come, beginning)) {
                return true;
            }
        }
        return false;
    }

    private static boolean begins(Buffer come, String beginning) {
        int known = Math.min(come.remaining(), beginning.length());
        for (int i = 0; i < known; i++) {
            if (come.get(come.position() + i) != beginning.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** What the client gets, which can read no alert. */
    static ByteBuffer answer() {
        String answer =
                "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: "
                        + TEXT.length()
                        + "\r\nConnection: close\r\n\r\n"
                        + TEXT;
        return ByteBuffer.wrap(answer.getBytes(StandardCharsets.US_ASCII));
    }
}
