package org.lrwp.events.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lrwp.events.channel.Channel;
import org.lrwp.events.channel.Publication;
import org.lrwp.events.event.EventId;
import org.lrwp.events.event.Form;
import org.lrwp.events.testkit.Scene;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.RecordedExchange;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Clients that come, go, stall and change their form at random, with a ring smaller than what they
 * miss, beside drainers with threads of their own: none lost without notice, none twice, none out
 * of order. {@code -Devents.deliveries} sets how many.
 */
class ReconnectingClientsTest {
    private static final int DELIVERIES = Integer.getInteger("events.deliveries", 100_000);
    private static final List<Form> FORMS = List.of(Form.values());
    private static final int CLIENTS = 40;
    private static final int BATCH = 5;
    private static final List<String> CHANNELS = List.of("a", "b", "c");

    /** What each form has of an event or of a gap: an id, and what makes it a gap. */
    private static final Pattern TOLD =
            Pattern.compile("\\{\"id\":\"7\\.([0-9]+)\"(,\"gap\":\"7\\.([0-9]+)\")?");

    private static final Pattern STREAMED =
            Pattern.compile(
                    "(event: gap\n)?id: 7\\.([0-9]+)\n((?:event: [abc]\n)?data: n[0-9]+\n)?");

    /** One client, its channels and what it has got. */
    private final class Reader {
        private final List<String> names;
        private final Random random;
        private long position;
        private long got;
        private long gaps;
        private int forgiven;
        private @Nullable RecordedExchange client;
        private Form form = Form.POLL;

        Reader(int number) {
            random = new Random(number);
            names = CHANNELS.subList(0, 1 + number % 3);
        }

        /** Event n is in the channel that n modulo 3 says. */
        private boolean isMine(long sequence) {
            return sequence % 3 < names.size();
        }

        void step() {
            RecordedExchange open = client;
            if (open == null) {
                begin();
            } else if (random.nextInt(4) == 0) {
                open.stall();
            } else if (random.nextInt(3) == 0) {
                open.takeAgain();
            } else if (random.nextInt(3) == 0 || open.isOver()) {
                // What is written before it leaves is what it has got.
                open.leave();
                read(open.text());
                client = null;
            }
        }

        private void begin() {
            form = FORMS.get(random.nextInt(FORMS.size()));
            RecordedExchange made = new RecordedExchange(Head.get("/" + String.join(",", names)));
            List<Channel> entered = Objects.requireNonNull(scene.channels.enter(names));
            client = made;
            fanOut.subscribe(
                    new Subscription(
                            new Subscription.Start(
                                    made,
                                    form,
                                    entered,
                                    List.of(),
                                    position,
                                    null,
                                    null,
                                    false,
                                    Long.MAX_VALUE / 4),
                            () -> scene.channels.leave(entered)));
        }

        void read(String text) {
            if (form == Form.EVENT_STREAM) {
                Matcher matcher = STREAMED.matcher(text);
                while (matcher.find()) {
                    long id = EventId.parse("7." + matcher.group(2)).sequence();
                    if (matcher.group(1) != null) {
                        gap(id);
                    } else if (matcher.group(3) != null) {
                        event(id);
                    }
                }
            } else {
                Matcher matcher = TOLD.matcher(text);
                while (matcher.find()) {
                    long id = Long.parseLong(matcher.group(1));
                    if (matcher.group(3) != null) {
                        gap(id);
                    } else {
                        event(id);
                    }
                }
            }
        }

        private void gap(long id) {
            gaps++;
            // Of several channels some may be behind the gap when others are not: in one batch.
            forgiven = names.size() > 1 ? BATCH : 1;
            position = Math.max(position, id);
        }

        private void event(long id) {
            assertTrue(id > position, names + " twice: " + id);
            assertTrue(isMine(id), names + " not subscribed: " + id);
            for (long missed = position + 1; forgiven == 0 && missed < id; missed++) {
                assertFalse(isMine(missed), names + " lost: " + missed + " before " + id);
            }
            forgiven = Math.max(0, forgiven - 1);
            position = id;
            got++;
        }
    }

    private final Scene scene = new Scene("ring-events=8", "batch-events=" + BATCH, "slow-time=1h");
    private final FanOutCounters counters = new FanOutCounters();
    private final FanOut fanOut =
            new FanOut(
                    scene.channels, scene.policy::fanOut, counters, scene::now, new Random(1), 2);

    @Test
    void noneIsLostWithoutNoticeNorTwiceNorOutOfOrder() {
        fanOut.start();
        Random random = new Random(11);
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            readers.add(new Reader(i));
        }
        long published = 0;
        while (counters.delivered.sum() < DELIVERIES) {
            published++;
            String name = CHANNELS.get((int) (published % 3));
            if (scene.publish("n" + published, name) instanceof Publication.Done(var _, var in)) {
                fanOut.published(in);
            }
            if (random.nextInt(3) == 0) {
                readers.get(random.nextInt(CLIENTS)).step();
            }
        }
        fanOut.close();
        long got = 0;
        long gaps = 0;
        for (Reader reader : readers) {
            RecordedExchange open = reader.client;
            if (open != null) {
                open.leave();
                reader.read(open.text());
            }
            got += reader.got;
            gaps += reader.gaps;
        }

        assertEquals(0, counters.failed.sum());
        assertTrue(got > DELIVERIES / 2, got + " read");
        assertTrue(gaps > 0, "no gap: the test tests too little");
    }
}
