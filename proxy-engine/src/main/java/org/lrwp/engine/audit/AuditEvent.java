package org.lrwp.engine.audit;

import java.util.Locale;
import java.util.Objects;

/**
 * One decision that has to be accounted for.
 *
 * @param action what somebody wanted
 * @param actor who
 * @param subject what it is about: a context, a URL, the name of a value; empty for nothing
 * @param verdict whether it was done
 * @param detail the reason of a refusal, or what else belongs to it; empty for nothing. Texts of
 *     peers and clients as they came: whoever writes them escapes them
 */
public record AuditEvent(
        Action action, AuditActor actor, String subject, Verdict verdict, String detail) {
    /** What somebody wanted. */
    public enum Action {
        /** To be connected. */
        CONNECT,
        /** To serve a context. */
        REGISTER,
        /** To take no more requests, or that a peer takes none. */
        DRAIN,
        /** To have a peer get more or less than others. */
        WEIGH,
        /** To end a peer's connection. */
        DISCONNECT,
        /** To end a request. */
        CANCEL,
        /** To send a request once more that the inspector keeps. */
        REPEAT,
        /** To have requests of a context refused. */
        PAUSE,
        /** To have them taken again. */
        RESUME,
        /** To act as an operator. */
        LOGIN,
        /** To change the configuration. */
        CHANGE,
        /** To remove answers from the response cache. */
        PURGE;

        /**
         * Returns the word of the log when it was done.
         *
         * @return for example {@code registered}
         */
        public String done() {
            String word = name().toLowerCase(Locale.ROOT);
            return switch (this) {
                case CONNECT, REGISTER, DRAIN, DISCONNECT, REPEAT, WEIGH -> word + "ed";
                case CHANGE, PURGE, PAUSE, RESUME -> word + "d";
                case CANCEL -> "cancelled";
                case LOGIN -> "logged-in";
            };
        }
    }

    /** What was decided. */
    public enum Verdict {
        /** It was done. */
        ALLOWED,
        /** It was not. */
        REFUSED
    }

    /** Checks that nothing is missing. */
    public AuditEvent {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(actor, "actor");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(verdict, "verdict");
        Objects.requireNonNull(detail, "detail");
    }

    /**
     * Something was done.
     *
     * @param action what
     * @param actor by whom
     * @param subject what it is about
     * @param detail what else belongs to it; empty for nothing
     * @return the event
     */
    public static AuditEvent done(Action action, AuditActor actor, String subject, String detail) {
        return new AuditEvent(action, actor, subject, Verdict.ALLOWED, detail);
    }

    /**
     * Something was refused.
     *
     * @param action what
     * @param actor to whom
     * @param subject what it is about
     * @param reason why
     * @return the event
     */
    public static AuditEvent refused(
            Action action, AuditActor actor, String subject, String reason) {
        return new AuditEvent(action, actor, subject, Verdict.REFUSED, reason);
    }

    /**
     * Returns the word of the log.
     *
     * @return {@code refused}, or what was done
     */
    public String word() {
        return verdict == Verdict.REFUSED ? "refused" : action.done();
    }
}
