package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.util.DataChunk;
import org.glassfish.grizzly.http.util.Header;
import org.lrwp.engine.request.PlainHead;
import org.lrwp.webapp.servlet.PeerPaths;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

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
        AtomicReference<LastTarget> last =
                LazyStrategy.lastTarget(request.getContext().getConnection());
        HttpRequestPacket asked = request.getRequest();
        DataChunk host = asked.getHeaders().getValue(Header.Host);
        if (last == null || host == null || asked.isChunked()) {
            return false;
        }
        DataChunk path = asked.getRequestURIRef().getRequestURIBC();
        long length = Math.max(0, asked.getContentLength());
        if (last.get().isThatOf(host, path, length)) {
            return true;
        }
        boolean forPeer = isForPeer(host.toString(), asked.getRequestURI(), length);
        if (forPeer) {
            last.set(LastTarget.of(host, path, length));
        }
        return forPeer;
    }

    private boolean isForPeer(String host, String path, long length) {
        return PlainHead.isPlainPath(path) && paths.isForPeer(name(host), path, length);
    }

    private static String name(String host) {
        int colon = host.indexOf(':', host.indexOf(']') + 1);
        return (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
    }
}
