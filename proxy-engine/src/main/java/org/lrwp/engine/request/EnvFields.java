package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;

import java.util.Locale;
import java.util.Set;

/**
 * The header fields of a request as {@code HTTP_*}. Left out: fields that end at this hop, {@code
 * Proxy} (it would become HTTP_PROXY), names that could be taken for another one once {@code -} is
 * {@code _}, and forwarding fields from whom they are not believed. A trusted proxy's forwarding
 * fields stay, even when {@code Connection} names them. There are four of them, for all requests.
 *
 * @param trusted whether its forwarding fields are believed
 * @param traced whether the proxy has a span of its own, so that the client's is not passed on
 */
record EnvFields(boolean trusted, boolean traced) {
    private static final EnvFields NEITHER = new EnvFields(false, false);
    private static final EnvFields TRACED = new EnvFields(false, true);
    private static final EnvFields TRUSTED = new EnvFields(true, false);
    private static final EnvFields BOTH = new EnvFields(true, true);

    private static final byte[] COMMA = {',', ' '};
    private static final byte[] SEMICOLON = {';', ' '};

    static EnvFields of(boolean trusted, boolean traced) {
        if (traced) {
            return trusted ? BOTH : TRACED;
        }
        return trusted ? TRUSTED : NEITHER;
    }

    /** Adds all that are passed on; values are copied as they are. */
    void addTo(EnvBlockWriter block, RequestHead head) throws MalformedFrameException {
        HttpHead bytes = head.bytes();
        Set<String> listed = head.connectionOptions();
        for (int i = 0; i < bytes.fields(); i++) {
            FieldRule rule = FieldRule.of(bytes, i);
            if (!isPassed(rule, bytes, i, listed)) {
                continue;
            }
            String host = bytes.known(i) == KnownField.HOST ? targetHost(head) : null;
            if (host != null) {
                block.start(rule.variable());
                block.append(host);
                block.end();
            } else if (!bytes.mayRepeatNames()) {
                int value = bytes.value(i);
                int from = HttpHead.start(value);
                block.add(rule.variable(), bytes.bytes(), from, HttpHead.end(value));
            } else if (!isRepeated(bytes, i)) {
                block.start(rule.variable());
                appendValues(block, bytes, i);
                block.end();
            }
        }
    }

    /** One field's value as it is in the block; null when it is not there. */
    @Nullable String value(RequestHead head, String name) {
        HttpHead bytes = head.bytes();
        int index = bytes.find(name, 0);
        if (index < 0) {
            return null;
        }
        if (!isPassed(FieldRule.of(bytes, index), bytes, index, head.connectionOptions())) {
            return null;
        }
        String host = bytes.known(index) == KnownField.HOST ? targetHost(head) : null;
        return host == null ? head.joined(name) : host;
    }

    /**
     * The host of an absolute target, which decides where the request goes; null for another form.
     * What {@code Host} says beside it counts for nothing: RFC 9112 section 3.2.2.
     */
    private static @Nullable String targetHost(RequestHead head) {
        Authority named = head.target().authority();
        return named == null ? null : named.text();
    }

    private boolean isPassed(FieldRule rule, HttpHead bytes, int index, Set<String> listed) {
        return switch (rule.kind()) {
            case PLAIN -> isUnlisted(bytes, index, listed);
            case TRACE -> !traced && isUnlisted(bytes, index, listed);
            case FORWARDED -> trusted;
            case DROPPED -> false;
        };
    }

    private static boolean isUnlisted(HttpHead bytes, int index, Set<String> listed) {
        return listed.isEmpty() || !listed.contains(lower(bytes, index));
    }

    private static String lower(HttpHead bytes, int index) {
        return bytes.text(bytes.name(index)).toLowerCase(Locale.ROOT);
    }

    /** Whether a field of the same name came before. */
    private static boolean isRepeated(HttpHead bytes, int index) {
        for (int i = 0; i < index; i++) {
            if (bytes.isSameName(i, index)) {
                return true;
            }
        }
        return false;
    }

    /** The value, with those of later fields of the same name. */
    private static void appendValues(EnvBlockWriter block, HttpHead bytes, int index)
            throws MalformedFrameException {
        append(block, bytes, bytes.value(index));
        for (int i = index + 1; i < bytes.fields(); i++) {
            if (bytes.isSameName(i, index)) {
                byte[] separator = bytes.known(index) == KnownField.COOKIE ? SEMICOLON : COMMA;
                block.append(separator, 0, separator.length);
                append(block, bytes, bytes.value(i));
            }
        }
    }

    private static void append(EnvBlockWriter block, HttpHead bytes, int range)
            throws MalformedFrameException {
        block.append(bytes.bytes(), HttpHead.start(range), HttpHead.end(range));
    }
}
