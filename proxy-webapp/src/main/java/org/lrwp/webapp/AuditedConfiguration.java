package org.lrwp.webapp;

import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Entry;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the audit log says of the configuration: its version, and what was changed. The version is
 * the beginning of the SHA-256 of all values; secrets count as {@code ***}, so that nobody can try
 * them out on it. Any thread.
 */
final class AuditedConfiguration {
    private static final int VERSION_BYTES = 6;

    private final Configuration configuration;
    private volatile Seen seen;

    /** The values at one time. */
    private record Seen(Map<String, Entry> entries, String version) {}

    AuditedConfiguration(Configuration configuration) {
        this.configuration = configuration;
        this.seen = look(configuration);
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
    void changed(AuditTrail audit) {
        Map<String, Entry> before = seen.entries();
        Seen now = look(configuration);
        seen = now;
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
                                        name,
                                        "taken back"));
                    }
                });
    }

    private static void tell(AuditTrail audit, Entry entry, String before) {
        audit.record(
                AuditEvent.done(
                        AuditEvent.Action.CHANGE,
                        AuditActor.anonymous(""),
                        entry.name(),
                        "value=%s before=%s origin=%s"
                                .formatted(entry.text(), before, entry.origin())));
    }
}
