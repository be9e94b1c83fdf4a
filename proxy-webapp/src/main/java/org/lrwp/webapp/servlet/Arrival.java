package org.lrwp.webapp.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.lrwp.engine.request.RequestHead;

/**
 * A request that has passed the checks of its head.
 *
 * @param request the container's request
 * @param response the container's response
 * @param link the client's connection
 * @param head its checked head
 * @param path its path below the context root
 * @param id the request id
 */
record Arrival(
        HttpServletRequest request,
        HttpServletResponse response,
        ClientLink link,
        RequestHead head,
        String path,
        String id) {
    /** Whether a body belongs to it, as far as the head tells. */
    boolean hasBody() {
        return head.bodyLength() > 0 || head.first("Transfer-Encoding") != null;
    }

    /** Makes it asynchronous. The container's own time-out is not used: it would answer 200. */
    AsyncContext async() {
        return async(request);
    }

    static AsyncContext async(HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        return async;
    }

    /** Its client from now on, when it is asynchronous. */
    ServletClient client(ClientSettings settings) {
        long now = settings.clock().nanos();
        var kept = ClientRequest.of(request, id, head.bodyLength(), now);
        return new ServletClient(async(), link, kept, settings);
    }
}
