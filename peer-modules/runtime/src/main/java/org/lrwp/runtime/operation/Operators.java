package org.lrwp.runtime.operation;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.network.Network;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Says who may act: whoever shows a token, each of which has a name. A wrong one costs time, and
 * somebody who shows many is not listened to for a while, at that address only. Any thread; never
 * blocks.
 */
public final class Operators {
    /** How long the answer to a wrong token takes. */
    public static final Duration PENALTY = Duration.ofSeconds(1);

    /** Wrong tokens of one address within the penalty; above it no token of it is looked at. */
    private static final int MOST_WRONG = 8;

    private static final String BEARER = "Bearer ";

    private final List<Named> tokens;
    private final String key;
    private final GuessLimit guesses;

    /**
     * A token, and who shows it.
     *
     * @param name for the audit log
     * @param token its bytes, not copied
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared but by its bytes.
    public record Named(String name, byte[] token) {}

    /**
     * What becomes of somebody, and who it is.
     *
     * @param verdict whether he may act
     * @param name whose token he has shown; empty when he may not
     */
    public record Judgement(Verdict verdict, String name) {
        private static Judgement of(Verdict verdict) {
            return new Judgement(verdict, "");
        }
    }

    /** What becomes of somebody who wants to act. */
    public enum Verdict {
        /** He may. */
        ALLOWED,
        /** There is no token, so nobody may. */
        CLOSED,
        /** He has shown none. */
        MISSING,
        /** It is not the right one. */
        WRONG,
        /** It was not looked at. */
        TOO_MANY
    }

    /**
     * Creates the judge.
     *
     * @param tokens what is to be shown; none when nobody may act
     * @param clock a monotonic clock, in nanoseconds
     * @param key what names the file of the tokens, for sentences
     */
    public Operators(List<Named> tokens, LongSupplier clock, String key) {
        this.tokens = List.copyOf(tokens);
        this.key = key;
        this.guesses = new GuessLimit(MOST_WRONG, PENALTY, clock);
    }

    /**
     * Says why somebody may act, or not.
     *
     * @param verdict the judgement
     * @return a sentence for people
     */
    public String sentence(Verdict verdict) {
        return switch (verdict) {
            case ALLOWED -> "The token is right.";
            case CLOSED -> key + " is not set, so nobody may do this.";
            case MISSING -> "This needs the token of " + key + ".";
            case WRONG -> "The token is wrong.";
            case TOO_MANY -> "Too many wrong tokens came from this address; wait a second.";
        };
    }

    /**
     * Says whether anybody may act.
     *
     * @return whether there is a token
     */
    public boolean areKnown() {
        return !tokens.isEmpty();
    }

    /**
     * Judges a field {@code Authorization}: RFC 6750 section 2.1.
     *
     * @param authorization its value; null when there is none
     * @param from address of the client
     * @return the verdict
     */
    public Judgement judge(@Nullable String authorization, InetAddress from) {
        boolean bearer =
                authorization != null
                        && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
        return judgeToken(
                bearer && authorization != null ? authorization.substring(BEARER.length()) : null,
                from);
    }

    /**
     * Judges a token.
     *
     * @param shown what is shown; null for nothing
     * @param from address of the client
     * @return the verdict, found out in the same time wherever the two differ
     */
    public Judgement judgeToken(@Nullable String shown, InetAddress from) {
        String source = Network.sourceOf(from).getHostAddress();
        if (tokens.isEmpty()) {
            return Judgement.of(Verdict.CLOSED);
        } else if (shown == null) {
            return Judgement.of(Verdict.MISSING);
        } else if (guesses.isReached(source)) {
            return Judgement.of(Verdict.TOO_MANY);
        }
        Named owner = owner(shown.strip().getBytes(StandardCharsets.UTF_8));
        if (owner != null) {
            return new Judgement(Verdict.ALLOWED, owner.name());
        }
        guesses.addWrong(source);
        return Judgement.of(Verdict.WRONG);
    }

    /** All are compared, so that the time does not tell which one was close. */
    private @Nullable Named owner(byte[] shown) {
        Named found = null;
        for (Named one : tokens) {
            if (MessageDigest.isEqual(one.token(), shown)) {
                found = one;
            }
        }
        return found;
    }
}
