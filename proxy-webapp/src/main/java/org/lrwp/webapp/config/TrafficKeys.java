package org.lrwp.webapp.config;

import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Traffic rules; each also for one context alone: {@code context./osp.client-rate}. */
final class TrafficKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final int MILLION = 1_000_000;

    private static final ValueType<ClientName> CLIENT =
            new ValueType<>("address, field NAME or cookie NAME", ClientName::parse);

    private static final ValueType<Set<String>> REMOVED =
            new ValueType<>(
                    "names of header fields separated by commas, none that says where a message"
                            + " ends",
                    text ->
                            new FieldChanges(Set.copyOf(ValueTypes.LIST.parse(text)), List.of())
                                    .removed());

    private static final ValueType<List<HeaderField>> SET =
            new ValueType<>(
                    "header fields as NAME: VALUE separated by vertical bars, none that says"
                            + " where a message ends",
                    text -> new FieldChanges(Set.of(), fields(text)).set());

    private static final ValueType<List<Coding>> CODINGS =
            new ValueType<>(
                    "off, or gzip, br and zstd separated by commas, the best first",
                    text -> Coding.parse(ValueTypes.LIST.parse(text)));

    private static final ValueType<String> COOKIE_NAME =
            new ValueType<>(
                    "name of a cookie, or empty", text -> new StickyRules(text, "").cookie());

    private static final ValueType<String> ATTRIBUTES =
            new ValueType<>(
                    "attributes as in Set-Cookie, separated by semicolons, without Path",
                    TrafficKeys::attributes);

    private static final ValueType<List<ErrorPageFile>> PAGES =
            new ValueType<>(
                    "STATUS FILE separated by commas; STATUS is one from 400 to 599, 4xx, 5xx or"
                            + " all, FILE ends with .html, .txt or .json",
                    text -> ErrorPageFile.parse(ValueTypes.LIST.parse(text)));

    static final Key<Integer> RATE =
            TABLE.key("context.client-rate", ValueTypes.count(0, MILLION), "0")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Requests a second that one client may send on average; above it 429"
                                    + " with Retry-After. 0 = any number.");

    static final Key<Integer> BURST =
            TABLE.key("context.client-burst", ValueTypes.count(1, MILLION), "20")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Requests of one client that may come at once before"
                                    + " `context.client-rate` holds.");

    static final Key<Integer> AT_ONCE =
            TABLE.key("context.client-requests", ValueTypes.count(0, MILLION), "0")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Requests of one client in flight; above it 429 with Retry-After. 0 ="
                                    + " any number.");

    static final Key<ClientName> NAME =
            TABLE.key("context.client-name", CLIENT, "address")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "What tells clients apart for these limits: the address (as trusted"
                                + " proxies tell it; an IPv6 network of 64 bits is one), or the"
                                + " value of a header field or cookie. A request without it counts"
                                + " for its address. Whoever may choose the value may pass the"
                                + " limits.");

    static final Key<Integer> CLIENTS =
            TABLE.key("client.table-size", ValueTypes.count(1, 100 * MILLION), "100000")
                    .live(
                            "Clients that are told apart for these limits at once; further ones of"
                                    + " a context count as one client.");

    static final Key<Set<String>> REQUEST_REMOVED =
            TABLE.key("context.remove-request-fields", REMOVED, "")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("Header fields that peers do not get.");

    static final Key<List<HeaderField>> REQUEST_SET =
            TABLE.key("context.set-request-fields", SET, "")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("Header fields that peers get, in the place of the client's own.");

    static final Key<Set<String>> ANSWER_REMOVED =
            TABLE.key("context.remove-answer-fields", REMOVED, "")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("Header fields of peers that clients do not get.");

    static final Key<List<HeaderField>> ANSWER_SET =
            TABLE.key("context.set-answer-fields", SET, "")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Header fields that clients get with answers of peers and caches, in"
                                    + " the place of the peer's own.");

    static final Key<String> STICKY_COOKIE =
            TABLE.key("context.sticky-cookie", COOKIE_NAME, "")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Name of the cookie by which a client comes back to the process that"
                                + " has answered it, while it lives; else to any other, with a new"
                                + " cookie. Empty = any process gets any request.");

    static final Key<String> STICKY_ATTRIBUTES =
            TABLE.key("context.sticky-attributes", ATTRIBUTES, "HttpOnly; SameSite=Lax")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Attributes of that cookie. `Path` is the context; `Secure` is added"
                                    + " for clients that came by TLS.");

    static final Key<Duration> STICKY_WAIT =
            TABLE.key("context.sticky-wait", ValueTypes.duration(Duration.ZERO), "10s")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "How long a request waits for that process while it is busy and others"
                                + " are free; then any gets it. With `context.queue-time` or more"
                                + " it waits for that process only, and gets 503 when the queue"
                                + " time is over; 0 = not at all.");

    static final Key<String> STICKY_KEY =
            TABLE.key("sticky.key-file", ValueTypes.TEXT, "")
                    .atStart(
                            "File with the key that these cookies are made with, at least 32 bytes,"
                                + " mode 600; with the same file they are good after a restart, and"
                                + " at several proxies. Empty = a key of this run alone.");

    static final Key<List<Coding>> COMPRESS =
            TABLE.key("context.compress", CODINGS, "off")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "How answers are compressed for clients that take it: never what is"
                                + " compressed already, a part, or marked `no-transform`. Of what a"
                                + " client likes equally it gets what stands here first. The ETag"
                                + " becomes weak, and `Vary` names `Accept-Encoding`. Takes CPU of"
                                + " the selector threads.");

    static final Key<Integer> COMPRESS_STREAMS =
            TABLE.key("compress.streams", ValueTypes.count(1, MILLION), "256")
                    .live(
                            "Answers that are compressed at once, each with up to 2 MiB outside the"
                                    + " heap; further ones are sent as they are.");

    static final Key<Long> COMPRESS_LEAST =
            TABLE.key("context.compress-least", ValueTypes.size(0, 1L << 30), "1KiB")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("Bytes of the shortest answer that is compressed.");

    static final Key<Set<String>> COMPRESS_TYPES =
            TABLE.key(
                            "context.compress-types",
                            ProxyValueTypes.NAMES,
                            "text/*, application/json, application/javascript, application/xml,"
                                + " application/xhtml+xml, application/rss+xml, application/wasm,"
                                + " image/svg+xml")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("Media types of answers that are compressed; `text/*` is a group.");

    static final Key<List<ErrorPageFile>> ERROR_PAGES =
            TABLE.key("context.error-pages", PAGES, "")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Pages that clients get in place of the proxy's own errors, never of"
                                + " what a peer answered. A page of `.json` is for clients that ask"
                                + " for JSON, any other for the rest. A request that no context has"
                                + " been found for gets those of all contexts. Read at the start,"
                                + " and with each change of the configuration.");

    static final Key<Long> ERROR_PAGE_LIMIT =
            TABLE.key("error-page.limit", ValueTypes.size(1, 1L << 24), "64KiB")
                    .live(
                            "Bytes of the longest of these pages; a configuration with a longer one"
                                    + " is refused.");

    private TrafficKeys() {}

    private static String attributes(String text) {
        boolean clean = text.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != ',');
        for (String attribute : text.split(";", -1)) {
            String name = attribute.split("=", 2)[0].strip();
            if (!clean || name.equalsIgnoreCase("path") || (name.isEmpty() && !text.isBlank())) {
                throw new IllegalArgumentException(text);
            }
        }
        return text.strip();
    }

    private static List<HeaderField> fields(String text) {
        List<HeaderField> fields = new ArrayList<>();
        if (text.isBlank()) {
            return fields;
        }
        for (String field : text.split("\\|", -1)) {
            int colon = field.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException(field);
            }
            fields.add(
                    new HeaderField(
                            field.substring(0, colon).strip(), field.substring(colon + 1).strip()));
        }
        return fields;
    }

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
