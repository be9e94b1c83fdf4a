package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/**
 * Names of fields that clients send often, or that mean something to a proxy. The reader gives the
 * constant in place of the name, so that what is known of a name has to be worked out once.
 */
public enum KnownField {
    /** RFC 9110 section 12.5.1. */
    ACCEPT("accept"),
    /** RFC 9110 section 12.5.2. */
    ACCEPT_CHARSET("accept-charset"),
    /** RFC 9110 section 12.5.3. */
    ACCEPT_ENCODING("accept-encoding"),
    /** RFC 9110 section 12.5.4. */
    ACCEPT_LANGUAGE("accept-language"),
    /** Fetch: CORS. */
    ACCESS_CONTROL_REQUEST_HEADERS("access-control-request-headers"),
    /** Fetch: CORS. */
    ACCESS_CONTROL_REQUEST_METHOD("access-control-request-method"),
    /** RFC 9110 section 11.6.2. */
    AUTHORIZATION("authorization"),
    /** RFC 9111 section 5.2. */
    CACHE_CONTROL("cache-control"),
    /** RFC 9110 section 7.6.1. */
    CONNECTION("connection"),
    /** RFC 9110 section 8.4. */
    CONTENT_ENCODING("content-encoding"),
    /** RFC 9110 section 8.6. */
    CONTENT_LENGTH("content-length"),
    /** RFC 9110 section 8.3. */
    CONTENT_TYPE("content-type"),
    /** RFC 6265 section 5.4. */
    COOKIE("cookie"),
    /** RFC 9110 section 6.6.1. */
    DATE("date"),
    /** Tracking preference. */
    DNT("dnt"),
    /** RFC 9110 section 10.1.1. */
    EXPECT("expect"),
    /** RFC 7239. */
    FORWARDED("forwarded"),
    /** RFC 9110 section 10.1.2. */
    FROM("from"),
    /** RFC 9110 section 7.2. */
    HOST("host"),
    /** RFC 7540 section 3.2.1. */
    HTTP2_SETTINGS("http2-settings"),
    /** RFC 9110 section 13.1.1. */
    IF_MATCH("if-match"),
    /** RFC 9110 section 13.1.3. */
    IF_MODIFIED_SINCE("if-modified-since"),
    /** RFC 9110 section 13.1.2. */
    IF_NONE_MATCH("if-none-match"),
    /** RFC 9110 section 13.1.5. */
    IF_RANGE("if-range"),
    /** RFC 9110 section 13.1.4. */
    IF_UNMODIFIED_SINCE("if-unmodified-since"),
    /** Of HTTP/1.0 clients: RFC 9112 appendix C.2.2. */
    KEEP_ALIVE("keep-alive"),
    /** Server-sent events. */
    LAST_EVENT_ID("last-event-id"),
    /** RFC 9110 section 7.6.2. */
    MAX_FORWARDS("max-forwards"),
    /** RFC 6454 section 7. */
    ORIGIN("origin"),
    /** RFC 9111 section 5.4. */
    PRAGMA("pragma"),
    /** RFC 9218. */
    PRIORITY("priority"),
    /** Never a field of HTTP: it would become HTTP_PROXY. */
    PROXY("proxy"),
    /** RFC 9110 section 11.7.2. */
    PROXY_AUTHORIZATION("proxy-authorization"),
    /** As Connection, never in a standard. */
    PROXY_CONNECTION("proxy-connection"),
    /** RFC 9110 section 14.2. */
    RANGE("range"),
    /** RFC 9110 section 10.1.3. */
    REFERER("referer"),
    /** Client hints. */
    SEC_CH_UA("sec-ch-ua"),
    /** Client hints. */
    SEC_CH_UA_MOBILE("sec-ch-ua-mobile"),
    /** Client hints. */
    SEC_CH_UA_PLATFORM("sec-ch-ua-platform"),
    /** Fetch metadata. */
    SEC_FETCH_DEST("sec-fetch-dest"),
    /** Fetch metadata. */
    SEC_FETCH_MODE("sec-fetch-mode"),
    /** Fetch metadata. */
    SEC_FETCH_SITE("sec-fetch-site"),
    /** Fetch metadata. */
    SEC_FETCH_USER("sec-fetch-user"),
    /** RFC 6455 section 11.3.2. */
    SEC_WEBSOCKET_EXTENSIONS("sec-websocket-extensions"),
    /** RFC 6455 section 11.3.1. */
    SEC_WEBSOCKET_KEY("sec-websocket-key"),
    /** RFC 6455 section 11.3.4. */
    SEC_WEBSOCKET_PROTOCOL("sec-websocket-protocol"),
    /** RFC 6455 section 11.3.5. */
    SEC_WEBSOCKET_VERSION("sec-websocket-version"),
    /** RFC 9110 section 10.1.4. */
    TE("te"),
    /** W3C trace context. */
    TRACEPARENT("traceparent"),
    /** W3C trace context. */
    TRACESTATE("tracestate"),
    /** RFC 9110 section 6.6.2. */
    TRAILER("trailer"),
    /** RFC 9112 section 6.1. */
    TRANSFER_ENCODING("transfer-encoding"),
    /** RFC 9110 section 7.8. */
    UPGRADE("upgrade"),
    /** W3C upgrade-insecure-requests. */
    UPGRADE_INSECURE_REQUESTS("upgrade-insecure-requests"),
    /** RFC 9110 section 10.1.5. */
    USER_AGENT("user-agent"),
    /** RFC 9110 section 7.6.3. */
    VIA("via"),
    /** Of proxies. */
    X_FORWARDED_FOR("x-forwarded-for"),
    /** Of proxies. */
    X_FORWARDED_HOST("x-forwarded-host"),
    /** Of proxies. */
    X_FORWARDED_PORT("x-forwarded-port"),
    /** Of proxies. */
    X_FORWARDED_PROTO("x-forwarded-proto"),
    /** Asks for another method than the request's. */
    X_HTTP_METHOD_OVERRIDE("x-http-method-override"),
    /** Asks for another target than the request's. */
    X_ORIGINAL_URL("x-original-url"),
    /** Of proxies. */
    X_REAL_IP("x-real-ip"),
    /** Of proxies and API clients. */
    X_REQUEST_ID("x-request-id"),
    /** Of scripts. */
    X_REQUESTED_WITH("x-requested-with"),
    /** Asks for another target than the request's. */
    X_REWRITE_URL("x-rewrite-url");

