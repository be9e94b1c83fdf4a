package org.lrwp.bench.osp;

import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.PeerRequest;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Map;

/** A message as the proxy brings it. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Posted(byte[] octets) implements PeerRequest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("REQUEST_METHOD", "POST", "CONTENT_TYPE", "text/plain");

    @Override
    public Map<String, String> environment() {
        return ENVIRONMENT;
    }

    @Override
    public String method() {
        return "POST";
    }

    @Override
    public String pathInfo() {
        return "";
    }

    @Override
    public String query() {
        return "";
    }

    @Override
    public @Nullable String header(String name) {
        return null;
    }

    @Override
    public long bodyLength() {
        return octets.length;
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(octets);
    }
}
