package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.protocol.EnvBlockWriter;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Requests of other nodes that end while they are opened. */
class GuestsTest {
    private static final String ANSWERS = "lrwp.v1.test.n.a.an.1.7";
    private static final int LENGTH = 5000;

    private final MemoryHub hub = new MemoryHub();
    private final List<Message> said = new ArrayList<>();
    private final Packer packer =
            new Packer(
                    new Packer.Pace(0, System::nanoTime, (nanos, task) -> task.run()),
                    Runnable::run,
                    unsent -> {});
    private TestNode node;
    private Guests guests;

    /** Writes down what is sent. */
    private final class Line implements Bus {
        @Override
        public boolean send(String subject, @Nullable String answers, byte[] bytes) {
            said.add(Wire.read(bytes));
            return true;
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void start() throws Exception {
        node = new TestNode(hub, "b").serving(1);
        packer.use(new Line());
        guests =
                new Guests(node.engine().cluster(), packer, new ClusterFigures(), System::nanoTime);
        guests.takeBodiesAt(new Message.Ready("127.0.0.1:1", 1));
    }

    @AfterEach
    void close() {
        node.close();
        hub.close();
    }

    private static Message.Request announced() {
        byte[] environment = "REQUEST_ID=r\0\0".getBytes(StandardCharsets.US_ASCII);
        return new Message.Request(
                "a",
                1,
                TestNode.CONTEXT,
                "",
                "r",
                "POST",
                "/osp/x",
                "192.0.2.1",
                ByteBuffer.wrap(environment),
                ByteBuffer.allocate(0),
                LENGTH);
    }

    /** Opens the exchange of a request, whose body does not come. */
    private Exchange open(GuestClient client) {
        ExchangeRequest.EnvBlock block =
                (EnvBlockWriter writer, long length, String upgrade) -> writer.finish(0);
        return Objects.requireNonNull(
                node.engine()
                        .cluster()
                        .open(
                                announced().served(),
                                new ExchangeRequest("r", "POST", "/osp/x", "192.0.2.1", block),
                                client,
                                record -> {}));
    }

    private GuestClient client(String answers) {
        return new GuestClient(guests, answers, announced());
    }

    @Test
    void requestThatIsCancelledWhileItIsOpenedEnds() {
        GuestClient client = client(ANSWERS);
        Exchange exchange = open(client);
        client.cancel();
        client.opened(exchange);

        assertTrue(exchange.state().isOver(), "" + exchange.state());
    }

    @Test
    void requestThatEndsWhileItIsOpenedWaitsForNoBody() {
        for (int i = 0; node.engine().status().exchanges().size() == i; i++) {
            open(client("" + i));
        }
        said.clear();
        guests.request(ANSWERS, announced());

        assertEquals(List.of(new Message.Busy(0)), said);
        assertNull(guests.take(new Ticket("a", "b", 1, ANSWERS, LENGTH, Long.MAX_VALUE)));
    }
}