    private static final KnownField[] ALL = values();

    /** By {@link #slot}; longer than twice the number of names, so that few share a slot. */
    private static final @Nullable KnownField[] TABLE = new KnownField[256];

    static {
        for (KnownField one : ALL) {
            int slot = slot(one.bytes, 0, one.bytes.length);
            while (TABLE[slot] != null) {
                slot = (slot + 1) & (TABLE.length - 1);
            }
            TABLE[slot] = one;
        }
    }

    private final String lower;

    @SuppressWarnings("ImmutableEnumChecker") // Nobody changes it.
    private final byte[] bytes;

    KnownField(String lower) {
        this.lower = lower;
        this.bytes = lower.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Returns the name.
     *
     * @return in lower case
     */
    public String lower() {
        return lower;
    }

    /** The field with this number. */
    static KnownField at(int number) {
        return ALL[number];
    }

    /**
     * Returns the number that stands for the name, for tables by name.
     *
     * @return 0 to 127, of this version of the class: not to be stored
     */
    @SuppressWarnings("EnumOrdinal") // It is an index of tables that are made in the same run.
    public int number() {
        return ordinal();
    }

    /**
     * Looks a name up, in any case.
     *
     * @param source holds the name
     * @param from its first byte; it is not empty
     * @param to behind its last byte
     * @return null when it is none of these
     */
    public static @Nullable KnownField of(byte[] source, int from, int to) {
        int slot = slot(source, from, to);
        KnownField one = TABLE[slot];
        while (one != null) {
            if (one.bytes.length == to - from && Ascii.equalsLower(source, from, to, one.bytes)) {
                return one;
            }
            slot = (slot + 1) & (TABLE.length - 1);
            one = TABLE[slot];
        }
        return null;
    }

    /**
     * Looks a name up, in any case.
     *
     * @param name a token
     * @return null when it is none of these
     */
    public static @Nullable KnownField of(String name) {
        byte[] latin = name.getBytes(StandardCharsets.ISO_8859_1);
        return latin.length == 0 ? null : of(latin, 0, latin.length);
    }

    /** Length, first, middle and last byte tell most names apart. */
    private static int slot(byte[] source, int from, int to) {
        int length = to - from;
        int first = source[from] | 0x20;
        int middle = source[from + length / 2] | 0x20;
        int last = source[to - 1] | 0x20;
        int mixed = (((length * 31 + first) * 31 + middle) * 31 + last) * 0x9E37;
        return (mixed >>> 4) & (TABLE.length - 1);
    }
}
