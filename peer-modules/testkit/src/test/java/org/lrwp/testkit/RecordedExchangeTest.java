package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.FileRegion;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** That the exchange of the tests keeps the contract of the SDK's. */
class RecordedExchangeTest {
    private static final List<HeaderField> FIELDS = List.of(new HeaderField("X-One", "1"));

    private final RecordedExchange exchange = new RecordedExchange(Head.get("/a"));
    private final List<String> heard = new ArrayList<>();

    /** Remembers what it hears. */
    private final class Ear implements ExchangeListener {
        @Override
        public void onBody(ByteBuffer bytes) {
            heard.add(StandardCharsets.UTF_8.decode(bytes).toString());
        }

        @Override
        public void onBodyEnd() {
            heard.add("end");
        }

        @Override
        public void onWritable() {
            heard.add("writable");
        }

        @Override
        public void onCancelled(String reason) {
            heard.add(reason);
        }

        @Override
        public void onDone() {
            heard.add("done");
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anAnswerIsRememberedAndItsListenerHearsOfItsEndOnce() throws Exception {
        exchange.listen(new Ear());
        exchange.respond(200, FIELDS);
        assertTrue(exchange.write(bytes("a")));
        assertFalse(exchange.isOver());
        exchange.complete();
        exchange.abort("too late");
        exchange.write(bytes("too late"));
        exchange.respond(500, List.of());

        assertEquals("complete", exchange.awaitEnd());
        assertEquals(200, exchange.status());
        assertEquals("1", exchange.header("x-one"));
        assertNull(exchange.header("X-Two"));
        assertEquals(1, exchange.length());
        assertEquals("a", exchange.takeText());
        assertEquals("", exchange.text());
        assertFalse(exchange.isWhole());
        assertEquals(List.of("done"), heard);
    }

    @Test
    void anAnswerInOneIsWhole() {
        exchange.answer(201, FIELDS, bytes("all"));

        assertTrue(exchange.isWhole());
        assertEquals("complete", exchange.end());
        assertEquals("all", new String(exchange.bytes(), StandardCharsets.UTF_8));
    }

    @Test
    void anAnswerBeginsOnceAndBeforeItsBody() {
        assertThrows(IllegalStateException.class, () -> exchange.write(bytes("a")));
        assertThrows(IllegalStateException.class, exchange::complete);
        exchange.respond(200, FIELDS);
        assertThrows(IllegalStateException.class, () -> exchange.respond(200, FIELDS));
        assertThrows(IllegalStateException.class, () -> exchange.answer(200, FIELDS, bytes("a")));
    }

    @Test
    void aClientThatStallsTakesOneWriteAndIsHeardOfWhenItTakesAgain() {
        exchange.listen(new Ear());
        exchange.respond(200, FIELDS);
        exchange.stall();
        exchange.takeAgain();
        assertEquals(List.of(), heard);

        exchange.stall();
        assertFalse(exchange.write(bytes("a")));
        exchange.stall();
        assertFalse(exchange.write(bytes("b")));
        exchange.takeAgain();

        assertEquals(List.of("writable"), heard);
        assertTrue(exchange.write(bytes("c")));
        assertEquals("abc", exchange.text());
    }

    @Test
    void whatIsWrittenToAClientThatLeftIsDroppedUntilTheModuleEndsIt() throws Exception {
        exchange.listen(new Ear());
        exchange.leave();
        assertTrue(exchange.isCancelled());
        assertTrue(exchange.write(bytes("a")));
        exchange.complete();

        assertEquals("complete", exchange.awaitEnd());
        assertEquals("", exchange.text());
        assertEquals(List.of("gone", "done"), heard);
    }

    @Test
    void aClientThatFailsThrowsAtEachWrite() {
        exchange.respond(200, FIELDS);
        exchange.fail();

        assertThrows(IllegalStateException.class, () -> exchange.write(bytes("a")));
        assertThrows(IllegalStateException.class, () -> exchange.write(bytes("a")));
    }

    /** A part of a file that has fewer bytes than it says, as one that was cut meanwhile. */
    private record Cut(String text, long length) implements FileRegion {
        @Override
        public long transferTo(long position, long count, WritableByteChannel target)
                throws IOException {
            return position >= text.length()
                    ? -1
                    : target.write(bytes(text.substring((int) position)));
        }
    }

    @Test
    void partsOfFilesAreTakenAndCountedWhereTheyMayBeGiven() {
        exchange.respond(200, FIELDS);
        assertThrows(UnsupportedOperationException.class, () -> exchange.write(new Cut("abc", 3)));

        exchange.takeFiles();
        exchange.stall();
        assertFalse(exchange.write(new Cut("abc", 3)));
        assertFalse(exchange.write(new Cut("de", 5)));
        assertEquals("abcde", exchange.text());
        assertEquals(2, exchange.parts());
        exchange.leave();
        assertTrue(exchange.write(new Cut("gone", 4)));
        assertEquals(2, exchange.parts());
    }

    @Test
    void aListenerThatThrowsEndsTheExchange() throws Exception {
        exchange.listen(
                new ExchangeListener() {
                    @Override
                    public void onBody(ByteBuffer bytes) {
                        throw new IllegalStateException("planted");
                    }
                });
        exchange.send("a");

        assertEquals("complete", exchange.awaitEnd());
        assertEquals(500, exchange.status());
    }

    @Test
    void aBodyComesInPiecesAndNotAfterTheEnd() {
        exchange.send("nobody listens");
        exchange.listen(new Ear());
        exchange.listen(
                new ExchangeListener() {
                    @Override
                    public void onBodyEnd() {
                        heard.add("only the first listener counts");
                    }
                });
        exchange.send("").send("a").send("abc").send("x".repeat(2500));

        String thousand = "x".repeat(1000);
        assertEquals(
                List.of("end", "a", "end", "ab", "c", "end", thousand, thousand, "x".repeat(500)),
                heard.subList(0, 9));
        heard.clear();
        exchange.abort("enough");
        exchange.send("abc");
        assertEquals(List.of("done"), heard);
        assertEquals("enough", exchange.end());
    }

    @Test
    void whatDoesNotComeIsAFailureOfTheTest() throws Exception {
        Thread client = Thread.ofVirtual().start(() -> exchange.answer(204, FIELDS, bytes("")));

        assertEquals(204, exchange.await(one -> one.status() > 0).status());
        client.join();
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> exchange.await(one -> false));
    }
}
