package org.lrwp.webapp.servlet;

import org.lrwp.engine.request.RequestHead;

/**
 * A request that has passed the checks of its head, whatever front took it.
 *
 * @param link the client's connection
 * @param head its checked head
 * @param root the application's context root; empty for {@code /}
 * @param path its path below the context root
 * @param id the request id
 */
record Arrival(ClientLink link, RequestHead head, String root, String path, String id) {
    /** Whether a body belongs to it, as far as the head tells. */
    boolean hasBody() {
        return head.bodyLength() > 0 || head.first("Transfer-Encoding") != null;
    }

    /** Its client from now on. */
    ServletClient client(ClientCall call, ClientSettings settings) {
        var kept = ClientRequest.of(head, link, id, settings.clock().nanos());
        return new ServletClient(call, link, kept, settings);
    }
}
