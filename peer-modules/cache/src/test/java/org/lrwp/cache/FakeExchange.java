package org.lrwp.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One request to the store, and what it answered. */
final class FakeExchange implements PeerExchange {
    private final String method;
    private final String path;
    private final byte[] body;
    private final Map<String, String> environment = new TreeMap<>();
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private long bodyLength;

    /** What came back. */
    record Answer(int status, List<HeaderField> headers, String body) {
        @Nullable String header(String name) {
            return headers.stream()
                    .filter(field -> field.name().equalsIgnoreCase(name))
                    .map(HeaderField::value)
                    .findFirst()
                    .orElse(null);
        }
    }

    FakeExchange(String method, String path, byte[] body) {
        this.method = method;
        this.path = path;
        this.body = body;
        this.bodyLength = body.length;
        environment.put("REMOTE_ADDR", "127.0.0.1");
    }

    static FakeExchange of(String method, String path) {
        return new FakeExchange(method, path, new byte[0]);
    }

    FakeExchange from(String address) {
        environment.put("REMOTE_ADDR", address);
        return this;
    }

    FakeExchange with(String header, String value) {
        environment.put("HTTP_" + header.toUpperCase(Locale.ROOT).replace('-', '_'), value);
        return this;
    }

    FakeExchange unknownLength() {
        bodyLength = -1;
        return this;
    }

    /** Waits for the answer. */
    Answer answer() throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    boolean isAnswered() {
        return answer.isDone();
    }

    @Override
    public RequestHead request() {
        return new RequestHead() {
            @Override
            public Map<String, String> environment() {
                return environment;
            }

            @Override
            public String method() {
                return method;
            }

            @Override
            public String pathInfo() {
                return path;
            }

            @Override
            public String query() {
                return "";
            }

            @Override
            public @Nullable String header(String name) {
                return environment.get("HTTP_" + name.toUpperCase(Locale.ROOT).replace('-', '_'));
            }

            @Override
            public long bodyLength() {
                return bodyLength;
            }
        };
    }

    @Override
    public void listen(ExchangeListener listener) {
        for (int at = 0; at < body.length; at += 1000) {
            listener.onBody(ByteBuffer.wrap(body, at, Math.min(1000, body.length - at)));
        }
        listener.onBodyEnd();
    }

    @Override
    public void pauseBody() {}

    @Override
    public void resumeBody() {}

    @Override
    public void respond(int status, List<HeaderField> headers) {
        throw new UnsupportedOperationException("the store answers in one");
    }

    @Override
    public void answer(int status, List<HeaderField> headers, ByteBuffer octets) {
        String text = StandardCharsets.ISO_8859_1.decode(octets).toString();
        if (!answer.complete(new Answer(status, List.copyOf(headers), text))) {
            throw new IllegalStateException("answered twice");
        }
    }

    @Override
    public boolean write(ByteBuffer octets) {
        throw new UnsupportedOperationException("the store answers in one");
    }

    @Override
    public void complete() {}

    @Override
    public void abort(String reason) {
        answer.completeExceptionally(new IllegalStateException(reason));
    }

    @Override
    public boolean isCancelled() {
        return false;
    }
}
