package org.lrwp.server;

import org.glassfish.grizzly.ThreadCache;

import java.lang.System.Logger.Level;
import java.util.List;

/**
 * How many of the objects that a request needs the container keeps for the next ones, for each of
 * its threads.
 *
 * <p>Its own number is 16 or fewer. A request that waits for a peer holds its objects meanwhile, so
 * with more than some clients most requests had new ones made: Grizzly's request and answer, the
 * servlet container's pair that hangs on them, and their buffers. Grizzly takes the number of who
 * asks first, so this has to happen before the container boots; in a domain it is too late.
 */
final class RequestObjects {
    /** Of each kind; what is above it is made anew and left to the collector. */
    static final int KEPT = 512;

    private static final System.Logger LOG = System.getLogger(RequestObjects.class.getName());

    private static final String GRIZZLY = "org.glassfish.grizzly.";

    /** By name: none of them may be initialised here, and not all are public. */
    private static final List<String> KINDS =
            List.of(
                    GRIZZLY + "filterchain.FilterChainContext",
                    GRIZZLY + "http.HttpContent",
                    GRIZZLY + "http.HttpServerFilter$ServerHttpRequestImpl",
                    GRIZZLY + "http.server.Request",
                    GRIZZLY + "http.server.SuspendStatus");

    private RequestObjects() {}

    /** Has the container keep more of them. Called once, before it boots. */
    static void keepMore() {
        for (String kind : KINDS) {
            try {
                Class<?> type = Class.forName(kind, false, RequestObjects.class.getClassLoader());
                ThreadCache.obtainIndex(type, KEPT);
            } catch (ClassNotFoundException e) {
                LOG.log(Level.DEBUG, "container-objects-unknown kind={0}", kind);
            }
        }
    }
}
