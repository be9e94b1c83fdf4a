package org.lrwp.systemtests.harness;

import jakarta.json.Json;
import jakarta.json.JsonObject;

import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A proxy as a node of a cluster, with peers that hold their requests while the test wants it. */
public final class ClusterNode implements AutoCloseable {
    /** What its peers serve. */
    public static final String APP = "shared";

    /** What has to have a peer before a node is ready. */
    public static final String ROLLING = "rolling";

    private static final String TOKEN = "a token of an operator";
    private static final Duration SOON = Duration.ofSeconds(20);

    private final String name;
    private final Path file;
    private volatile ProxyProcess proxy;
    private final List<ServingPeer> peers = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private ClusterNode(String name, Path file, ProxyProcess proxy) {
        this.name = name;
        this.file = file;
        this.proxy = proxy;
    }

    /**
     * Starts it and waits until it serves.
     *
     * @param keys how it reaches NATS
     * @param environment variables of its process
     */
    public static ClusterNode start(
            String name, Path folder, String keys, Map<String, String> environment)
            throws Exception {
        String text =
                """
                agent.lrwp1-settle = 0
                access-log.file = %s
                cluster.node = %s
                cache.file = %s
                cache.size = 4MiB
                context./cached.cache = true
                module.live.type = events
                module.live.context = /events
                module.live.loopback-hosts = *
                cluster.port = 0
                ready-contexts = /%s
                admin.token-file = %s
                """
                        .formatted(
                                folder.resolve(name + ".access"),
                                name,
                                folder.resolve(name + ".cache"),
                                ROLLING,
                                Configuration.write(folder.resolve(name + ".token"), TOKEN));
        Path file = Configuration.write(folder.resolve(name + ".properties"), text + keys);
        return new ClusterNode(
                name, file, ProxyProcess.start("cluster-" + name, file, environment));
    }

    /** Stops it in order, and starts it again at the same ports; its own peers are gone then. */
    public void restart() throws Exception {
        int _ = proxy.terminate();
        proxy = ProxyProcess.startAgain("cluster-" + name + "-again", file, proxy);
    }

    /** What it says to load balancers. */
    public boolean isReady() throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            return client.get("/-/health/ready").status() == 200;
        }
    }

    /** A command of an operator. */
    public HttpAnswer act(String path, String body) throws IOException {
        return act("POST", path, body);
    }

    /** A command of an operator, by a method of his. */
    public HttpAnswer act(String method, String path, String body) throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            client.send(
                    """
                    %s /-/api/v1/%s HTTP/1.1\r
                    Host: 127.0.0.1\r
                    Authorization: Bearer %s\r
                    Content-Type: application/json\r
                    Content-Length: %d\r
                    \r
                    %s\
                    """
                            .formatted(method, path, TOKEN, body.length(), body));
            return client.answer();
        }
    }

    /** A request of its own connection, for the host that all nodes serve. */
    public HttpAnswer ask(String method, String target, String body, String... lines)
            throws IOException {
        String more = lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n";
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            client.send(
                    "%s %s HTTP/1.1\r\nHost: app.example\r\nContent-Length: %d\r\n%s\r\n%s"
                            .formatted(method, target, body.length(), more, body));
            return client.answer();
        }
    }

    /** Its process. */
    public ProxyProcess proxy() {
        return proxy;
    }

    /** Adds peers, each with one slot, that answer with the node's name and the body. */
    public void peers(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            peers.add(new ServingPeer(proxy.lrwpPort(), APP, this::answer));
        }
        Wait.require(
                count + " peers more at " + name,
                SOON,
                () -> proxy.status().number("/" + APP, "connections") == peers.size());
    }

    private byte[] answer(RequestFrame request) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ScriptedPeer.plain(name + " " + request.text());
    }

    /** From now on its peers hold their requests. */
    public void hold() {
        gate = new CountDownLatch(1);
    }

    /** They answer again. */
    public void release() {
        gate.countDown();
    }

    /** The bodies of all requests that its peers have seen. */
    public List<String> seen() {
        return peers.stream()
                .flatMap(peer -> peer.seen().stream())
                .map(RequestFrame::text)
                .toList();
    }

    /** What it says of the cluster. */
    public JsonObject cluster() throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort());
                var reader =
                        Json.createReader(
                                new StringReader(client.get("/-/api/v1/cluster").text()))) {
            return reader.readObject();
        }
    }

    /** What it says of one node; empty when it does not know it. */
    public String stateOf(String node) throws IOException {
        return cluster().getJsonArray("nodes").getValuesAs(JsonObject.class).stream()
                .filter(one -> one.getString("name").equals(node))
                .map(one -> one.getString("state"))
                .findFirst()
                .orElse("");
    }

    /** Free slots of one node, as this one knows them; -1 when it does not know it. */
    public int freeAt(String node) throws IOException {
        return freeAt(node, "/" + APP);
    }

    /** The same of any context. */
    public int freeAt(String node, String context) throws IOException {
        return cluster().getJsonArray("nodes").getValuesAs(JsonObject.class).stream()
                .filter(one -> one.getString("name").equals(node))
                .flatMap(one -> one.getJsonArray("contexts").getValuesAs(JsonObject.class).stream())
                .filter(one -> one.getString("context").equals(context))
                .mapToInt(one -> one.getInt("free"))
                .findFirst()
                .orElse(-1);
    }

    /** Waits until it knows so many free slots of another node. */
    public void awaitFree(String node, int free) throws Exception {
        Wait.require(
                name + " knows of " + free + " free slots at " + node,
                SOON,
                () -> freeAt(node) == free && stateOf(node).equals("live"));
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        ProcessHandle.of(proxy.pid()).ifPresent(process -> process.destroyForcibly());
    }

    @Override
    public void close() throws IOException {
        release();
        for (ServingPeer peer : peers) {
            peer.close();
        }
        proxy.close();
    }
}
