package org.lrwp.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.events.testkit.Settings;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.Neighbours;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.RecordedExchange;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The modules of a cluster: events of all nodes at each, and clients that go from one to another.
 * What is told is on its way until the test lets it arrive.
 */
class SharedEventsTest {
    /** Data of a stream, data of a poll, or a gap. */
    private static final Pattern TOLD =
            Pattern.compile("data: ([a-z]\\w*)|\"data\":\"([^\"]+)\"|\"gap\":");

    @TempDir Path folder;
    private final List<Node> nodes = new ArrayList<>();

    /** A module that has not joined. */
    private static final class Deaf implements Neighbours.Listener {
        @Override
        public void heard(Neighbours.Origin origin, long number, byte[] word) {}

        @Override
        public void missed(Neighbours.Origin origin, long last) {}

        @Override
        public void found(Neighbours.Origin origin, long last) {}
    }

    /** One node, and what is on its way to it. */
    private final class Node implements Neighbours {
        private final Origin self;
        private final Map<Node, Queue<Runnable>> coming = new HashMap<>();
        private PeerModule module;
        private final AtomicReference<Listener> listener = new AtomicReference<>(new Deaf());
        private long told;

        Node(String name, long epoch, String... settings) throws Exception {
            self = new Origin(name, epoch);
            module = open(settings);
            for (Node other : nodes) {
                other.coming.put(this, new ArrayDeque<>());
                coming.put(other, new ArrayDeque<>());
                other.listener.get().found(self, 0);
                listener.get().found(other.self, other.told);
            }
            nodes.add(this);
        }

        private PeerModule open(String... settings) throws Exception {
            return new EventsProvider()
                    .open(
                            new ModuleSetup(
                                    "events", List.of("/events"), Settings.of(settings), this));
        }

        /** Another module takes the place of this one, while the node goes on. */
        void replace() throws Exception {
            module.close();
            module = open();
        }

        @Override
        public Origin self() {
            return self;
        }

        @Override
        public Voice join(Listener ears) {
            listener.set(ears);
            if (told > 0) {
                ears.found(self, told);
            }
            coming.keySet().forEach(other -> ears.found(other.self, heard(other)));
            return word -> {
                long number = ++told;
                for (Node other : nodes) {
                    if (other != this) {
                        other.from(this).add(() -> other.listener.get().heard(self, number, word));
                    }
                }
                return number;
            };
        }

        /** How far it is with another node. */
        private long heard(Node other) {
            return other.told - from(other).size();
        }

        private Queue<Runnable> from(Node other) {
            return Objects.requireNonNull(coming.get(other));
        }

        /** Lets the next word of another node arrive. */
        void hear(Node other) {
            Runnable next = from(other).poll();
            if (next != null) {
                next.run();
            }
        }

        void hearAll() {
            for (Node other : nodes) {
                while (other != this && !from(other).isEmpty()) {
                    hear(other);
                }
            }
        }

        /** All that is on its way is lost, and it knows it. */
        void miss(Node other) {
            from(other).clear();
            listener.get().missed(other.self, other.told);
        }

        String publish(String text) throws Exception {
            return publish(text, "");
        }

        String publish(String text, String key) throws Exception {
            var exchange = new RecordedExchange(Head.of("POST", "/a").with("Idempotency-Key", key));
            module.handler().handle(exchange);
            exchange.send(text).awaitEnd();
            assertEquals(201, exchange.status(), exchange.text());
            return exchange.text();
        }

        /** What a client gets at once; where it was is named by an id. */
        String poll(String since) throws Exception {
            var exchange =
                    new RecordedExchange(
                            Head.get("/a?since=" + since).with("Accept", "text/event-stream"));
            module.handler().handle(exchange);
            exchange.leave();
            return exchange.text();
        }
    }

    @AfterEach
    void close() {
        nodes.forEach(node -> node.module.close());
    }

