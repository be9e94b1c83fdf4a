package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * What the command line asks for.
 *
 * @param http where HTTP is served
 * @param httpThreads threads that serve HTTP requests, at least 1
 * @param http2 whether clients may speak HTTP/2
 * @param lrwpPort the agent's port when it was given
 * @param front who takes requests for peers, when it was given
 * @param config the configuration file when it was given
 * @param war the web application
 * @param temporary the folder below which the container's own folder is made
 */
record ServerSettings(
        Endpoint http,
        int httpThreads,
        boolean http2,
        OptionalInt lrwpPort,
        @Nullable String front,
        @Nullable Path config,
        Path war,
        Path temporary) {}
