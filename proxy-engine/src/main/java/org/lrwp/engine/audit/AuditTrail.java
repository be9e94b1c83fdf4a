package org.lrwp.engine.audit;

/** Takes down what happened; any thread, and it never blocks. */
@FunctionalInterface
public interface AuditTrail {
    /** Takes nothing down. */
    AuditTrail NONE = event -> {};

    /**
     * Takes an event down; its time is now.
     *
     * @param event what happened
     */
    void record(AuditEvent event);
}