    /** Events of a stream or of a poll; a gap is the word. */
    private static List<String> texts(String answer) {
        List<String> texts = new ArrayList<>();
        Matcher matcher = TOLD.matcher(answer);
        while (matcher.find()) {
            String text = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            texts.add(text == null ? "gap" : text);
        }
        return texts;
    }

    /** Where a client is that has read a stream. */
    private static String id(String answer) {
        return answer.substring(answer.lastIndexOf("id: ") + 4).lines().findFirst().orElseThrow();
    }

    @Test
    void eventReachesWhoWaitsAtAnotherNode() throws Exception {
        Node a = new Node("a", 1);
        Node b = new Node("b", 1);
        var waiting = new RecordedExchange(Head.get("/a"));
        b.module.handler().handle(waiting);

        a.publish("x");
        b.hearAll();

        waiting.awaitEnd();
        assertEquals(List.of("x"), texts(waiting.text()));
    }

    @Test
    void clientThatGoesToAnotherNodeMissesNothingAndGetsNothingTwice() throws Exception {
        Node a = new Node("a", 1);
        Node b = new Node("b", 1);
        a.publish("x");
        b.publish("y");
        String atA = a.poll("oldest");
        assertEquals(List.of("x"), texts(atA));
        b.hearAll();
        a.hearAll();

        // There y is before x.
        String atB = b.poll(id(atA));
        assertEquals(List.of("y"), texts(atB));
        assertEquals(List.of(), texts(a.poll(id(atB))));
        a.publish("z");
        assertEquals(List.of("z"), texts(a.poll(id(atB))));
        assertEquals(List.of(), texts(b.poll(id(atB))));
    }

    @Test
    void eventThatTheClientHasBeforeItsNodeComesNotAgain() throws Exception {
        Node a = new Node("a", 1);
        Node b = new Node("b", 1);
        a.publish("x");
        String atA = a.poll("oldest");
        var waiting = new RecordedExchange(Head.get("/a?since=" + id(atA)));
        b.module.handler().handle(waiting);
        b.hearAll();
        b.publish("y");

        waiting.awaitEnd();
        assertEquals(List.of("y"), texts(waiting.text()));
    }

    @Test
    void whatIsLostOnTheWayIsAGapForThoseWhoHaveNotSeenIt() throws Exception {
        Node a = new Node("a", 1);
        Node b = new Node("b", 1);
        a.publish("x");
        b.hearAll();
        String before = b.poll("oldest");
        var waiting = new RecordedExchange(Head.get("/a?since=" + id(before)));
        b.module.handler().handle(waiting);
        a.publish("lost");
        String seen = a.poll(id(before));
        assertEquals(List.of("lost"), texts(seen));
        b.miss(a);

        waiting.awaitEnd();
        assertEquals(List.of("gap"), texts(waiting.text()));
        b.publish("y");
        assertEquals(List.of("gap", "y"), texts(b.poll(id(before))));
        assertEquals(List.of("y"), texts(b.poll(id(seen))));
    }

    @Test
    void nodeThatHasStartedAnewTellsOfAGapWhereItCannotKnow() throws Exception {
        Node a = new Node("a", 1);
        a.publish("x");
        String atA = a.poll("oldest");
        Node b = new Node("b", 1);
        assertEquals(List.of(), texts(b.poll(id(atA))));
        assertEquals(List.of("gap"), texts(b.poll("1.0@c.1.1")));
        Node c = new Node("c", 1);
        c.publish("y");
        b.hearAll();
        assertEquals(List.of("gap", "y"), texts(b.poll("1.0@d.1.1")));
    }

    @Test
    void keyIsKnownAtAllNodes() throws Exception {
        Node a = new Node("a", 1);
        Node b = new Node("b", 1);
        a.publish("x", "key");
        b.hearAll();

        b.publish("x", "key");

        assertEquals(List.of("x"), texts(b.poll("oldest")));
        assertEquals(0, b.told);
    }

