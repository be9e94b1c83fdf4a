package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
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
 * @param war the web application
 * @param temporary the folder below which the container's own folder is made
 */
record ServerSettings(
        Endpoint http,
        int httpThreads,
        boolean http2,
        OptionalInt lrwpPort,
        Map<String, String> values,
        @Nullable Path config,
        Path war,
        Path temporary) {}
