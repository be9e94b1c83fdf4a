package org.lrwp.webapp;

import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Values;
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
public final class AuditedConfiguration {
    private static final int VERSION_BYTES = 6;

    private final Configuration configuration;
    private final String head;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile String version;

    /**
     * Looks at a configuration.
     *
     * @param configuration its values
     * @param head what stands before the names of its values; empty for nothing
     */
    public AuditedConfiguration(Configuration configuration, String head) {
        this.configuration = configuration;
        this.head = head;
        this.version = version(entries(configuration.values()));
    }

    /**
     * Takes down all that is changed from now on, or was to be changed and was not.
     *
     * @param audit is told of it
     */
    public void follow(AuditTrail audit) {
        configuration.witness(
                new Witness() {
                    @Override
                    public void changed(Origin origin, Values before, Values after) {
                        look();
                        // What the proxy's configuration sets for a module has its line there.
                        if (origin.kind() != Origin.Kind.START) {
                            tell(audit, actor(origin), entries(before), entries(after));
                        }
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
        String address = origin.kind() == Origin.Kind.HTTP ? origin.place() : "";
        Origin.Proof proof = origin.proof();
        return proof.identity().isEmpty()
                ? AuditActor.anonymous(address)
                : new AuditActor(proof.identity(), address, proof.certificate());
    }

    private static Map<String, Entry> entries(Values values) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        values.entries().forEach(entry -> entries.put(entry.name(), entry));
        return entries;
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
        return version;
    }

    /** The version is that of the newest values, whichever of two changes comes here first. */
    private void look() {
        lock.lock();
        try {
            version = version(entries(configuration.values()));
        } finally {
            lock.unlock();
        }
    }

    private void tell(
            AuditTrail audit, AuditActor by, Map<String, Entry> before, Map<String, Entry> after) {
        after.forEach(
                (name, entry) -> {
                    Entry old = before.get(name);
                    if (old == null || !old.text().equals(entry.text())) {
                        String was = old == null ? "" : old.text();
                        done(
                                audit,
                                by,
                                name,
                                "value=%s before=%s origin=%s"
                                        .formatted(entry.text(), was, entry.origin()));
                    }
                });
        before.forEach(
                (name, _) -> {
                    if (!after.containsKey(name)) {
                        done(audit, by, name, "taken back");
                    }
                });
    }

    private void done(AuditTrail audit, AuditActor by, String name, String detail) {
        audit.record(AuditEvent.done(AuditEvent.Action.CHANGE, by, head + name, detail));
    }
}
