package org.lrwp.engine.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;

class TlsReasonTest {
    @Test
    void aFaultSpeaksForItself() {
        var fault = new IOException("over \"quota\"\n", new EOFException("no more"));
        assertEquals("over ?quota??", TlsReason.of(fault));
    }

    @Test
    void theDeepestCauseSpeaksForOneThatSaysNothing() {
        var deepest = new IOException("Alert: unknown_ca");
        var between = new IOException("between", deepest);
        assertEquals(
                "Alert: unknown_ca",
                TlsReason.of(new IOException("Unexpected exception", between)));
        assertEquals("Alert: unknown_ca", TlsReason.of(new IOException(null, between)));
    }

    @Test
    void withoutAnyWordItIsTheKind() {
        assertEquals("ClosedChannelException", TlsReason.of(new ClosedChannelException()));
    }
}
