package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.util.Header;
import org.glassfish.grizzly.nio.NIOTransport;
import org.lrwp.engine.request.PlainHead;
import org.lrwp.webapp.servlet.PeerPaths;

import java.util.Locale;

/**
 * Knows which requests are handled on the selector thread that has read them: those of registered
 * contexts, as nothing of their way blocks. All others may block and go to worker threads. When in
 * doubt a request goes there too. Thread-safe, never blocks.
 */
final class PeerRequests {
    private final PeerPaths paths;

    PeerRequests(PeerPaths paths) {
        this.paths = paths;
    }

    boolean stayOnSelector(Request request) {
        if (!(request.getContext().getConnection().getTransport() instanceof NIOTransport transport
                && transport.getIOStrategy() instanceof LazyStrategy)) {
            return false;
        }
        HttpRequestPacket asked = request.getRequest();
        String path = asked.getRequestURI();
        String host = asked.getHeader(Header.Host);
        if (host == null || !PlainHead.isPlainPath(path)) {
            return false;
        }
        return paths.isForPeer(name(host), path, asked.isChunked() ? -1 : length(asked));
    }

    private static long length(HttpRequestPacket asked) {
        return Math.max(0, asked.getContentLength());
    }

    private static String name(String host) {
        int colon = host.indexOf(':', host.indexOf(']') + 1);
        return (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
    }
}
