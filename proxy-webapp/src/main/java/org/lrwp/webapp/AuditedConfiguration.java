package org.lrwp.webapp;

import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Witness;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the audit log says of the configuration: its version, and what was changed. The version is
 * the beginning of the SHA-256 of all values; secrets count as {@code ***}, so that nobody can try
 * them out on it. Any thread.
 */
final class AuditedConfiguration {
    private static final int VERSION_BYTES = 6;

    private final Configuration configuration;
    private final String head;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Seen seen;

    /** The values at one time. */
    private record Seen(Map<String, Entry> entries, String version) {}

    /**
     * Looks at a configuration.
     *
     * @param head what stands before the names of its values; empty for nothing
     */
    AuditedConfiguration(Configuration configuration, String head) {
        this.configuration = configuration;
        this.head = head;
        this.seen = look(configuration);
    }

    /** Takes down all that is changed from now on, or was to be changed and was not. */
    void follow(AuditTrail audit) {
        configuration.witness(
                new Witness() {
                    @Override
                    public void changed() {
                        AuditedConfiguration.this.changed(audit);
                    }

                    @Override
                    public void refused(Origin origin, String reason) {
                        audit.record(
                                AuditEvent.refused(
                                        AuditEvent.Action.CHANGE,
                                        actor(origin),
                                        head + "*",
                                        "origin=" + origin + " " + reason));
                    }
                });
    }

    /** Nobody proves who he is to a console or a file; an endpoint knows from where. */
    private static AuditActor actor(Origin origin) {
        return AuditActor.anonymous(origin.kind() == Origin.Kind.HTTP ? origin.place() : "");
    }

    private static Seen look(Configuration configuration) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        configuration.values().entries().forEach(entry -> entries.put(entry.name(), entry));
        return new Seen(entries, version(entries));
    }

    private static String version(Map<String, Entry> entries) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            entries.forEach(
                    (name, entry) ->
                            digest.update(
                                    (name + "=" + entry.text() + "\n")
                                            .getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest(), 0, VERSION_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The version that decides now. */
    String version() {
        return seen.version();
    }

    /** Takes down what has changed since the last time. */
    private void changed(AuditTrail audit) {
        lock.lock();
        try {
            Map<String, Entry> before = seen.entries();
            seen = look(configuration);
            tell(audit, before, seen);
        } finally {
            lock.unlock();
        }
    }

    private void tell(AuditTrail audit, Map<String, Entry> before, Seen now) {
        now.entries()
                .forEach(
                        (name, entry) -> {
                            Entry old = before.get(name);
                            if (old == null || !old.text().equals(entry.text())) {
                                tell(audit, entry, old == null ? "" : old.text());
                            }
                        });
        before.forEach(
                (name, old) -> {
                    if (!now.entries().containsKey(name)) {
                        audit.record(
                                AuditEvent.done(
                                        AuditEvent.Action.CHANGE,
                                        AuditActor.anonymous(""),
                                        head + name,
                                        "taken back"));
                    }
                });
    }

    private void tell(AuditTrail audit, Entry entry, String before) {
        audit.record(
                AuditEvent.done(
                        AuditEvent.Action.CHANGE,
                        actor(entry.origin()),
                        head + entry.name(),
                        "value=%s before=%s origin=%s"
                                .formatted(entry.text(), before, entry.origin())));
    }
}
