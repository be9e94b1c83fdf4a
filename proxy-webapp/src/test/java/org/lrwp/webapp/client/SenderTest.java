package org.lrwp.webapp.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.spool.NoSpaceException;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.config.Coding;
import org.lrwp.webapp.config.CompressionRules;
import org.lrwp.webapp.traffic.Compression;
import org.lrwp.webapp.traffic.Compressors;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/** What a container that looks closely sees of answers. */
class SenderTest {
    private static final AnswerHead HEAD =
            new AnswerHead(
                    200, "", List.of(new HeaderField("Content-Type", "text/plain")), -1, false);

    private final StrictStream stream = new StrictStream();
    @TempDir private Path folder = Path.of("unset");

    private Spool spool() throws IOException {
        return new SpoolStore(new SpoolConfig(folder, 64, 1 << 20, 1 << 20, 1 << 20)).forAnswer();
    }

    private static void append(Spool spool, String text) throws NoSpaceException {
        spool.append(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static Compression compression(String accept) {
        var rules = new CompressionRules(List.of(Coding.GZIP), 0, Set.of("text/*"));
        return new Compression(rules, accept, "", new Compressors(), 1);
    }

    @Test
    void compressedStreamIsWrittenAndFlushedOnlyWhenTheClientTakesMore() throws Exception {
        Spool spool = spool();
        try (Compression compression = compression("gzip")) {
            AnswerHead head = compression.begin(HEAD);
            var sender = new AnswerSender(stream, head, spool, compression, null, () -> {});
            assertEquals(Sender.Progress.OPEN, sender.goOn());
            for (String event : List.of("first", "second")) {
                append(spool, event);
                sendAll(sender);
                assertTrue(stream.isFlushed());
            }
            spool.complete();
            stream.unblock();
            assertEquals(Sender.Progress.OPEN, sender.goOn());
            stream.unblock();
            assertEquals(Sender.Progress.COMPLETE, sender.goOn());
        }
        try (var plain = new GZIPInputStream(new ByteArrayInputStream(stream.taken()))) {
            assertEquals(
                    "firstsecond", new String(plain.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    /** As often as the container tells that it can take more. */
    private void sendAll(Sender sender) {
        for (int i = 0; i < 3; i++) {
            stream.unblock();
            assertEquals(Sender.Progress.OPEN, sender.goOn());
        }
    }

    @Test
    void streamThatIsNotEncodedIsFlushedToo() throws Exception {
        Spool spool = spool();
        try (Compression compression = compression("")) {
            AnswerHead head = compression.begin(HEAD);
            var sender = new AnswerSender(stream, head, spool, compression, null, () -> {});
            append(spool, "event");
            sendAll(sender);

            assertEquals("event", new String(stream.taken(), StandardCharsets.US_ASCII));
            assertTrue(stream.isFlushed());
        }
    }

    @Test
    void wholeAnswerIsCompleteWhenTheClientHasTakenIt() {
        var body = ByteBuffer.wrap("0123".getBytes(StandardCharsets.US_ASCII));
        stream.block();
        var sender = new WholeSender(stream, new ErrorAnswer.Whole(HEAD, body));

        assertEquals(Sender.Progress.OPEN, sender.goOn());
        assertTrue(sender.isBlocked());
        stream.unblock();
        assertEquals(Sender.Progress.OPEN, sender.goOn());
        assertEquals(4, sender.written());
        stream.unblock();
        assertEquals(Sender.Progress.COMPLETE, sender.goOn());

        assertFalse(sender.isBlocked());
        assertEquals("0123", new String(stream.taken(), StandardCharsets.US_ASCII));
    }
}
