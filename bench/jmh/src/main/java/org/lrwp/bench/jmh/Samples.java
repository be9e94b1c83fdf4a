package org.lrwp.bench.jmh;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.EnvBlock;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.ScriptPath;
import org.lrwp.protocol.frame.FrameHead;
import org.lrwp.protocol.frame.FrameType;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The request and the answer of the benchmarks: a POST of 1,500 bytes, 1,024 bytes of XML. */
final class Samples {
    private static final String HEAD =
            """
            Status: 200 OK
            Content-Type: text/xml
            Content-Length: 1024
            Cache-Control: no-store

            """;
    static final int BODY = 1500;
    private static final int ANSWER_BODY = 1024;
    private static final int ENV_LIMIT = 128 * 1024;

    private Samples() {}

    static byte[] answer() {
        return (HEAD + "a".repeat(ANSWER_BODY)).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The answer as an LRWP 1 peer sends it: its length, its bytes. */
    static ByteBuffer lrwp1Answer() {
        byte[] answer = answer();
        byte[] length = "%09d".formatted(answer.length).getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(length.length + answer.length).put(length).put(answer).flip();
    }

    /** The answer as an LRWP 3 peer sends it: one RESPONSE frame that ends stream 1. */
    static ByteBuffer lrwp3Answer() {
        byte[] answer = answer();
        return ByteBuffer.allocate(FrameHead.SIZE + answer.length)
                .put(FrameHead.of(FrameType.RESPONSE, true, 1, answer.length))
                .put(answer)
                .flip();
    }

    static RequestHead requestHead() {
        var connection =
                new ClientConnection(
                        InetAddress.getLoopbackAddress(), 40_000, "127.0.0.1", 1080, false);
        try {
            return new RequestHead.Draft("POST", "/osp/x?a=1", "HTTP/1.1", connection)
                    .field("Host", "127.0.0.1:1080")
                    .field("User-Agent", "bench/1.0")
                    .field("Accept", "*/*")
                    .field("Accept-Encoding", "gzip, deflate")
                    .field("Content-Type", "text/xml")
                    .field("Content-Length", Integer.toString(BODY))
                    .check();
        } catch (BadRequestException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static EnvBlock envBlock(RequestHead head) {
        var config = new EnvConfig("LRWP proxy", "1.0", true, List.of(), "", ENV_LIMIT);
        return new EnvBlock(config, head, new ScriptPath("", "/osp/x", 4, false), "dd00bd2f-6");
    }

    /** A request that a peer has answered. */
    static ExchangeRecord ended() {
        return new ExchangeRecord(
                "dd00bd2f-6",
                "127.0.0.1",
                "POST",
                () -> "/osp/x",
                "/osp",
                "127.0.0.1:40000",
                "billing",
                200,
                1500,
                1024,
                10_000,
                500_000,
                510_000,
                600_000,
                0,
                "edge",
                "",
                "answered",
                RequestDetails.NONE);
    }
}
