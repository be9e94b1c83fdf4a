package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;

/**
 * The details of a request that somebody follows.
 *
 * @param details of the request
 * @param trace who follows it
 */
record TracedDetails(RequestDetails details, RequestTrace trace) implements RequestDetails {
    @Override
    public String protocol() {
        return details.protocol();
    }

    @Override
    public boolean secure() {
        return details.secure();
    }

    @Override
    public String tlsVersion() {
        return details.tlsVersion();
    }

    @Override
    public String tlsCipher() {
        return details.tlsCipher();
    }

    @Override
    public @Nullable String referer() {
        return details.referer();
    }

    @Override
    public @Nullable String userAgent() {
        return details.userAgent();
    }
}
