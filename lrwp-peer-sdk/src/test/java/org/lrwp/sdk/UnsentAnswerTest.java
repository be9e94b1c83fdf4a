package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.spi.AbstractExchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What becomes of an exchange whose answer cannot be sent. */
final class UnsentAnswerTest {
    private static final String GIVEN_UP = "given up: the answer could not be sent";

    private final List<String> seen = new ArrayList<>();

    /** Takes everything but the end of an answer. */
    private final class Endless extends AbstractExchange<String> {
        Endless() {
            super(Runnable::run);
        }

        void begin(ExchangeHandler handler) {
            start(handler);
        }

        @Override
        public RequestHead request() {
            return new EnvironmentHead(Map.of(), 0);
        }

        @Override
        public void pauseBody() {}

        @Override
        public void resumeBody() {}

        @Override
        protected boolean enter() {
            return true;
        }

        @Override
        protected void listening() {}

        @Override
        protected String head(int status, List<HeaderField> headers) {
            return Integer.toString(status);
        }

        @Override
        protected void sendHead(String head) {
            seen.add("head " + head);
        }

        @Override
        protected void sendWhole(String head, ByteBuffer bytes) {
            throw new IllegalArgumentException("too large");
        }

        @Override
        protected boolean send(ByteBuffer bytes) {
            return true;
        }

        @Override
        protected void sendEnd() {
            throw new OutOfMemoryError("planned");
        }

        @Override
        protected void giveUp(String reason) {
            seen.add("given up: " + reason);
        }

        @Override
        protected boolean refuse(String reason) {
            return false;
        }

        @Override
        protected void report(Throwable cause) {
            seen.add(cause.getClass().getSimpleName());
        }
    }

    private static ByteBuffer bytes() {
        return ByteBuffer.wrap("all".getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void wholeAnswerThatCannotBeSentIsGivenUp() {
        new Endless().begin(exchange -> exchange.answer(200, List.of(), bytes()));
        assertEquals(List.of(GIVEN_UP, "IllegalArgumentException"), seen);
    }

    @Test
    void answerWhoseEndCannotBeSentIsGivenUp() {
        new Endless()
                .begin(
                        exchange -> {
                            exchange.respond(200, List.of());
                            exchange.write(bytes());
                            exchange.complete();
                        });
        assertEquals(List.of("head 200", GIVEN_UP, "OutOfMemoryError"), seen);
    }
}
