package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class HeadTest {
    @Test
    void aHeadSaysWhatTheTestSaid() {
        Head head =
                Head.of("PUT", "/a/b?c=d&e")
                        .with("X-One", "1")
                        .with("Content-Type", "text/plain")
                        .from("192.0.2.1")
                        .length(7);

        assertEquals("PUT", head.method());
        assertEquals("/a/b", head.pathInfo());
        assertEquals("c=d&e", head.query());
        assertEquals("/context/a/b?c=d&e", head.variable("REQUEST_URI"));
        assertEquals("1", head.header("x-one"));
        assertEquals("text/plain", head.header("Content-Type"));
        assertEquals("text/plain", head.variable("CONTENT_TYPE"));
        assertEquals("192.0.2.1", head.variable("REMOTE_ADDR"));
        assertEquals(7, head.bodyLength());
        assertEquals(-1, head.length(-1).bodyLength());
    }

    @Test
    void nothingIsSaidByDefault() {
        Head head = Head.get("");

        assertEquals("GET", head.method());
        assertEquals("", head.query());
        assertEquals(0, head.bodyLength());
        assertEquals("localhost", head.header("Host"));
        assertNull(head.header("X-One"));
    }
}
