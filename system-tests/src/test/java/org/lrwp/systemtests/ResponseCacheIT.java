package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.systemtests.harness.HttpAnswer;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.RequestFrame;
import org.lrwp.testkit.wire.ScriptedPeer;
import org.lrwp.testkit.wire.ServingPeer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The cache in front of a context: RFC 9111 case by case, and what it is for. */
@SystemTest
@ServerConfig(value = "response-cache", leavesNothing = false)
class ResponseCacheIT {
    private static final int HERD = 1000;

    /** A peer that numbers its answers. */
    private static ServingPeer numbering(Scene scene, String head) throws Exception {
        AtomicInteger number = new AtomicInteger();
        return scene.serving(request -> answer(head, "answer " + number.incrementAndGet()));
    }

    private static byte[] answer(String head, String body) {
        String fields = head.isEmpty() ? "" : head.replace(" ; ", "\r\n") + "\r\n";
        return Bytes.of("Content-Type: text/plain\r\n" + fields + "\r\n" + body);
    }

    @ParameterizedTest(name = "{0} | {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "Cache-Control: max-age=60 | | 1",
                "Cache-Control: max-age=\"60\" | | 1",
                "Cache-Control: public, max-age=60, x=\"a, no-store\" | | 1",
                " | | 2",
                "Last-Modified: Thu, 01 Jan 2015 00:00:00 GMT | | 2",
                "Cache-Control: no-store, max-age=60 | | 2",
                "Cache-Control: private, max-age=60 | | 2",
                "Cache-Control: no-cache, max-age=60 | | 2",
                "Cache-Control: max-age=0, s-maxage=60 | | 1",
                "Cache-Control: max-age=60, s-maxage=0 | | 2",
                "Cache-Control: max-age=x | | 2",
                "Expires: Thu, 31 Dec 2099 23:59:59 GMT | | 1",
                "Expires: 0 | | 2",
                "Cache-Control: max-age=0 ; Expires: Thu, 31 Dec 2099 23:59:59 GMT | | 2",
                "Cache-Control: max-age=60 ; Age: 50 | | 1",
                "Cache-Control: max-age=60 ; Age: 70 | | 2",
                "Cache-Control: max-age=60 ; Date: Thu, 01 Jan 2015 00:00:00 GMT | | 2",
                "Cache-Control: max-age=60 ; Set-Cookie: a=b | | 2",
                "Cache-Control: max-age=60 ; Vary: * | | 2",
                "Cache-Control: no-store ; CDN-Cache-Control: max-age=60 | | 1",
                "Cache-Control: max-age=60 ; CDN-Cache-Control: no-store | | 2",
                "Status: 404 Gone ; Cache-Control: max-age=60 | | 1",
                "Status: 500 Bad ; Cache-Control: max-age=60 | | 2",
                "Cache-Control: max-age=60 | Cache-Control: no-cache | 2",
                "Cache-Control: max-age=60 | Cache-Control: no-store | 2",
                "Cache-Control: max-age=60 | Cache-Control: max-age=0 | 2",
                "Cache-Control: max-age=60 ; Age: 9 | Cache-Control: max-age=5 | 2",
                "Cache-Control: max-age=60 | Cache-Control: min-fresh=90 | 2",
                "Cache-Control: max-age=60 | Pragma: no-cache | 2",
                "Cache-Control: max-age=9 ; Age: 12 ; ETag: \"a\" | Cache-Control: max-stale=60 |"
                        + " 1",
                "Cache-Control: max-age=9, must-revalidate ; Age: 12 ; ETag: \"a\""
                        + " | Cache-Control: max-stale=60 | 2",
                "Cache-Control: max-age=60 | Authorization: Basic x | 2",
                "Cache-Control: public, max-age=60 | Authorization: Basic x | 1",
                "Cache-Control: max-age=60 ; Vary: X-Kind | | 1",
                "Cache-Control: max-age=60 ; Vary: X-Kind | X-Kind: other | 2",
            })
    void aSecondGetReachesThePeerWhenItHasTo(
            @Nullable String head, @Nullable String second, int calls, Scene scene)
            throws Exception {
        ServingPeer peer = numbering(scene, head == null ? "" : head);
        RawHttp client = scene.client();

        HttpAnswer one = client.get(scene.path("/a"));
        HttpAnswer two =
                second == null
                        ? client.get(scene.path("/a"))
                        : client.get(scene.path("/a"), second);

        assertEquals(calls, peer.seen().size(), one + " then " + two);
        assertEquals("answer 1", one.text());
        assertEquals("answer " + calls, two.text());
        assertEquals(calls == 1, two.value("Cache-Status").orElse("").startsWith("lrwp; hit"));
        assertEquals(
                calls == 1, Integer.parseInt(two.value("Age").orElse("-1")) >= ageOf(head, calls));
    }

    private static int ageOf(@Nullable String head, int calls) {
        if (calls > 1) {
            return Integer.MAX_VALUE;
        }
        int at = head == null ? -1 : head.indexOf("Age: ");
        return at < 0 || head == null ? 0 : Integer.parseInt(head.substring(at + 5, at + 7));
    }

    @Test
    void aStaleAnswerIsValidatedAndServedWithoutItsBodyComingAgain(Scene scene) throws Exception {
        String head = "Cache-Control: max-age=5 ; Age: 9 ; ETag: \"v1\"";
        ServingPeer peer =
                scene.serving(
                        request ->
                                request.has("HTTP_IF_NONE_MATCH")
                                        ? Bytes.of("Status: 304 Same\r\nX-New: yes\r\n\r\n")
                                        : answer(head, "the body"));
        RawHttp client = scene.client();

        client.get(scene.path("/a"));
        HttpAnswer again = client.get(scene.path("/a"));

        assertEquals("\"v1\"", peer.seen().get(1).env("HTTP_IF_NONE_MATCH"));
        assertEquals("the body", again.text());
        assertEquals("yes", again.value("X-New").orElse(""));
        assertTrue(again.value("Cache-Status").orElse("").contains("fwd-status=304"));
    }

    @Test
    void aStaleAnswerIsServedAtOnceWhileItIsFetchedAgain(Scene scene) throws Exception {
        ServingPeer peer =
                numbering(scene, "Cache-Control: max-age=5, stale-while-revalidate=90 ; Age: 9");
        RawHttp client = scene.client();

        assertEquals("answer 1", client.get(scene.path("/a")).text());
        HttpAnswer stale = client.get(scene.path("/a"));

        assertEquals("answer 1", stale.text());
        assertTrue(Wait.until(Duration.ofSeconds(10), () -> peer.seen().size() >= 2));
        assertTrue(
                Wait.until(
                        Duration.ofSeconds(10),
                        () -> !client.get(scene.path("/a")).text().equals("answer 1")));
    }

    @Test
    void aStaleAnswerIsServedWhenThePeerFails(Scene scene) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        ServingPeer peer =
                scene.serving(
                        request ->
                                calls.incrementAndGet() == 1
                                        ? answer(
                                                "Cache-Control: max-age=5, stale-if-error=90"
                                                        + " ; Age: 9",
                                                "good")
                                        : answer("Status: 500 Broken", "bad"));
        RawHttp client = scene.client();

        client.get(scene.path("/a"));
        assertEquals("good", client.get(scene.path("/a")).text());
        assertEquals(2, peer.seen().size());
        peer.close();
        assertEquals("good", client.get(scene.path("/a")).text());
    }

    @Test
    void anUnsafeMethodThatSucceedsForgetsTheAnswer(Scene scene) throws Exception {
        ServingPeer peer = numbering(scene, "Cache-Control: max-age=60");
        RawHttp client = scene.client();
        client.get(scene.path("/a"));
        client.post(scene.path("/a"), Bytes.of("change"));
        assertEquals("answer 2", client.answer().text());

        assertEquals("answer 3", client.get(scene.path("/a")).text());
        assertEquals("answer 3", client.get(scene.path("/a")).text());
        assertEquals(3, peer.seen().size());
    }

    @Test
    void conditionsRangesAndHeadAreAnsweredFromTheWholeAnswer(Scene scene) throws Exception {
        ServingPeer peer =
                numbering(scene, "Cache-Control: max-age=60 ; ETag: \"e\" ; X-Extra: kept");
        RawHttp client = scene.client();
        String path = scene.path("/a");
        client.get(path);

        assertEquals(304, client.get(path, "If-None-Match: W/\"e\"").status());
        assertEquals(200, client.get(path, "If-None-Match: \"f\"").status());
        HttpAnswer part = client.get(path, "Range: bytes=2-4");
        assertEquals(206, part.status());
        assertEquals("swe", part.text());
        assertEquals("bytes 2-4/8", part.value("Content-Range").orElse(""));
        assertEquals("1", client.get(path, "Range: bytes=-1").text());
        assertEquals("r 1", client.get(path, "Range: bytes=5-").text());
        assertEquals(416, client.get(path, "Range: bytes=8-").status());
        assertEquals(200, client.get(path, "Range: bytes=0-1", "If-Range: \"f\"").status());
        assertEquals(206, client.get(path, "Range: bytes=0-1", "If-Range: \"e\"").status());
        client.request("HEAD", path);
        HttpAnswer head = client.answerToHead();
        assertEquals("8", head.value("Content-Length").orElse(""));
        assertEquals("kept", head.value("X-Extra").orElse(""));
        assertEquals(1, peer.seen().size());
        assertEquals(504, client.get(scene.path("/b"), "Cache-Control: only-if-cached").status());
    }

    @Test
    void whatIsPurgedIsFetchedAgain(Scene scene) throws Exception {
        ServingPeer peer = numbering(scene, "Cache-Control: max-age=60");
        RawHttp client = scene.client();
        client.get(scene.path("/a/1"));
        client.get(scene.path("/a/2"));
        client.get(scene.path("/b"));

        client.request("PURGE", scene.path("/a/1"), "X-Forwarded-For: 127.0.0.1");
        assertEquals(403, client.answer().status());
        client.request("PURGE", scene.path("/a/1"));
        assertEquals("purged 1\n", client.answer().text());
        assertEquals("answer 4", client.get(scene.path("/a/1")).text());
        assertEquals("answer 2", client.get(scene.path("/a/2")).text());
        client.request("PURGE", scene.path("/a/"), "Purge: prefix");
        assertEquals("purged 2\n", client.answer().text());
        assertEquals("answer 5", client.get(scene.path("/a/1")).text());
        assertEquals("answer 6", client.get(scene.path("/a/2")).text());
        assertEquals("answer 3", client.get(scene.path("/b")).text());
        assertEquals(6, peer.seen().size());
    }

    @Test
    void anAnswerThatIsTooLargePassesWhole(Scene scene) throws Exception {
        String large = "0123456789".repeat(30_000);
        ServingPeer peer = scene.serving(request -> answer("Cache-Control: max-age=60", large));
        RawHttp client = scene.client();

        assertEquals(large, client.get(scene.path("/a")).text());
        assertEquals(large, client.get(scene.path("/a")).text());
        assertEquals(2, peer.seen().size());
    }

    @Test
    void anAnswerInPiecesReachesTheFirstAsItComesAndTheNextWhole(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp one = scene.client();
        RawHttp two = scene.client();
        one.request("GET", scene.path("/a"));
        peer.request();
        byte[] output = answer("Cache-Control: max-age=60", "first half, second half");
        peer.wire().send("%09d".formatted(output.length));
        peer.wire().send(Bytes.text(output).substring(0, output.length - 13));
        two.request("GET", scene.path("/a"));
        assertEquals("HTTP/1.1 200", one.line().substring(0, 12));
        peer.wire().send(Bytes.text(output).substring(output.length - 13));

        assertEquals("first half, second half", two.answer().text());
        assertEquals("first half, second half", scene.client().get(scene.path("/a")).text());
    }

    @Test
    void aHerdReachesThePeerOnce(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        List<RawHttp> clients = new ArrayList<>();
        for (int i = 0; i < HERD; i++) {
            RawHttp client = scene.get("/a");
            clients.add(client);
        }
        RequestFrame only = peer.request();
        assertTrue(
                Wait.until(Duration.ofSeconds(20), () -> figure(scene, "collapsed") >= HERD - 1));
        peer.answer(answer("Cache-Control: max-age=60", "for all"));

        for (RawHttp client : clients) {
            assertEquals("for all", client.answer().text());
        }
        assertEquals("GET", only.env("REQUEST_METHOD"));
        assertEquals("for all", scene.client().get(scene.path("/a")).text());
    }

    @Test
    void aClientThatLeavesTakesTheAnswerFromNobody(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp leaving = RawHttp.to(scene.proxy().httpPort());
        leaving.request("GET", scene.path("/a"));
        peer.request();
        long before = figure(scene, "collapsed");
        RawHttp staying = scene.get("/a");
        assertTrue(Wait.until(Duration.ofSeconds(10), () -> figure(scene, "collapsed") > before));
        leaving.close();
        peer.answer(answer("Cache-Control: max-age=60", "kept"));

        assertEquals("kept", staying.answer().text());
    }

    @Test
    void thoseWhoWaitForAnAnswerThatIsPrivateGoThemselves(Scene scene) throws Exception {
        ScriptedPeer peer = scene.peer();
        RawHttp one = scene.client();
        RawHttp two = scene.client();
        one.request("GET", scene.path("/a"));
        peer.request();
        long before = figure(scene, "collapsed");
        two.request("GET", scene.path("/a"));
        assertTrue(Wait.until(Duration.ofSeconds(10), () -> figure(scene, "collapsed") > before));
        peer.answer(answer("Cache-Control: private", "of one"));
        peer.request();
        peer.answer(answer("Cache-Control: private", "of two"));

        assertEquals("of one", one.answer().text());
        assertEquals("of two", two.answer().text());
    }

    private static long figure(Scene scene, String name) throws Exception {
        return scene.proxy().status().page().getJsonObject("cache").getJsonNumber(name).longValue();
    }
}
