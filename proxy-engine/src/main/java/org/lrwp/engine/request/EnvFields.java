package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The header fields of a request as {@code HTTP_*}. Left out: fields that end at this hop, {@code
 * Proxy} (it would become HTTP_PROXY), names that could be taken for another one once {@code -} is
 * {@code _}, and forwarding fields from whom they are not believed. A trusted proxy's forwarding
 * fields stay, even when {@code Connection} names them.
 *
 * @param head the request
 * @param trusted whether its forwarding fields are believed
 * @param traced whether the proxy has a span of its own, so that the client's is not passed on
 */
record EnvFields(RequestHead head, boolean trusted, boolean traced) {
    private static final byte[] COMMA = {',', ' '};
    private static final byte[] SEMICOLON = {';', ' '};

    /** Adds all that are passed on; values are copied as they are. */
    void addTo(EnvBlockWriter block) throws MalformedFrameException {
        HttpHead bytes = head.bytes();
        Set<String> listed = head.connectionOptions();
        for (int i = 0; i < bytes.fields(); i++) {
            FieldRule rule = FieldRule.of(bytes, i);
            if (!isPassed(rule, i, listed)) {
                continue;
            }
            String host = bytes.known(i) == KnownField.HOST ? targetHost() : null;
            if (host != null) {
                block.start(rule.variable());
                block.append(host);
                block.end();
            } else if (!bytes.mayRepeatNames()) {
                int value = bytes.value(i);
                int from = HttpHead.start(value);
                block.add(rule.variable(), bytes.bytes(), from, HttpHead.end(value));
            } else if (!isRepeated(i)) {
                block.start(rule.variable());
                appendValues(block, i);
                block.end();
            }
        }
    }

    /** One field's value as it is in the block; null when it is not there. */
    @Nullable String value(String name) {
        HttpHead bytes = head.bytes();
        int index = bytes.find(name, 0);
        if (index < 0) {
            return null;
        }
        if (!isPassed(FieldRule.of(bytes, index), index, head.connectionOptions())) {
            return null;
        }
        String host = bytes.known(index) == KnownField.HOST ? targetHost() : null;
        return host == null ? joined(index) : host;
    }

    /**
     * The host of an absolute target, which decides where the request goes; null for another form.
     * What {@code Host} says beside it counts for nothing: RFC 9112 section 3.2.2.
     */
    private @Nullable String targetHost() {
        Authority named = head.target().authority();
        return named == null ? null : named.text();
    }

    private boolean isPassed(FieldRule rule, int index, Set<String> listed) {
        return switch (rule.kind()) {
            case PLAIN -> isUnlisted(index, listed);
            case TRACE -> !traced && isUnlisted(index, listed);
            case FORWARDED -> trusted;
            case DROPPED -> false;
        };
    }

    private boolean isUnlisted(int index, Set<String> listed) {
        return listed.isEmpty() || !listed.contains(lower(index));
    }

    private String lower(int index) {
        HttpHead bytes = head.bytes();
        return bytes.text(bytes.name(index)).toLowerCase(Locale.ROOT);
    }

    /** Whether a field of the same name came before. */
    private boolean isRepeated(int index) {
        HttpHead bytes = head.bytes();
        for (int i = 0; i < index; i++) {
            if (bytes.isSameName(i, index)) {
                return true;
            }
        }
        return false;
    }

    /** The value, with those of later fields of the same name. */
    private void appendValues(EnvBlockWriter block, int index) throws MalformedFrameException {
        HttpHead bytes = head.bytes();
        append(block, bytes.value(index));
        for (int i = index + 1; i < bytes.fields(); i++) {
            if (bytes.isSameName(i, index)) {
                byte[] separator = bytes.known(index) == KnownField.COOKIE ? SEMICOLON : COMMA;
                block.append(separator, 0, separator.length);
                append(block, bytes.value(i));
            }
        }
    }

    private void append(EnvBlockWriter block, int range) throws MalformedFrameException {
        block.append(head.bytes().bytes(), HttpHead.start(range), HttpHead.end(range));
    }

    private String joined(int index) {
        HttpHead bytes = head.bytes();
        List<String> values = head.values(bytes.text(bytes.name(index)));
        return String.join(bytes.known(index) == KnownField.COOKIE ? "; " : ", ", values);
    }
}
