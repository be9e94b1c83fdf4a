package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.time.NanoClock;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Browsers that have logged in. Any thread; nothing blocks for long. */
final class Sessions {
    /** How many there may be; above it the oldest is logged out. */
    static final int MOST = 64;

    private static final int BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final Supplier<Duration> time;
    private final NanoClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Session> all = new LinkedHashMap<>();

    Sessions(Supplier<Duration> time, NanoClock clock) {
        this.time = time;
        this.clock = clock;
    }

    /**
     * What became of a command.
     *
     * @param text a sentence; empty for nothing to say
     * @param isGood whether it was done
     */
    record Message(String text, boolean isGood) {
        /** Nothing to say. */
        static final Message NONE = new Message("", true);
    }

    /** A browser that has logged in. */
    static final class Session {
        private final String id;
        private final String form;
        private final AuditActor operator;
        private final long since;
        private volatile Message message = Message.NONE;

        Session(String id, String form, AuditActor operator, long since) {
            this.operator = operator;
            this.id = id;
            this.form = form;
            this.since = since;
        }

        /** What its cookie says. */
        String id() {
            return id;
        }

        /** What its forms have to say. */
        String form() {
            return form;
        }

        /** Whose token was shown, or certificate. */
        AuditActor operator() {
            return operator;
        }

        boolean isForm(@Nullable String shown) {
            return shown != null
                    && MessageDigest.isEqual(
                            form.getBytes(StandardCharsets.US_ASCII),
                            shown.getBytes(StandardCharsets.UTF_8));
        }

        void tell(Message told) {
            message = told;
        }

        /** What became of its last command; asked once. */
        Message takeMessage() {
            Message told = message;
            message = Message.NONE;
            return told;
        }
    }

    Session open(AuditActor operator) {
        var session = new Session(secret(), secret(), operator, clock.nanos());
        lock.lock();
        try {
            if (all.size() == MOST) {
                all.remove(all.keySet().iterator().next());
            }
            all.put(session.id, session);
        } finally {
            lock.unlock();
        }
        return session;
    }

    /** Finds a session by what a cookie says; null when there is none, or its time is over. */
    @Nullable Session find(String id) {
        lock.lock();
        try {
            Session found = all.get(id);
            if (found != null && clock.nanos() - found.since > time.get().toNanos()) {
                all.remove(id);
                return null;
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    void close(Session session) {
        lock.lock();
        try {
            all.remove(session.id);
        } finally {
            lock.unlock();
        }
    }

    private String secret() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