    @Test
    void moduleWithAFileKeepsItsEventsToItself() throws Exception {
        Node a = new Node("a", 1);
        try (PeerModule own =
                new EventsProvider()
                        .open(
                                new ModuleSetup(
                                        "events",
                                        List.of("/events"),
                                        Settings.of("file=" + folder.resolve("events")),
                                        a))) {
            assertFalse(own.figures().isEmpty());
        }
        a.publish("x");
        assertEquals(List.of("x"), texts(a.poll("oldest")));
    }

    @Test
    void replacedModuleGoesOnWithItsIdsAndTellsOfAGapOnlyWhereSomethingIsMissing()
            throws Exception {
        Node a = new Node("a", 1);
        Node b = new Node("b", 1);
        String start = a.poll("latest");
        a.publish("x");
        b.publish("y");
        a.hearAll();
        b.hearAll();
        String all = a.poll(id(start));
        String atB = b.poll(id(start));
        assertEquals(List.of("x", "y"), texts(all));

        a.replace();

        // What it has forgotten is told to those who have not seen it, and to nobody else.
        assertEquals(List.of("gap"), texts(a.poll(id(start))));
        assertEquals(List.of(), texts(a.poll(id(all))));
        assertEquals(List.of(), texts(a.poll(id(atB))));
        a.publish("z");
        assertEquals(List.of("z"), texts(a.poll(id(all))));
        String later = a.poll(id(atB));
        assertEquals(List.of("z"), texts(later));
        // Others have missed nothing, and what it names is new to them.
        b.hearAll();
        assertEquals(List.of("z"), texts(b.poll(id(atB))));
        assertEquals(List.of(), texts(b.poll(id(later))));
        assertEquals(List.of(), texts(b.poll(id(a.poll("latest")))));
    }

    /** Whoever moves from node to node gets each event once, unless it was told of a gap. */
    @Test
    void wanderersGetEachEventOnce() throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            wander(new Random(seed), false);
            close();
            nodes.clear();
        }
    }

    /** The same while modules are replaced, which forget what they had. */
    @Test
    void wanderersGetNothingTwiceAndNoGapIsHiddenWhileModulesAreReplaced() throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            wander(new Random(seed), true);
            close();
            nodes.clear();
        }
    }

    private void wander(Random random, boolean replaced) throws Exception {
        for (int i = 0; i < 3; i++) {
            var _ = new Node("n" + i, random.nextInt(1000));
        }
        List<Wanderer> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(new Wanderer(id(nodes.get(i % 3).poll("latest"))));
        }
        Set<String> published = new HashSet<>();
        boolean lossy = random.nextBoolean();
        for (int step = 0; step < 300; step++) {
            Node node = nodes.get(random.nextInt(3));
            Node other = nodes.get(random.nextInt(3));
            int what = random.nextInt(10);
            if (what < 3) {
                published.add("e" + step);
                node.publish("e" + step);
            } else if (what < 7 && node != other) {
                node.hear(other);
            } else if (what == 8 && replaced && random.nextInt(10) == 0) {
                node.replace();
            } else if (what == 9 && lossy && random.nextInt(10) == 0 && node != other) {
                node.miss(other);
            } else {
                clients.get(random.nextInt(clients.size())).visit(node);
            }
        }
        nodes.forEach(Node::hearAll);
        for (Wanderer client : clients) {
            for (int i = 0; i < 20; i++) {
                client.visit(nodes.get(i % 3));
            }
            assertTrue(client.gap || client.got.equals(published), client::toString);
            assertTrue(lossy || replaced || !client.gap, "a gap though nothing was lost");
        }
    }

    /** A client that is at no node twice in a row. */
    private static final class Wanderer {
        private final Set<String> got = new HashSet<>();
        private String since;
        private boolean gap;

        Wanderer(String since) {
            this.since = since;
        }

        void visit(Node node) throws Exception {
            String answer = node.poll(since);
            for (String text : texts(answer)) {
                if (text.equals("gap")) {
                    gap = true;
                } else {
                    assertTrue(got.add(text), text + " twice");
                }
            }
            since = id(answer);
        }

        @Override
        public String toString() {
            return got + " at " + since;
        }
    }
}
