package org.lrwp.webapp.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.transport.TransportStatus;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import javax.management.MBeanServer;
import javax.management.ObjectName;

class ProxyControlTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final AtomicInteger drained = new AtomicInteger();
    private final AtomicInteger reopened = new AtomicInteger();

    private EngineStatus status() {
        return new EngineStatus(
                true,
                drained.get() > 0,
                drained.get() > 0,
                "a",
                "",
                List.of(),
                List.of(),
                List.of(),
                0,
                0,
                new TransportStatus("own", "", 1, true, 0),
                List.of(),
                Map.of());
    }

    private ProxyControl register(String root) {
        return ProxyControl.register(
                root, "9", this::status, drained::incrementAndGet, reopened::incrementAndGet);
    }

    @Test
    void proxyCanBeSeenAndDrainedByJmxWhileItRuns() throws Exception {
        var name = new ObjectName("org.lrwp:type=Proxy,root=\"/control-test\"");
        try (var control = register("/control-test")) {
            assertFalse(control.isDraining());
            assertEquals("9", server.getAttribute(name, "Version"));
            assertEquals(0, server.getAttribute(name, "InFlight"));
            assertEquals(0, server.getAttribute(name, "Peers"));

            server.invoke(name, "drain", new Object[0], new String[0]);

            assertEquals(1, drained.get());
            assertEquals(true, server.getAttribute(name, "Draining"));
            control.drain();
            assertEquals(2, drained.get());

            server.invoke(name, "reopenLogs", new Object[0], new String[0]);
            assertEquals(1, reopened.get());
        }
        assertFalse(server.isRegistered(name));
    }

    @Test
    void secondProxyOfTheSameRootRunsWithoutMbean() {
        try (var first = register("/twice");
                var second = register("/twice")) {
            assertEquals("9", first.getVersion());
            assertEquals("9", second.getVersion());
        }
    }
}
