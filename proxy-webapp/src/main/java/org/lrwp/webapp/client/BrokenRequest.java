package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What is known of a request whose head breaks a rule.
 *
 * @param client its address
 * @param method up to the first blank
 * @param target up to the second one
 * @param accept its Accept field, if that could be read
 * @param bodyLength bytes that follow; 0 when nobody reads them; -1 when their end alone tells
 */
public record BrokenRequest(
        String client, String method, String target, @Nullable String accept, long bodyLength)
        implements RequestLine.Accepting {
    private static final int LONGEST = 512;
    private static final String UNKNOWN = "-";
    private static final char PEER_DELIMITER = 0xFF;

    /** Checks that nothing is missing. */
    public BrokenRequest {
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(target, "target");
    }

    /**
     * Reads what a request begins with.
     *
     * @param client its address
     * @param from its first bytes, as far as they have come; not changed
     * @return its first line
     */
    public static BrokenRequest of(String client, ByteBuffer from) {
        byte[] bytes = new byte[Math.min(from.remaining(), LONGEST)];
        from.get(from.position(), bytes);
        String text = new String(bytes, StandardCharsets.ISO_8859_1).stripLeading();
        String line = text.lines().findFirst().orElse("");
        String[] words = line.split(" ", 3);
        String method = words[0].isEmpty() ? UNKNOWN : words[0];
        return new BrokenRequest(client, method, words.length < 2 ? UNKNOWN : words[1], null, 0);
    }

    /**
     * Whether it is likely to be an LRWP peer: FF ends, or begins, what such a one says first.
     * Other protocols, such as SMB, have it behind bytes that are no text.
     */
    boolean isOfPeer() {
        int end = method.indexOf(PEER_DELIMITER);
        return end >= 0 && method.chars().limit(end).allMatch(c -> c > ' ');
    }
}
