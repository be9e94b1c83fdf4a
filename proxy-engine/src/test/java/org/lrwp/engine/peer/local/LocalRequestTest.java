package org.lrwp.engine.peer.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.exchange.RequestView;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.EnvBlock;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.ScriptPath;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.LengthField;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.RequestPayload;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

class LocalRequestTest {
    private static final int LIMIT = 65_536;
    private static final ScriptPath PATH = new ScriptPath("/app", "/img/4\u00e9", 4, false);
    private static final List<String> NAMES =
            List.of(
                    "If-None-Match",
                    "if-none-match",
                    "X-A",
                    "X_A",
                    "Cookie",
                    "Connection",
                    "Proxy",
                    "Host",
                    "X-Forwarded-For",
                    "Content-Type",
                    "Content-Length",
                    "X-Request-Id",
                    "Not-There");

    private final AtomicInteger blocks = new AtomicInteger();

    private static EnvConfig config(boolean xitami, String root, int limit) {
        return new EnvConfig("LRWP", "1.2", xitami, Network.LOOPBACK, root, limit);
    }

    private static EnvBlock block(EnvConfig config, String from, String... fields)
            throws Exception {
        var connection =
                new ClientConnection(InetAddress.getByName(from), 40_000, "127.0.0.1", 80, false);
        var draft = new RequestHead.Draft("PUT", "/app/img/4%e9?q=1", "HTTP/1.1", connection);
        draft.field("Host", "a:80");
        for (String field : fields) {
            int colon = field.indexOf(':');
            draft.field(field.substring(0, colon), field.substring(colon + 1));
        }
        return new EnvBlock(config, draft.check(), PATH, "id-123456");
    }

    private static ByteBuffer encoded(EnvBlock block) {
        try {
            ByteBuffer head = block.encode(new EnvBlockWriter(), 7, "");
            return head.position(LengthField.SIZE).limit(head.limit() - LengthField.SIZE);
        } catch (MalformedFrameException e) {
            throw new IllegalStateException(e);
        }
    }

    private LocalRequest request(EnvBlock block) {
        RequestView view = Objects.requireNonNull(block.view());
        return new LocalRequest(
                view,
                7,
                () -> {
                    blocks.incrementAndGet();
                    return encoded(block);
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "If-None-Match:\"a\"",
                "if-none-match:\"a\"|IF-NONE-MATCH:\"b\"",
                "X-A:1|x-a:2|X_A:3",
                "X_A:3",
                "X-A:|Cookie:a=1|cookie:b=2",
                "X-A:1|Connection:x-a",
                "X-A:1|Connection:Keep-Alive",
                "Content-Type:image/png|Content-Length:7",
                "Content-Type:image/png|Connection:close, content-type",
                "X-Forwarded-For:1.2.3.4|Connection:X-Forwarded-For",
                "Proxy:http://x|X-Request-Id:12345678"
            })
    void allIsToldAsTheEnvBlockTellsIt(String fields) throws Exception {
        String[] lines = fields.isEmpty() ? new String[0] : fields.split("\\|", -1);
        for (String from : List.of("127.0.0.1", "10.0.0.1")) {
            for (boolean xitami : List.of(true, false)) {
                EnvBlock block = block(config(xitami, "", LIMIT), from, lines);
                var read = org.lrwp.sdk.RequestHead.of(RequestPayload.environment(encoded(block)));
                LocalRequest told = request(block);
                List<String> wrong = new ArrayList<>();
                for (String name : NAMES) {
                    if (!Objects.equals(read.header(name), told.header(name))) {
                        wrong.add(name + ": " + read.header(name) + " " + told.header(name));
                    }
                }
                assertEquals(List.of(), wrong, from + " " + xitami);
                read.environment()
                        .forEach((name, value) -> assertEquals(value, told.variable(name), name));
                assertEquals(read.environment(), told.environment());
                assertEquals(read.variable("LRWP_FORWARDED"), told.variable("LRWP_FORWARDED"));
                assertEquals(read.method(), told.method());
                assertEquals(read.pathInfo(), told.pathInfo());
                assertEquals(read.query(), told.query());
                assertEquals(read.bodyLength(), told.bodyLength());
            }
        }
    }

    @Test
    void whatMostModulesAskForNeedsNoBlock() throws Exception {
        LocalRequest told = request(block(config(true, "", LIMIT), "127.0.0.1", "Range:bytes=0-"));

        assertEquals("PUT", told.method());
        assertEquals("/4\u00e9", told.pathInfo());
        assertEquals("q=1", told.query());
        assertEquals("bytes=0-", told.header("range"));
        assertEquals("127.0.0.1", told.variable("REMOTE_ADDR"));
        assertNull(told.variable("LRWP_FORWARDED"));
        assertEquals(0, blocks.get());
        assertEquals("id-123456", told.variable("HTTP_X_REQUEST_ID"));
        assertEquals("-", told.variable("REMOTE_USER"));
        assertNull(told.variable("NO_SUCH"));
        assertEquals(1, blocks.get(), "made once");
    }

    @Test
    void aBlockThatMayBeTooLongHasNoView() throws Exception {
        String[] none = {};

        assertNull(block(config(true, "", 2200), "127.0.0.1", none).view());
        assertNull(block(config(true, "/www", LIMIT), "127.0.0.1", none).view());
        assertNotNull(block(config(true, "", 4096), "127.0.0.1", none).view());
        assertNull(block(config(true, "", 4096), "127.0.0.1", "X:" + "x".repeat(1000)).view());
    }

    /** A head as full of what is repeated as can be is within the bound of its view. */
    @Test
    void aBlockWithAViewIsWithinItsLimit() throws Exception {
        for (int limit = 2400; limit < 12_000; limit += 100) {
            for (int length = 1; length < 1500; length += 50) {
                var connection =
                        new ClientConnection(
                                InetAddress.getByName("fe80::1"), 40_000, "127.0.0.1", 80, true);
                String path = "/" + "p".repeat(length);
                var draft = new RequestHead.Draft("GET", path, "HTTP/1.1", connection);
                draft.field("Host", "h".repeat(200));
                for (int i = 0; i < 20; i++) {
                    draft.field("X" + i, "");
                }
                var block =
                        new EnvBlock(
                                config(true, "", limit),
                                draft.check(),
                                new ScriptPath("", path + path, path.length(), false),
                                "id-123456");
                if (block.view() != null) {
                    assertTrue(
                            block.encode(new EnvBlockWriter(), 999_999_999, "").remaining()
                                    <= limit + 18);
                }
            }
        }
    }
}
