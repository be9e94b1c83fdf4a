package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.glassfish.grizzly.ThreadCache;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.http.server.Request;
import org.junit.jupiter.api.Test;

class RequestObjectsTest {
    @Test
    void theContainerKeepsAsManyAsManyWaitingRequestsHold() {
        RequestObjects.keepMore();

        // What the container itself asks for when its classes are initialised.
        assertEquals(RequestObjects.KEPT, ThreadCache.obtainIndex(Request.class, 16).getSize());
        assertEquals(
                RequestObjects.KEPT,
                ThreadCache.obtainIndex(FilterChainContext.class, 8).getSize());
    }
}
