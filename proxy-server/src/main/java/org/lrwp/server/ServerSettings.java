package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What the command line asks for.
 *
 * @param http where HTTP is served
 * @param httpThreads threads that serve HTTP requests, at least 1
 * @param http2 whether clients may speak HTTP/2
 * @param lrwpPort the agent's port when it was given
 * @param values what was given for the web application, by system property
 * @param config the configuration file when it was given
 * @param warmUp how long the JVM is warmed up before clients are let in; 0 = not at all
 * @param containerAtStart whether the servlet container has to be there before clients are
 * @param otherWar another web application than that of this program; null for none
 * @param temporary the folder below which the container's own folder is made
 */
record ServerSettings(
        Endpoint http,
        int httpThreads,
        boolean http2,
        OptionalInt lrwpPort,
        Map<String, String> values,
        @Nullable Path config,
        Duration warmUp,
        boolean containerAtStart,
        @Nullable Path otherWar,
        Path temporary) {
    /** The web application that the container gets. */
    Path war() {
        Path other = otherWar;
        return other == null ? shipped() : other;
    }

    /**
     * That of this program lies beside its jar: a folder with its files, whose classes are on the
     * class path.
     */
    private static Path shipped() {
        return program().resolveSibling("proxy-webapp");
    }

    /** The jar of this program. */
    static Path program() {
        try {
            return Path.of(
                    ServerSettings.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the proxy can start before the container: another application brings modules. */
    boolean isShipped() {
        return otherWar == null;
    }

    /** Whether the container has to be there before clients are. */
    boolean isContainerNeeded() {
        return containerAtStart || http2 || !isShipped();
    }
}
