package org.lrwp.engine.cache;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.spool.BodyEnding;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A cache with a clock of the test, and a context that answers when the test says. */
final class CacheScene implements AutoCloseable {
    final List<Call> calls = new ArrayList<>();
    final SpoolStore spools;
    final ResponseCache cache;
    boolean broken;
    private String owner = "anonymous";
    private boolean certified;
    private final SpoolStore contextSpools;

    /** Whether forwarding fields of a request are passed on to the context. */
    Predicate<RequestHead> believed = head -> true;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** What was taken down. */
    final List<AuditEvent> audit = new ArrayList<>();

    CacheScene(Path folder) throws Exception {
        this(folder, 0, "");
    }

    CacheScene(Path folder, double heuristic, String token) throws Exception {
        this(folder, 4 << 20, 10_000, heuristic, token);
    }

    CacheScene(Path folder, long size, int largest, double heuristic, String token)
            throws Exception {
        SpoolConfig config = new SpoolConfig(folder, 1 << 20, 1 << 24, 1 << 24, 1 << 24);
        spools = new SpoolStore(config);
        contextSpools = new SpoolStore(config);
        cache =
                ResponseCache.open(
                        new CacheConfig(
                                Map.of("/no", false),
                                true,
                                folder.resolve("responses"),
                                size,
                                largest,
                                heuristic,
                                new CacheConfig.Limits(2, Duration.ofSeconds(10)),
                                Network.LOOPBACK,
                                token),
                        spools,
                        head -> believed.test(head),
                        () -> now,
                        audit::add);
    }

    void pass(long seconds) {
        now = now.plusSeconds(seconds);
    }

    /** A request that reached the context. */
    final class Call {
        final RequestHead head;
        final boolean ofCache;
        private final Client client;
        private final Spool body = contextSpools.forAnswer();
        @Nullable Boolean ended;

        Call(RequestHead head, boolean ofCache, Client client) {
            this.head = head;
            this.ofCache = ofCache;
            this.client = client;
        }

        Call begin(int status, String... fields) {
            return beginOf(status, -1, fields);
        }

        Call beginOf(int status, long length, String... fields) {
            List<HeaderField> list = new ArrayList<>();
            for (String field : fields) {
                int colon = field.indexOf(':');
                list.add(
                        new HeaderField(
                                field.substring(0, colon), field.substring(colon + 1).strip()));
            }
            client.answer(new AnswerHead(status, "", list, length, status == 304), body);
            return this;
        }

        Call more(String bytes) throws Exception {
            body.append(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)));
            return this;
        }

        void end() {
            body.complete();
        }

        void breakOff() {
            body.breakOff();
        }

        void fail(Failure failure) {
            client.fail(failure);
        }

        void abandon() {
            client.abandoned();
        }

        void answer(int status, String bytes, String... fields) throws Exception {
            begin(status, fields);
            more(bytes).end();
        }
    }

    /** From now on the context belongs to another identity. */
    void ownedBy(String name) {
        owner = name;
    }

    /** From now on clients show a certificate, or do not. */
    void certified(boolean shown) {
        certified = shown;
    }

    /** A request of a client. */
    final class Ask implements FrontRequest, Client {
        private final RequestHead head;
        private final String address;
        private @Nullable AnswerHead answer;
        private @Nullable Spool body;
        private final CompletableFuture<String> word = new CompletableFuture<>();

        Ask(RequestHead head, String address) {
            this.head = head;
            this.address = address;
        }

        @Override
        public RequestHead head() {
            return head;
        }

        @Override
        public String client() {
            return address;
        }

        @Override
        public String owner() {
            return owner;
        }

        @Override
        public void pass(UnaryOperator<Client> changed) {
            if (broken) {
                throw new IllegalStateException("as the test wants it");
            }
            calls.add(new Call(head, false, changed.apply(this)));
        }

        @Override
        public Fetching fetch(List<HeaderField> fields, Client client) {
            if (broken) {
                throw new IllegalStateException("as the test wants it");
            }
            Call call = new Call(headOf(head.method(), head.target().raw(), fields), true, client);
            calls.add(call);
            return whole -> call.ended = whole;
        }

        @Override
        public void answer(AnswerHead given, Spool bytes, String how) {
            give(given, bytes);
            word.complete(how);
        }

        @Override
        public void answer(AnswerHead given, Spool bytes) {
            give(given, bytes);
            word.complete("passed");
        }

        private void give(AnswerHead given, Spool bytes) {
            if (answer != null) {
                throw new IllegalStateException("answered twice");
            }
            answer = given;
            body = bytes;
        }

        @Override
        public void fail(Failure failure) {
            word.complete(failure.word());
        }

        boolean isAnswered() {
            return word.isDone();
        }

        String word() throws Exception {
            return word.get(20, TimeUnit.SECONDS);
        }

        int status() throws Exception {
            word();
            return answer == null ? 0 : answer.status();
        }

        String field(String name) {
            String value = answer == null ? null : Fields.all(answer.fields(), name);
            return value == null ? "" : value;
        }

        /** What has come of the body so far, and how it ends. */
        String text() throws Exception {
            word();
            StringBuilder text = new StringBuilder();
            Spool from = body;
            if (from == null) {
                return "";
            }
            for (ByteBuffer next = from.poll(); next != null; next = from.poll()) {
                text.append(StandardCharsets.ISO_8859_1.decode(next));
            }
            return text + (from.ending() == BodyEnding.COMPLETE ? "" : "..." + from.ending());
        }

        void leave() {
            if (body != null) {
                body.close();
            }
        }
    }

    Ask get(String target, String... fields) {
        return ask("GET", target, fields);
    }

    Ask ask(String method, String target, String... fields) {
        return askFrom("127.0.0.1", method, target, fields);
    }

    Ask askFrom(String address, String method, String target, String... fields) {
        List<HeaderField> list = new ArrayList<>();
        if (Stream.of(fields).noneMatch(field -> field.startsWith("Host:"))) {
            list.add(new HeaderField("Host", "h"));
        }
        for (String field : fields) {
            int colon = field.indexOf(':');
            list.add(
                    new HeaderField(field.substring(0, colon), field.substring(colon + 1).strip()));
        }
        Ask ask = new Ask(headOf(method, target, list), address);
        cache.take(ask);
        return ask;
    }

    /** A request whose fetch throws. */
    Ask failing(String target) {
        Ask ask = new Ask(headOf("GET", target, List.of(new HeaderField("Host", "h"))), "::1");
        assertThrows(IllegalStateException.class, () -> cache.take(ask));
        return ask;
    }

    /** Answers the request that reached the context last. */
    Call last() {
        return calls.getLast();
    }

    private RequestHead headOf(String method, String target, List<HeaderField> fields) {
        try {
            var plain =
                    new ClientConnection(
                            InetAddress.getLoopbackAddress(), 9, "127.0.0.1", 80, false);
            var ends = certified ? plain.inTls("TLSv1.3", "", new byte[] {1}) : plain;
            var draft = new RequestHead.Draft(method, target, "HTTP/1.1", ends);
            for (HeaderField field : fields) {
                draft.field(field.name(), field.value());
            }
            return draft.check();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        cache.close();
        spools.close();
        contextSpools.close();
    }
}
