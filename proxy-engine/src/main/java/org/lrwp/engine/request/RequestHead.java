package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The head of a request that has passed all checks: nothing in it can be taken for something else
 * by whoever reads it next. Immutable.
 */
public final class RequestHead {
    private final String method;
    private final RequestTarget target;
    private final String protocol;
    private final List<HeaderField> fields;
    private final Authority authority;
    private final long bodyLength;
    private final ClientConnection connection;

    /** Octets of the env block made of it; whoever is second makes the same. */
    private volatile @Nullable EnvPart envPart;

    private RequestHead(RequestHead like, RequestTarget target) {
        this.method = like.method;
        this.target = target;
        this.protocol = like.protocol;
        this.fields = like.fields;
        this.authority = like.authority;
        this.bodyLength = like.bodyLength;
        this.connection = like.connection;
    }

    private RequestHead(Draft draft, RequestTarget target, Authority authority, long bodyLength) {
        this.method = draft.method;
        this.target = target;
        this.protocol = draft.protocol;
        this.fields = List.copyOf(draft.fields);
        this.authority = authority;
        this.bodyLength = bodyLength;
        this.connection = draft.connection;
    }

    /**
     * Returns the method.
     *
     * @return a token, in the case it was sent
     */
    public String method() {
        return method;
    }

    /**
     * Returns what is asked for.
     *
     * @return the target
     */
    public RequestTarget target() {
        return target;
    }

    /**
     * Returns the head of a request that differs in its target only, as a client's next one often
     * does.
     *
     * @param raw the target as it was sent
     * @return the checked head; null when a target names its host, so that all has to be checked
     * @throws BadRequestException when the target breaks a rule
     */
    public @Nullable RequestHead withTarget(String raw) throws BadRequestException {
        RequestTarget other = RequestTarget.parse(method, raw);
        boolean hosts = other.authority() != null || target.authority() != null;
        return hosts ? null : new RequestHead(this, other);
    }

    /**
     * Returns the protocol of the request.
     *
     * @return for example {@code HTTP/1.1}
     */
    public String protocol() {
        return protocol;
    }

    /**
     * Returns the header fields.
     *
     * @return all of them, in the order they were received
     */
    public List<HeaderField> fields() {
        return fields;
    }

    /**
     * Returns host and port that the request is meant for.
     *
     * @return of an absolute target, else of Host, else the address the request reached
     */
    public Authority authority() {
        return authority;
    }

    /**
     * Returns how long the body is.
     *
     * @return octets; 0 without body; -1 when its end alone will tell
     */
    public long bodyLength() {
        return bodyLength;
    }

    /**
     * Returns the connection that brought the request.
     *
     * @return its two ends
     */
    public ClientConnection connection() {
        return connection;
    }

    /**
     * Returns the values of a header field.
     *
     * @param name the field's name, in any case
     * @return its values in the order they were received
     */
    public List<String> values(String name) {
        return values(fields, name);
    }

    private static List<String> values(List<HeaderField> fields, String name) {
        List<String> values = List.of();
        for (int i = 0; i < fields.size(); i++) {
            HeaderField field = fields.get(i);
            if (field.name().equalsIgnoreCase(name)) {
                values = values.isEmpty() ? new ArrayList<>(1) : values;
                values.add(field.value());
            }
        }
        return values;
    }

    /**
     * Returns the first value of a header field.
     *
     * @param name the field's name, in any case
     * @return its value, or null when it is not there
     */
    public @Nullable String first(String name) {
        for (int i = 0; i < fields.size(); i++) {
            HeaderField field = fields.get(i);
            if (field.name().equalsIgnoreCase(name)) {
                return field.value();
            }
        }
        return null;
    }

    /**
     * Returns about how long the head was on the wire.
     *
     * @return octets
     */
    public long size() {
        long size = method.length() + target.raw().length() + protocol.length() + 6L;
        for (int i = 0; i < fields.size(); i++) {
            HeaderField field = fields.get(i);
            size += field.name().length() + field.value().length() + 4L;
        }
        return size;
    }

    /** What was kept of the last env block that was made of this head; null at first. */
    @Nullable EnvPart envPart() {
        return envPart;
    }

    void keep(EnvPart part) {
        envPart = part;
    }

    /** A head on its way to be checked. Not thread-safe. */
    public static final class Draft {
        private final String method;
        private final String rawTarget;
        private final String protocol;
        private final ClientConnection connection;
        private final List<HeaderField> fields = new ArrayList<>();

        /**
         * Begins a head.
         *
         * @param method as it was sent
         * @param rawTarget as it was sent
         * @param protocol for example {@code HTTP/1.1}
         * @param connection what brought the request
         */
        public Draft(
                String method, String rawTarget, String protocol, ClientConnection connection) {
            this.method = Objects.requireNonNull(method, "method");
            this.rawTarget = Objects.requireNonNull(rawTarget, "rawTarget");
            this.protocol = Objects.requireNonNull(protocol, "protocol");
            this.connection = Objects.requireNonNull(connection, "connection");
        }

        /**
         * Adds a header field.
         *
         * @param name as it was sent
         * @param value as it was sent, without surrounding white space
         * @return this
         * @throws BadRequestException when the name is not a token or the value holds a control
         *     character
         */
        public Draft field(String name, String value) throws BadRequestException {
            if (!HeaderField.isToken(name)) {
                throw new BadRequestException("name of a header field is not a token");
            }
            if (!HeaderField.isValue(value)) {
                throw new BadRequestException("value of a header field holds a control character");
            }
            fields.add(new HeaderField(name, value));
            return this;
        }

        /**
         * Checks the head as a whole.
         *
         * @return the head
         * @throws BadRequestException when it breaks a rule of HTTP that a next reader could take
         *     in another way
         */
        public RequestHead check() throws BadRequestException {
            if (!HeaderField.isToken(method)) {
                throw new BadRequestException("method is not a token");
            }
            HttpVersion version = HttpVersion.parse(protocol);
            RequestTarget target = RequestTarget.parse(method, rawTarget);
            Authority authority = authority(version, target);
            if (values(fields, "Content-Type").size() > 1) {
                throw new BadRequestException("more than one Content-Type");
            }
            return new RequestHead(this, target, authority, version.bodyLength(framing(version)));
        }

        private Authority authority(HttpVersion version, RequestTarget target)
                throws BadRequestException {
            List<String> hosts = values(fields, "Host");
            if (hosts.size() > 1) {
                throw new BadRequestException("more than one Host");
            }
            if (hosts.isEmpty() && version.needsHost()) {
                throw new BadRequestException("no Host");
            }
            Authority named = hosts.isEmpty() ? null : Authority.parse(hosts.getFirst());
            Authority absolute = target.authority();
            if (absolute != null) {
                return absolute;
            }
            return named != null ? named : new Authority(connection.localAddress(), -1);
        }

        private BodyFraming framing(HttpVersion version) throws BadRequestException {
            return BodyFraming.of(
                    values(fields, "Transfer-Encoding"),
                    values(fields, "Content-Length"),
                    version.hasTransferEncoding());
        }
    }
}
