package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.RequestDetails;
import org.lrwp.http1.HeadReader;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;
import org.lrwp.http1.MalformedRequestException;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.HopByHopFields;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The head of a request that has passed all checks: nothing in it can be taken for something else
 * by whoever reads it next. Texts of its fields are made when somebody asks for them. Immutable.
 */
public final class RequestHead implements RequestDetails {
    private static final String HTTP_1_1 = "HTTP/1.1";
    private static final String HTTP_1_0 = "HTTP/1.0";
    private static final String HTTP_2 = "HTTP/2.0";
    private static final int EXPECTATION_FAILED = 417;

    private final HttpHead bytes;
    private final String method;
    private final String protocol;
    private final RequestTarget target;
    private final Authority authority;
    private final ClientConnection connection;
    private final boolean forwarding;
    private volatile @Nullable List<HeaderField> fields;

    private RequestHead(HttpHead bytes, String protocol, ClientConnection connection)
            throws BadRequestException {
        this.bytes = bytes;
        this.method = bytes.methodText();
        this.protocol = protocol;
        this.connection = connection;
        this.target = RequestTarget.of(method, bytes);
        this.authority = authority(bytes, target, connection);
        this.forwarding = hasForwardingFields(bytes);
        checkExpectation();
    }

    private RequestHead(RequestHead head, ClientConnection connection) {
        this.bytes = head.bytes;
        this.method = head.method;
        this.protocol = head.protocol;
        this.connection = connection;
        this.target = head.target;
        this.authority = head.authority;
        this.forwarding = head.forwarding;
    }

    /** The same request by another connection. */
    RequestHead by(ClientConnection other) {
        return other.equals(connection) ? this : new RequestHead(this, other);
    }

    /**
     * Checks what a reader of bytes does not.
     *
     * @param bytes a head of HTTP/1.1 or 1.0
     * @param connection what brought the request
     * @return the head
     * @throws BadRequestException when target or host break a rule of HTTP
     */
    public static RequestHead of(HttpHead bytes, ClientConnection connection)
            throws BadRequestException {
        String protocol = bytes.minorVersion() == 0 ? HTTP_1_0 : HTTP_1_1;
        return new RequestHead(bytes, protocol, connection);
    }

    /** Nobody here meets other expectations; HTTP/1.0 has none: RFC 9110 section 10.1.1. */
    private void checkExpectation() throws BadRequestException {
        if (bytes.find(KnownField.EXPECT) < 0 || protocol.equals(HTTP_1_0)) {
            return;
        }
        for (String value : values("Expect")) {
            for (String element : value.split(",", -1)) {
                String expected = element.strip();
                if (!expected.isEmpty() && !expected.equalsIgnoreCase("100-continue")) {
                    throw new BadRequestException(EXPECTATION_FAILED, "unknown expectation");
                }
            }
        }
    }

    private static Authority authority(
            HttpHead bytes, RequestTarget target, ClientConnection connection)
            throws BadRequestException {
        int host = bytes.find(KnownField.HOST);
        Authority named = host < 0 ? null : parsed(bytes, bytes.value(host));
        Authority absolute = target.authority();
        if (absolute != null) {
            return absolute;
        }
        return named != null ? named : new Authority(connection.localAddress(), -1);
    }

    private static Authority parsed(HttpHead bytes, int range) throws BadRequestException {
        return Authority.parse(bytes.bytes(), HttpHead.start(range), HttpHead.end(range));
    }

