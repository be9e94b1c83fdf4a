package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.http1.KnownField;

/**
 * A request that has passed the checks of its head.
 *
 * @param head its checked head
 * @param root the application's context root; empty for {@code /}
 * @param path its path below the context root
 * @param id the request id
 */
public record CheckedRequest(RequestHead head, String root, String path, String id)
        implements RequestLine.Accepting {
    @Override
    public @Nullable String accept() {
        return head.first(KnownField.ACCEPT);
    }

    /**
     * Says whether a body belongs to it, as far as the head tells.
     *
     * @return whether the head announces one
     */
    public boolean hasBody() {
        return head.bodyLength() > 0 || head.bytes().find(KnownField.TRANSFER_ENCODING) >= 0;
    }
}
