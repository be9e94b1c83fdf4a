package org.lrwp.server;

import java.util.logging.LogManager;

/**
 * The JDK's log manager resets itself as soon as the JVM begins to shut down, side by side with our
 * own hook, and what happens while the proxy drains would be lost. This one keeps its handlers,
 * which are closed at the end: {@link ServerLog}.
 *
 * <p>Public because the JDK makes the instance by its name, {@code java.util.logging.manager}.
 */
public final class LastingLogManager extends LogManager {

    /** Made by the JDK. */
    public LastingLogManager() {}

    /** Does nothing. */
    @Override
    public void reset() {}
}
