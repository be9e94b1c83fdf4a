package org.lrwp.webapp.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.EngineStatus;
import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.context.Pause;
import org.lrwp.engine.transport.TransportStatus;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;

class ContextBeansTest {
    private static final long SECOND = 1_000_000_000;

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final List<ContextStatus> contexts = new ArrayList<>();
    private long now;
    private final ContextBeans beans =
            new ContextBeans(
                    "/beans",
                    this::status,
                    context ->
                            context.equals("/many")
                                    ? null
                                    : new ContextTotals(6, 7, 8, 0.5, 1.5, 2.5),
                    2,
                    () -> now);

    @AfterEach
    void close() {
        beans.close();
    }

    private EngineStatus status() {
        return new EngineStatus(
                true,
                false,
                false,
                "127.0.0.1:1",
                "",
                List.copyOf(contexts),
                List.of(),
                List.of(),
                0,
                0,
                new TransportStatus("own", "", 1, true, 0),
                List.of(),
                Map.of());
    }

    private static ContextStatus context(String name, String host, int waiting) {
        return new ContextStatus(
                name,
                host,
                true,
                2,
                10,
                4,
                6,
                new Pause("later", 3),
                waiting,
                List.of("p"),
                5,
                Map.of(),
                Map.of("answered", 9L));
    }

    private static ObjectName name(String context, String host) throws Exception {
        return new ObjectName(
                "org.lrwp:type=Context,root=\"/beans\",context=%s,host=%s"
                        .formatted(ObjectName.quote(context), ObjectName.quote(host)));
    }

    private Set<ObjectName> all() throws Exception {
        return server.queryNames(new ObjectName("org.lrwp:type=Context,root=\"/beans\",*"), null);
    }

    @Test
    void aContextShowsWhatTheStatusPageShows() throws Exception {
        contexts.add(context("/osp", "a.example", 3));
        beans.look();

        ObjectName name = name("/osp", "a.example");
        Map<String, Object> wanted =
                Map.ofEntries(
                        Map.entry("Served", true),
                        Map.entry("Paused", true),
                        Map.entry("Connections", 2),
                        Map.entry("Slots", 10),
                        Map.entry("Free", 4),
                        Map.entry("Busy", 6),
                        Map.entry("Waiting", 3),
                        Map.entry("Ejections", 5L),
                        Map.entry("ReceivedBytes", 6L),
                        Map.entry("SentBytes", 7L),
                        Map.entry("Retries", 8L),
                        Map.entry("MeanQueueMillis", 0.5),
                        Map.entry("MeanPeerMillis", 1.5),
                        Map.entry("MeanMillis", 2.5));
        for (Map.Entry<String, Object> one : wanted.entrySet()) {
            assertEquals(one.getValue(), server.getAttribute(name, one.getKey()), one.getKey());
        }
        var outcomes = (TabularData) server.getAttribute(name, "Outcomes");
        assertEquals(9L, outcomes.get(new Object[] {"answered"}).get("value"));
        assertEquals("p", ((String[]) server.getAttribute(name, "Ejected"))[0]);
    }

    @Test
    void aPictureServesForASecond() throws Exception {
        contexts.add(context("/osp", "", 3));
        beans.look();
        contexts.set(0, context("/osp", "", 4));
        ObjectName name = name("/osp", "");

        now = SECOND;
        assertEquals(3, server.getAttribute(name, "Waiting"));
        now = SECOND + 1;
        assertEquals(4, server.getAttribute(name, "Waiting"));
    }

    @Test
    void aBeanGoesWithItsContextAndTheLimitLeavesRoomForTheNext() throws Exception {
        contexts.add(context("/a", "", 0));
        contexts.add(context("/b", "", 0));
        beans.look();
        contexts.add(context("/c", "", 0));
        beans.look();
        assertEquals(Set.of(name("/a", ""), name("/b", "")), all());

        contexts.removeFirst();
        beans.look();
        assertEquals(Set.of(name("/b", ""), name("/c", "")), all());

        beans.close();
        beans.look();
        assertTrue(all().isEmpty());
    }

    @Test
    void aContextThatIsCountedWithOthersSaysSo() throws Exception {
        contexts.add(context("/many", "", 0));
        beans.look();

        assertEquals(-1L, server.getAttribute(name("/many", ""), "SentBytes"));
        assertFalse(all().isEmpty());
    }
}