    /**
     * Returns what the head was read from.
     *
     * @return its bytes and ranges
     */
    public HttpHead bytes() {
        return bytes;
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
     * Returns the protocol of the request.
     *
     * @return {@code HTTP/1.1}, {@code HTTP/1.0} or {@code HTTP/2.0}
     */
    @Override
    public String protocol() {
        return protocol;
    }

    @Override
    public boolean secure() {
        return connection.secure();
    }

    @Override
    public String tlsVersion() {
        return connection.tlsVersion();
    }

    @Override
    public String tlsCipher() {
        return connection.tlsCipher();
    }

    @Override
    public @Nullable String referer() {
        return first(KnownField.REFERER);
    }

    @Override
    public @Nullable String userAgent() {
        return first(KnownField.USER_AGENT);
    }

    /**
     * Returns the header fields.
     *
     * @return all of them, in the order they were received
     */
    public List<HeaderField> fields() {
        List<HeaderField> made = fields;
        if (made == null) {
            List<HeaderField> all = new ArrayList<>(bytes.fields());
            for (int i = 0; i < bytes.fields(); i++) {
                all.add(new HeaderField(bytes.text(bytes.name(i)), bytes.text(bytes.value(i))));
            }
            made = List.copyOf(all);
            fields = made;
        }
        return made;
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
     * @return bytes; 0 without body; -1 when its end alone will tell
     */
    public long bodyLength() {
        // HTTP/2 frames bodies itself: only a Content-Length says something.
        boolean framed = protocol.equals(HTTP_2) && bytes.find(KnownField.CONTENT_LENGTH) < 0;
        return framed ? -1 : bytes.bodyLength();
    }

    /**
     * Says whether the connection may go on after the answer: RFC 9112 section 9.3.
     *
     * @return false when the client asks for its end; always true with HTTP/2
     */
    public boolean isLasting() {
        return protocol.equals(HTTP_2) || bytes.isLasting();
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
     * Says whether somebody stands between the client and this proxy, believed or not.
     *
     * @return whether a PROXY header came before, or a forwarding field is there
     */
    public boolean isForwarded() {
        return connection.isForwarded() || hasForwardingFields();
    }

    /**
     * Says whether there is a {@code Forwarded} or {@code X-Forwarded-*}.
     *
     * @return whether the client has sent one
     */
    public boolean hasForwardingFields() {
        return forwarding;
    }

    private static boolean hasForwardingFields(HttpHead bytes) {
        for (int i = 0; i < bytes.fields(); i++) {
            if (FieldRule.isForwarding(bytes, i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the fields that the connection has for itself, which nobody behind it gets.
     *
     * @return names in lower case, the fixed ones among them, and other options; empty when it
     *     names none but the fixed ones
     */
    public Set<String> connectionOptions() {
        int index = bytes.find(KnownField.CONNECTION);
        if (index < 0) {
            return Set.of();
        }
        boolean usual =
                bytes.find(KnownField.CONNECTION, index + 1) < 0
                        && (bytes.isWord(bytes.value(index), "keep-alive")
                                || bytes.isWord(bytes.value(index), "close"));
        return usual ? Set.of() : HopByHopFields.names(values("Connection"));
    }

    /**
     * Says whether proxies tell of their clients by a field.
     *
     * @param name the field's name, in any case
     * @return whether a peer gets it from trusted proxies only
     */
    public static boolean isForwarding(String name) {
        return FieldRule.isForwarding(name.toLowerCase(Locale.ROOT));
    }

    /**
     * Says the same of a field of a head, without making a text of its name.
     *
     * @param head that it stands in
     * @param index its place, from 0
     * @return whether a peer gets it from trusted proxies only
     */
    public static boolean isForwarding(HttpHead head, int index) {
        return FieldRule.isForwarding(head, index);
    }

    /**
     * Returns the values of a header field.
     *
     * @param name the field's name, in any case
     * @return its values in the order they were received
     */
    public List<String> values(String name) {
        List<String> values = List.of();
        for (int i = bytes.find(name, 0); i >= 0; i = bytes.find(name, i + 1)) {
            values = values.isEmpty() ? new ArrayList<>(1) : values;
            values.add(bytes.text(bytes.value(i)));
        }
        return values;
    }

    /**
     * Returns all values of a header field as one, as a peer gets them: cookies are never joined by
     * a comma, RFC 6265 section 5.4.
     *
     * @param name the field's name, in any case
     * @return null when it is not there
     */
    public @Nullable String joined(String name) {
        List<String> values = values(name);
        String separator = name.equalsIgnoreCase("Cookie") ? "; " : ", ";
        return values.isEmpty() ? null : String.join(separator, values);
    }

    /**
     * Returns the first value of a header field.
     *
     * @param name the field's name, in any case
     * @return its value, or null when it is not there
     */
    public @Nullable String first(String name) {
        int index = bytes.find(name, 0);
        return index < 0 ? null : bytes.text(bytes.value(index));
    }

    /**
     * Returns the first value of a header field.
     *
     * @param field the field's name
     * @return its value, or null when it is not there
     */
    public @Nullable String first(KnownField field) {
        int index = bytes.find(field);
        return index < 0 ? null : bytes.text(bytes.value(index));
    }

    /**
     * Makes the same request with other header fields.
     *
     * @param others all of them
     * @return its head
     * @throws BadRequestException when they break a rule of HTTP
     */
    public RequestHead with(List<HeaderField> others) throws BadRequestException {
        var draft = new Draft(method, target.raw(), protocol, connection);
        for (HeaderField field : others) {
            draft.field(field.name(), field.value());
        }
        return draft.check();
    }

    /**
     * Returns how long the head was on the wire, about so with HTTP/2.
     *
     * @return bytes
     */
    public int size() {
        return bytes.bytes().length;
    }

    /**
     * A head that comes as texts, from a container or a cache: it is written as HTTP/1 has it and
     * read by the same reader as all others. Not thread-safe.
     */
    public static final class Draft {
        private static final int MOST_FIELDS = 1000;

        private final String protocol;
        private final ClientConnection connection;
        private final StringBuilder text = new StringBuilder();

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
            this.connection = Objects.requireNonNull(connection, "connection");
            this.protocol = protocol.equals("HTTP/2") ? HTTP_2 : protocol;
            // A Host is not asked for, nor is Transfer-Encoding allowed, in 1.0 and 2.0 alike.
            String line = this.protocol.equals(HTTP_2) ? HTTP_1_0 : protocol;
            text.append(method).append(' ').append(rawTarget).append(' ').append(line);
            text.append("\r\n");
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
            text.append(name).append(": ").append(value).append("\r\n");
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
            byte[] written = Latin.bytes(text.append("\r\n").toString());
            var reader = new HeadReader(HeadReader.MOST_BYTES, MOST_FIELDS);
            try {
                HttpHead head = reader.read(written, 0, written.length);
                if (head == null || head.bytes().length != written.length) {
                    throw new BadRequestException("first line is not one line");
                }
                return protocol.equals(HTTP_2)
                        ? new RequestHead(head, HTTP_2, connection)
                        : of(head, connection);
            } catch (MalformedRequestException e) {
                throw BadRequestException.of(e);
            }
        }
    }
}
