package org.lrwp.runtime.operation;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What surrounds something at work: its admin endpoint, its bean in consoles, and the watch over
 * its file. Thread-safe; whoever opened it closes it.
 */
public final class Operation implements AutoCloseable {
    private final AtomicBoolean closed = new AtomicBoolean();
    private final @Nullable AdminEndpoint endpoint;
    private final @Nullable ModuleBean bean;
    private final @Nullable FileWatch watch;

    private Operation(Operated subject, @Nullable AdminEndpoint endpoint) {
        this.endpoint = endpoint;
        this.bean = ModuleBean.register(subject);
        this.watch = FileWatch.start(subject.configuration());
    }

    /**
     * Opens the surroundings; blocks while the token is read.
     *
     * @param subject what is at work; its parts are bound to its configuration already
     * @param admin its admin endpoint
     * @return the surroundings
     * @throws BadConfigurationException when the endpoint cannot be had; nothing stays open
     */
    public static Operation open(Operated subject, Admin admin) throws BadConfigurationException {
        return new Operation(subject, AdminEndpoint.open(subject, admin));
    }

    /**
     * Returns where the admin endpoint listens.
     *
     * @return the port of the loopback address; -1 when there is none
     */
    public int adminPort() {
        return endpoint == null ? -1 : endpoint.port();
    }

    /** Ends the surroundings; the subject goes on. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (watch != null) {
            watch.close();
        }
        if (endpoint != null) {
            endpoint.close();
        }
        if (bean != null) {
            bean.close();
        }
    }
}
