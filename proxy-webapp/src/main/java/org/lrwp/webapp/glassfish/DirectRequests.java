package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.util.Header;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.servlet.DirectFront;

/**
 * Brings requests from Grizzly to the {@link DirectFront}: whole ones of HTTP/1 that ask for
 * nothing but an answer. All others go the usual way. Any thread; never blocks.
 */
final class DirectRequests {
    private final DirectFront front;

    DirectRequests(DirectFront front) {
        this.front = front;
    }

    /** Takes a request; if it does not, nothing has happened. */
    boolean take(Request request, Response response) {
        HttpRequestPacket asked = request.getRequest();
        if (!isPlain(asked)
                || !(request.getContext().getConnection() instanceof NIOConnection connection)) {
            return false;
        }
        RequestHead head = head(request, asked, connection);
        if (head == null) {
            return false;
        }
        var link = new GrizzlyLink(connection, response.getResponse(), null, false);
        var call = new Call(request);
        try {
            return front.take(head, link, call::make);
        } finally {
            call.leave();
        }
    }

    private static boolean isPlain(HttpRequestPacket asked) {
        return !asked.isExpectContent()
                && !asked.isChunked()
                && !asked.isUpgrade()
                && asked.getProtocolString().startsWith("HTTP/1")
                && !asked.containsHeader(Header.Expect);
    }

    /** The head; null when it is broken, or its connection is not known. */
    private static @Nullable RequestHead head(
            Request request, HttpRequestPacket asked, NIOConnection connection) {
        ClientMemory memory = ClientMemory.of(connection, request.isSecure());
        if (memory == null) {
            return null;
        }
        String path = asked.getRequestURI();
        String query = asked.getQueryString();
        try {
            return memory.head(asked, query == null ? path : path + "?" + query);
        } catch (BadRequestException e) {
            return null;
        }
    }

    /** Makes the call when it is asked for. */
    private static final class Call {
        private final Request request;
        private @Nullable GrizzlyCall made;

        Call(Request request) {
            this.request = request;
        }

        GrizzlyCall make() {
            var call = new GrizzlyCall(request);
            made = call;
            return call;
        }

        void leave() {
            GrizzlyCall call = made;
            if (call != null) {
                call.leave();
            }
        }
    }
}
