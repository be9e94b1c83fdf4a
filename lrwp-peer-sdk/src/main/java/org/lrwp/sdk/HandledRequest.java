package org.lrwp.sdk;

import java.io.InputStream;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A request with its body, as a blocking handler gets it. */
final class HandledRequest implements PeerRequest {
    private final RequestHead head;
    private final InputStream body;
    private final BooleanSupplier cancelled;

    HandledRequest(RequestHead head, InputStream body, BooleanSupplier cancelled) {
        this.head = head;
        this.body = body;
        this.cancelled = cancelled;
    }

    @Override
    public Map<String, String> environment() {
        return head.environment();
    }

    @Override
    public long bodyLength() {
        return head.bodyLength();
    }

    @Override
    public InputStream body() {
        return body;
    }

    @Override
    public boolean cancelled() {
        return cancelled.getAsBoolean();
    }
}
