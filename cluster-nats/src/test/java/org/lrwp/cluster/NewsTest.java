package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Words with numbers: who has missed one knows it, and nobody else thinks so. */
class NewsTest {
    private final List<String> heard = new ArrayList<>();
    private final List<Message> sent = new ArrayList<>();
    private final News news = news("a");
    private final News.Topic topic = news.open("t", new Ears());

    /** Writes down what it hears. */
    private final class Ears implements News.Listener {
        @Override
        public void heard(News.Origin origin, long number, byte[] word) {
            heard.add(origin.node() + number + new String(word, StandardCharsets.US_ASCII));
        }

        @Override
        public void missed(News.Origin origin, long last) {
            heard.add("missed " + origin.node() + last);
        }

        @Override
        public void found(News.Origin origin, long last) {
            heard.add("found " + origin.node() + last);
        }

        @Override
        public void restarted(String node) {
            heard.add("restarted " + node);
        }
    }

    /** Takes down what is sent. */
    private final class Tape implements Bus {
        @Override
        public boolean send(String subject, @Nullable String answers, byte[] bytes) {
            sent.add(Wire.read(bytes));
            return true;
        }

        @Override
        public void close() {}
    }

    private static News news(String node) {
        return News.of(
                new ClusterConfig(
                        List.of(URI.create("nats://127.0.0.1:1")),
                        "test",
                        node,
                        ClusterConfig.Access.OPEN,
                        Duration.ofMillis(50),
                        Duration.ZERO,
                        1,
                        0,
                        null));
    }

    private void hear(String node, long epoch, long number) {
        byte[] word = {'w'};
        news.heard(new Message.Word(node, epoch, "t", number, word));
    }

    private void beat(String node, long epoch, long told) {
        news.heard(
                new Message.Heartbeat(
                        node,
                        epoch,
                        1,
                        "1",
                        false,
                        List.of(),
                        List.of(new Message.Count("t", told), new Message.Count("other", 7))));
    }

    private void require(String... expected) {
        assertEquals(List.of(expected), heard);
        heard.clear();
    }

    @Test
    void wordsThatComeInOrderAreHeardOnce() {
        beat("b", 5, 0);
        hear("b", 5, 1);
        hear("b", 5, 2);
        hear("b", 5, 2);
        hear("b", 5, 1);
        beat("b", 5, 2);
        news.heard(new Message.Word("b", 5, "other", 3, new byte[0]));
        require("found b0", "b1w", "b2w");
    }

    @Test
    void wordsThatDidNotComeAreMissed() {
        hear("b", 5, 1);
        hear("b", 5, 4);
        beat("b", 5, 6);
        hear("b", 5, 7);
        require("found b0", "b1w", "missed b3", "b4w", "missed b6", "b7w");
    }

    @Test
    void whoWasThereBeforeIsFoundAndWhoComesLaterHasBeenMissed() {
        beat("b", 5, 9);
        require("found b9");
        news.settle();
        beat("c", 5, 0);
        beat("d", 5, 3);
        require("missed d3");
    }

    @Test
    void nodeThatHasStartedAgainBeginsAnew() {
        hear("b", 5, 1);
        beat("b", 6, 0);
        hear("b", 6, 1);
        beat("b", 7, 2);
        require("found b0", "b1w", "restarted b", "b1w", "restarted b", "missed b2");
    }

    @Test
    void whatIsToldAloneIsCountedSoThatOthersMissIt() {
        byte[] word = {1};
        assertEquals(1, topic.tell(word));
        news.use(new Tape());
        assertEquals(2, topic.tell(word));
        news.count(counts -> assertEquals(List.of(new Message.Count("t", 2)), counts));
        news.stop();
        assertEquals(3, topic.tell(word));

        assertEquals(1, sent.size());
        Message.Word only = (Message.Word) sent.getFirst();
        assertEquals("a", only.node());
        assertEquals(news.self().epoch(), only.epoch());
        assertEquals(2, only.number());
    }

    @Test
    void topicHasOneListenerAtATime() {
        assertThrows(IllegalArgumentException.class, () -> news.open("t", new Ears()));
        topic.leave();
        assertEquals(1, news.open("t", new Ears()).tell(new byte[0]));
    }

    @Test
    void whoeverOpensATopicAgainFindsWhereAllAreAndCountsOn() {
        byte[] word = {1};
        topic.tell(word);
        hear("b", 5, 1);
        beat("c", 6, 0);
        news.settle();
        topic.leave();
        heard.clear();
        hear("b", 5, 2);
        beat("c", 7, 4);
        beat("d", 8, 3);
        require();

        News.Topic again = news.open("t", new Ears());
        require("found a1", "found b2", "found c4", "found d3");
        assertEquals(2, again.tell(word));
        hear("b", 5, 3);
        hear("d", 8, 5);
        require("b3w", "missed d4", "d5w");
    }

    @Test
    void whoeverOpensATopicLateFindsWhereAllWere() {
        beat("b", 5, 0);
        news.settle();
        heard.clear();

        News.Topic _ = news.open("other", new Ears());
        require("found b7");
        news.heard(new Message.Word("b", 5, "other", 8, new byte[0]));
        news.heard(new Message.Word("c", 6, "other", 1, new byte[0]));
        require("b8", "c1");
    }
}
