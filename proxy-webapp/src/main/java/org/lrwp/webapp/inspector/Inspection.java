package org.lrwp.webapp.inspector;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.protocol.HeaderField;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/**
 * One request that is inspected, from its head to its end. Secrets are masked as it is made: what
 * is masked is nowhere in here. The bodies may be added to by one thread each; all else is
 * thread-safe.
 */
public final class Inspection {
    private static final int OVERHEAD = 1024;

    private final Mask mask;
    private final Instant time;
    private final String id;
    private final String context;
    private final String root;
    private final String path;
    private final String method;
    private final String target;
    private final boolean targetMasked;
    private final String protocol;
    private final ClientConnection connection;
    private final List<HeaderField> fields;
    private final String repeats;
    private final Part body;
    private final Part answer;
    private volatile List<HeaderField> answerFields = List.of();
    private volatile @Nullable ExchangeRecord end;

    /**
     * Whose request it is.
     *
     * @param id the request id
     * @param context as users write it
     * @param root the application's context root
     * @param path decoded, below the context root
     * @param repeats id of the request that this one repeats; empty for none
     */
    public record Origin(String id, String context, String root, String path, String repeats) {}

    Inspection(Mask mask, Instant time, Origin origin, RequestHead head, int bodyBytes) {
        this.mask = mask;
        this.time = time;
        this.id = origin.id();
        this.context = origin.context();
        this.root = origin.root();
        this.path = origin.path();
        this.repeats = origin.repeats();
        this.method = head.method();
        this.target = mask.url(head.target().raw());
        this.targetMasked = !target.equals(head.target().raw());
        this.protocol = head.protocol();
        this.connection = head.connection();
        this.fields = mask.fields(head.fields());
        this.body = new Part(bodyBytes);
        this.answer = new Part(bodyBytes);
    }

    // ---- As it goes by.

    /**
     * Bytes of the request's body go by.
     *
     * @param bytes stay as they are
     */
    public void body(ByteBuffer bytes) {
        body.add(bytes);
    }

    /**
     * The answer begins.
     *
     * @param head as the peer has sent it
     */
    public void answer(AnswerHead head) {
        answerFields = mask.fields(head.fields());
    }

    /**
     * Bytes of the answer's body go by.
     *
     * @param bytes stay as they are
     */
    public void answer(ByteBuffer bytes) {
        answer.add(bytes);
    }

    void ended(ExchangeRecord record) {
        end = record;
    }

    /** The memory that it takes, about so. */
    long size() {
        long size = OVERHEAD + 2L * (target.length() + path.length());
        for (HeaderField field : fields) {
            size += 2L * (field.name().length() + field.value().length());
        }
        for (HeaderField field : answerFields) {
            size += 2L * (field.name().length() + field.value().length());
        }
        return size + body.size() + answer.size();
    }

    boolean hides(String field) {
        return mask.hides(field);
    }

    // ---- Views.

    /** {@return when it came} */
    public Instant time() {
        return time;
    }

    /** {@return the request id} */
    public String id() {
        return id;
    }

    /** {@return its context, as users write it} */
    public String context() {
        return context;
    }

    /** {@return the request that it repeats; empty for none} */
    public String repeats() {
        return repeats;
    }

    /** {@return the method} */
    public String method() {
        return method;
    }

    /** {@return what was asked for, with secrets masked} */
    public String target() {
        return target;
    }

    /** {@return the protocol, as HTTP/1.1} */
    public String protocol() {
        return protocol;
    }

    /** {@return address of the client} */
    public String client() {
        return connection.remoteText();
    }

    /** {@return the header fields, with secrets masked} */
    public List<HeaderField> fields() {
        return fields;
    }

    /** {@return the body} */
    public Part body() {
        return body;
    }

    /** {@return the fields of the answer as its peer sent it, with secrets masked} */
    public List<HeaderField> answerFields() {
        return answerFields;
    }

    /** {@return the body of the answer as its peer sent it} */
    public Part answerBody() {
        return answer;
    }

    /** {@return how it ended; null while it is under way} */
    public @Nullable ExchangeRecord end() {
        return end;
    }

    // ---- For its repetition.

    String root() {
        return root;
    }

    String path() {
        return path;
    }

    boolean isTargetMasked() {
        return targetMasked;
    }

    ClientConnection connection() {
        return connection;
    }
}
