package org.lrwp.engine.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.RequestHead;

import java.nio.file.Path;

/** Who may have whose answer. */
class SharedAnswerTest {
    private static final String MINUTE = "Cache-Control: max-age=60";

    @TempDir private Path folder;
    private CacheScene scene;

    @BeforeEach
    void open() throws Exception {
        scene = new CacheScene(folder);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    /** Stores "body" with the tag "e" for /a. */
    private void storeAndLetGrowStale() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "body", "Cache-Control: max-age=5", "ETag: \"e\"");
        scene.pass(6);
    }

    @Test
    void aPrivateAnswerThatWasFetchedInTheBackgroundIsForNobody() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "old", "Cache-Control: max-age=5, stale-while-revalidate=60");
        scene.pass(6);
        assertEquals("old", scene.get("/a", "Cookie: who=one").text());
        CacheScene.Call background = scene.last();
        CacheScene.Ask joins = scene.get("/a", "Cache-Control: no-cache", "Cookie: who=two");
        assertEquals(2, scene.calls.size());

        background.answer(200, "of one", "Cache-Control: private");

        assertEquals(3, scene.calls.size());
        scene.last().answer(200, "of two", "Cache-Control: private");
        assertEquals("of two", joins.text());
        assertFalse(scene.get("/a").isAnswered(), "the old answer is not the origin's any more");
    }

    @ParameterizedTest
    @CsvSource({"no-store", "private"})
    void a304CanForbidToKeepTheAnswer(String directive) throws Exception {
        storeAndLetGrowStale();
        CacheScene.Ask first = scene.get("/a");
        CacheScene.Call validation = scene.last();
        CacheScene.Ask second = scene.get("/a");
        validation.begin(304, "Cache-Control: " + directive).end();

        assertEquals("body", first.text());
        assertFalse(second.isAnswered());
        assertFalse(scene.get("/a").isAnswered());
    }

    /** RFC 9111 section 4.3.4: what is stored would get the tag of something else. */
    @ParameterizedTest
    @ValueSource(strings = {"\"f\"", "W/\"f\""})
    void a304ThatTellsOfAnotherAnswerIsNobodys(String tag) throws Exception {
        storeAndLetGrowStale();
        CacheScene.Ask first = scene.get("/a");
        CacheScene.Call validation = scene.last();
        CacheScene.Ask second = scene.get("/a");
        validation.begin(304, MINUTE, "ETag: " + tag).end();

        assertEquals(4, scene.calls.size());
        for (CacheScene.Call own : scene.calls.subList(2, 4)) {
            assertNull(own.head.first("If-None-Match"));
            own.answer(200, "other", MINUTE, "ETag: \"f\"");
        }
        assertEquals("other", first.text());
        assertEquals("other", second.text());
        assertFalse(scene.get("/a").isAnswered());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"e\"", "W/\"e\""})
    void a304WithTheSameTagIsOfWhatIsStored(String tag) throws Exception {
        storeAndLetGrowStale();
        CacheScene.Ask first = scene.get("/a");
        scene.last().begin(304, MINUTE, "ETag: " + tag).end();

        assertEquals("body", first.text());
        assertEquals(2, scene.calls.size());
    }

    @Test
    void a304ServesAllWhoWait() throws Exception {
        storeAndLetGrowStale();
        CacheScene.Ask first = scene.get("/a");
        CacheScene.Ask second = scene.get("/a", "If-None-Match: \"e\"");
        scene.last().begin(304, MINUTE).end();

        assertEquals("body", first.text());
        assertEquals(304, second.status());
        assertEquals(2, scene.calls.size());
    }

    @Test
    void whoShowsWhoHeIsWaitsForNobodyAndKeepsNobodyFromTheCache() throws Exception {
        CacheScene.Ask anonymous = scene.get("/a");
        CacheScene.Call first = scene.last();
        CacheScene.Ask known = scene.get("/a", "Authorization: Basic x");
        assertEquals(2, scene.calls.size());
        scene.last().answer(200, "of x", MINUTE);
        assertEquals("of x", known.text());
        first.answer(200, "of all", MINUTE);
        assertEquals("of all", anonymous.text());
        assertEquals("of all", scene.get("/a").text());

        scene.pass(61);
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask waits = scene.get("/a");
        scene.last().answer(200, "newer", MINUTE);
        assertEquals("newer", leader.text());
        assertEquals("newer", waits.text());
    }

    @Test
    void whoTakesNothingStaleGetsTheErrorItself() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "old", "Cache-Control: max-age=5, stale-if-error=100");
        scene.pass(6);
        CacheScene.Ask strict = scene.get("/a", "Cache-Control: no-cache");
        scene.last().answer(500, "sorry");
        assertEquals("sorry", strict.text());

        CacheScene.Ask first = scene.get("/a");
        CacheScene.Ask second = scene.get("/a", "Cache-Control: no-cache");
        scene.last().fail(Failure.PEER_GONE);
        assertEquals("old", first.text());
        assertEquals("peer-gone", second.word());
    }

    @Test
    void whoWaitsGetsTheStaleAnswerThatTheFirstRefuses() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "old", "Cache-Control: max-age=5, stale-if-error=100");
        scene.pass(6);
        CacheScene.Ask first = scene.get("/a", "Cache-Control: no-cache");
        CacheScene.Call call = scene.last();
        CacheScene.Ask second = scene.get("/a");
        CacheScene.Ask strict = scene.get("/a", "Cache-Control: no-cache");
        call.answer(503, "sorry");
        assertEquals("sorry", first.text());
        assertEquals(true, call.ended);
        assertEquals("old", second.text());
        assertEquals(3, scene.calls.size());
        scene.last().answer(503, "sorry too");
        assertEquals("sorry too", strict.text());

        CacheScene.Ask third = scene.get("/a", "Cache-Control: no-cache");
        CacheScene.Ask fourth = scene.get("/a");
        scene.last().fail(Failure.PEER_GONE);
        assertEquals("peer-gone", third.word());
        assertEquals("old", fourth.text());
    }

    @Test
    void anAnswerThatCannotBeStoredEndsTheOldOne() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "old", "Cache-Control: max-age=5, stale-if-error=100");
        scene.pass(6);
        scene.get("/a");
        scene.last().answer(200, "new", "Cache-Control: no-store");
        CacheScene.Ask failed = scene.get("/a");
        scene.last().fail(Failure.PEER_GONE);
        assertEquals("peer-gone", failed.word());
    }

    @Test
    void aClientSaysHowStaleAnAnswerMayBe() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "old", "Cache-Control: max-age=5", "ETag: \"e\"");
        scene.pass(6);
        assertTrue(scene.get("/a", "Cache-Control: max-stale").isAnswered());
        assertTrue(scene.get("/a", "Cache-Control: max-stale=2").isAnswered());
        assertFalse(scene.get("/a", "Cache-Control: max-stale=1").isAnswered());
        assertFalse(scene.get("/a", "Cache-Control: max-stale=0").isAnswered());
    }

    @ParameterizedTest
    @CsvSource({
        "X-Forwarded-For, 192.0.2.5",
        "Forwarded, for=192.0.2.5",
        "X-Forwarded-Proto, https",
        "x-forwarded-proto, http"
    })
    void whatAPeerDoesNotGetChoosesNoAnswer(String name, String value) throws Exception {
        scene.believed = SharedAnswerTest::isOfProxy;
        scene.get("/a", name + ": " + value);
        scene.last().answer(200, "made without it", MINUTE, "Vary: " + name);
        assertEquals("made without it", scene.get("/a").text());
        assertFalse(scene.get("/a", name + ": " + value, "Via: proxy").isAnswered());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-Port: 6666",
                "X-Forwarded-Prefix: /other",
                "X-Forwarded-Host: other",
                "Forwarded: host=other"
            })
    void whatAPeerDoesNotGetKeepsNoRequestFromTheStore(String field) throws Exception {
        scene.believed = SharedAnswerTest::isOfProxy;
        scene.get("/a");
        scene.last().answer(200, "stored", MINUTE);
        assertEquals("stored", scene.get("/a", field).text());
        assertFalse(scene.get("/a", field, "Via: proxy").isAnswered());
    }

    private static boolean isOfProxy(RequestHead head) {
        return head.first("Via") != null;
    }

    @Test
    void whoWaitsForAnAnswerMadeWithoutAFieldDoesNotGetItWithThatField() throws Exception {
        scene.believed = SharedAnswerTest::isOfProxy;
        scene.get("/a", "X-Forwarded-For: 192.0.2.5");
        CacheScene.Call first = scene.last();
        CacheScene.Ask behind = scene.get("/a", "X-Forwarded-For: 192.0.2.5", "Via: proxy");
        CacheScene.Ask alike = scene.get("/a", "X-Forwarded-For: 192.0.2.6");
        first.answer(200, "made without it", MINUTE, "Vary: X-Forwarded-For");
        assertEquals("made without it", alike.text());
        assertFalse(behind.isAnswered());
    }

    @Test
    void cookiesInOneLineAreNotThoseInTwo() throws Exception {
        scene.get("/a", "Cookie: lang=de, theme=x");
        scene.last().answer(200, "one", MINUTE, "Vary: Cookie");
        assertEquals("one", scene.get("/a", "Cookie: lang=de, theme=x").text());
        assertFalse(scene.get("/a", "Cookie: lang=de", "Cookie: theme=x").isAnswered());
    }

    @Test
    void httpAndHttpsShareNoAnswerButTheirEnd() throws Exception {
        scene.get("/a");
        scene.last().answer(301, "", MINUTE, "Location: https://h/a");
        CacheScene.Ask secure = scene.get("/a", "X-Forwarded-Proto: https");
        scene.last().answer(200, "page", MINUTE);
        assertEquals("page", secure.text());
        assertEquals(301, scene.get("/a").status());
        assertEquals("page", scene.get("/a", "X-Forwarded-Proto: https").text());
        assertFalse(scene.get("/a", "Forwarded: for=1.2.3.4;proto=HTTPS").text().isEmpty());
        assertEquals("purged 1\n", scene.ask("PURGE", "/a").text());
        assertFalse(scene.get("/a").isAnswered());
        assertFalse(scene.get("/a", "X-Forwarded-Proto: https").isAnswered());
    }

    @Test
    void anAnswerThatIsNotStoredEndsWhenItsClientLeaves() throws Exception {
        CacheScene.Ask stream = scene.get("/a");
        CacheScene.Call call = scene.last().begin(200, "Cache-Control: no-store").more("one");
        assertEquals("one...OPEN", stream.text());

        stream.leave();

        assertEquals(false, call.ended, "the peer is told that nobody wants the rest");
    }

    @Test
    void anAnswerThatGetsTooLongForTheCacheEndsWhenItsClientHasLeft() throws Exception {
        CacheScene.Ask stream = scene.get("/a");
        CacheScene.Call call = scene.last().begin(200, MINUTE).more("one");
        stream.leave();
        assertNull(call.ended, "the cache still wants it");

        call.more("x".repeat(scene.cache.largest()));

        assertEquals(false, call.ended);
    }

    @ParameterizedTest
    @CsvSource({
        "X-Forwarded-Host: evil.test",
        "Forwarded: for=192.0.2.1;Host=evil.test",
        "X-Original-URL: /other",
        "X-Rewrite-URL: /other",
        "X-HTTP-Method-Override: DELETE",
        "X-HTTP-Method: PUT",
        "X-Method-Override: PUT",
        "X-Original-Host: evil.test",
        "X-Forwarded-Prefix: /evil",
        "X-Forwarded-Port: 6666",
        "X-Forwarded-Ssl: on",
        "x-forwarded-scheme: evil",
        "X-Forwarded-Path: /evil",
        "X-Host: evil.test",
        "X-HTTP-Host-Override: evil.test",
        "Connection: Host",
        "Host: h.",
        "Host: h:",
    })
    void aFieldThatMayChangeTheAnswerAndIsInNoKeyPasses(String field) throws Exception {
        scene.get("/a");
        scene.last().answer(200, "good", MINUTE);
        CacheScene.Ask other = scene.get("/a", field);
        scene.last().answer(200, "other", MINUTE);
        assertEquals("other", other.text());
        assertTrue(other.field("Cache-Status").contains("fwd=request"));
        assertEquals("good", scene.get("/a").text());

        CacheScene.Ask first = scene.get("/b", field);
        CacheScene.Call asked = scene.last();
        CacheScene.Ask plain = scene.get("/b");
        CacheScene.Ask again = scene.get("/b", field);
        assertEquals(5, scene.calls.size(), "nobody waits for the answer of another");
        asked.answer(200, "of the field", MINUTE);
        assertEquals("of the field", first.text());
        assertFalse(plain.isAnswered());
        assertFalse(again.isAnswered());
        assertEquals(504, scene.get("/a", field, "Cache-Control: only-if-cached").status());
    }

    @Test
    void aFieldThatTheConnectionKeepsForItselfIsInNoKey() throws Exception {
        CacheScene.Ask other =
                scene.get("/a", "Accept-Language: de", "Connection: close, accept-language");
        scene.last().answer(200, "default", MINUTE, "Vary: Accept-Language");
        assertEquals("default", other.text());

        scene.get("/a", "Accept-Language: de", "Connection: close");
        scene.last().answer(200, "deutsch", MINUTE, "Vary: Accept-Language");
        CacheScene.Ask german = scene.get("/a", "Accept-Language: de", "Connection: keep-alive");
        assertEquals("deutsch", german.text());
    }

    @Test
    void aProxyThatRepeatsTheHostDoesNotKeepAnswersOutOfTheCache() throws Exception {
        scene.get("/a", "X-Forwarded-Host: H");
        scene.last().answer(200, "good", MINUTE);

        assertEquals("good", scene.get("/a").text());
        assertEquals("good", scene.get("/a", "X-Forwarded-Host: h").text());
        assertFalse(scene.get("/a", "X-Forwarded-Host: h, h").isAnswered());
    }

    @ParameterizedTest
    @CsvSource({
        "X-Forwarded-Port: 80",
        "X-Forwarded-Scheme: http",
        "X-Forwarded-Ssl: off",
        "X-Forwarded-Server: front.test",
    })
    void whatAProxyInFrontUsuallySaysKeepsNoAnswerOutOfTheCache(String field) throws Exception {
        scene.get("/a", field);
        scene.last().answer(200, "good", MINUTE);

        assertEquals("good", scene.get("/a", field).text());
        assertEquals("good", scene.get("/a").text());
    }

    @Test
    void theCaseOfHostAndItsPortAreAsInTheKey() throws Exception {
        scene.get("/a", "Host: h:81");
        scene.last().answer(200, "good", MINUTE);

        assertEquals("good", scene.get("/a", "Host: H:81").text());
        assertFalse(scene.get("/a", "Host: h:081").isAnswered());
        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void aFieldThatIsNotThereIsNoValueOfIt() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "none", MINUTE, "Vary: X-Kind");
        assertFalse(scene.get("/a", "X-Kind: null").isAnswered());
        assertFalse(scene.get("/a", "X-Kind: ").isAnswered());
        assertFalse(scene.get("/a", "X-Kind: \u00e9").isAnswered());
        assertEquals("none", scene.get("/a").text());
    }

    @Test
    void conditionsThatOnlyTheOriginEvaluatesGoThere() throws Exception {
        scene.get("/a", "If-Match: \"e\"");
        assertFalse(scene.last().ofCache);
        assertEquals("\"e\"", scene.last().head.first("If-Match"));
        scene.get("/a", "If-Unmodified-Since: Thu, 01 Jan 2015 00:00:00 GMT");
        assertFalse(scene.last().ofCache);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, If-Match: \"e\", 6",
        "GET, If-Match: \"e\", 0",
        "HEAD, If-Match: \"e\", 0",
        "GET, If-Unmodified-Since: Thu 01 Jan 2015 00:00:00 GMT, 0",
    })
    void theyGoThereFromAStoredAnswerToo(String method, String condition, long age)
            throws Exception {
        scene.get("/a");
        String swr = "Cache-Control: max-age=5, stale-while-revalidate=60, stale-if-error=60";
        scene.last().answer(200, "body", swr, "ETag: \"e\"");
        scene.pass(age);
        CacheScene.Ask ask = scene.ask(method, "/a", condition);
        assertFalse(ask.isAnswered());
        scene.last().answer(412, "changed");
        assertEquals(412, ask.status());
        assertEquals("lrwp; fwd=request", ask.field("Cache-Status"));
        assertEquals(2, scene.calls.size());
        String cached = "Cache-Control: only-if-cached";
        assertEquals(504, scene.ask(method, "/a", condition, cached).status());
    }

    @Test
    void anAnswerWithoutRoomForItsHeadIsSharedAllTheSame() throws Exception {
        String large = "x".repeat(10_000);
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask second = scene.get("/a");
        String head = "X-Long: " + "y".repeat(600_000);
        scene.last().answer(200, large, MINUTE, head);
        assertEquals(large, leader.text());
        assertEquals(large, second.text());
        assertEquals(0L, scene.cache.figures().getOrDefault("stored", -1L));
        assertFalse(scene.get("/a").isAnswered());
        assertFalse(scene.last().ofCache);
    }

    @Test
    void anUnsafeRequestOfUnknownEndForgetsTheAnswer() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "old", MINUTE);
        scene.ask("POST", "/a");
        scene.last().fail(Failure.PEER_GONE);
        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void anUnsafeRequestWhoseClientLeavesForgetsTheAnswerThenAndWhenThePeerIsDone()
            throws Exception {
        scene.get("/a");
        scene.last().answer(200, "old", MINUTE);
        scene.ask("DELETE", "/a");
        CacheScene.Call deleting = scene.last();
        deleting.abandon();
        CacheScene.Ask meanwhile = scene.get("/a");
        scene.last().answer(200, "still old", MINUTE);
        assertEquals("still old", meanwhile.text());
        deleting.abandon();
        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void anAnswerShorterThanItSaysIsNotStored() throws Exception {
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask second = scene.get("/a");
        scene.last().beginOf(200, 9, MINUTE).more("short").end();
        assertEquals("short", leader.text());
        assertFalse(second.isAnswered());
        assertFalse(scene.get("/a").isAnswered());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CDN-Cache-Control: public | false",
                "CDN-Cache-Control: max-age=9 | true",
                "CDN-Cache-Control: , | true",
            })
    void whatIsForCachesOfTheOriginGoesBeforeExpires(String field, boolean cached)
            throws Exception {
        scene.get("/a");
        scene.last().answer(200, "x", field, "Expires: Thu, 31 Dec 2099 23:59:59 GMT");
        assertEquals(cached, scene.get("/a").isAnswered());
    }

    @Test
    void aRequestThatCannotBeMadeKeepsNobodyWaiting() throws Exception {
        scene.broken = true;
        assertEquals("internal-error", scene.failing("/a").word());
        scene.broken = false;
        CacheScene.Ask next = scene.get("/a");
        scene.last().answer(200, "fine", MINUTE);
        assertEquals("fine", next.text());
        assertNull(scene.last().head.first("If-None-Match"));
    }

    /** The largest value of a map of this size is shorter than the longest key. */
    @ParameterizedTest
    @ValueSource(strings = {"no-store", "max-age=60"})
    void anAnswerOfAUrlThatIsTooLongForASmallCachePasses(String directive) throws Exception {
        scene.close();
        scene = new CacheScene(folder, 1 << 20, 8 << 10, 0, "");
        String target = "/" + "a".repeat(15_500);
        CacheScene.Ask first = scene.get(target);
        CacheScene.Call call = scene.last();
        CacheScene.Ask second = scene.get(target);
        call.answer(200, "mine", "Cache-Control: " + directive);
        assertEquals("mine", first.text());
        assertEquals(true, call.ended);
        if (directive.equals("no-store")) {
            scene.last().answer(200, "mine", "Cache-Control: " + directive);
        }
        assertEquals("mine", second.text());
        assertEquals(0L, scene.cache.figures().getOrDefault("stored", -1L));
    }

    @ParameterizedTest
    @CsvSource({"10, true", "5000, false"})
    void anAnswerIsSaidToBeStoredWhenItsHeadHasRoomToo(int head, boolean stored) throws Exception {
        int largest = 14_000;
        scene.close();
        scene = new CacheScene(folder, 1 << 20, largest, 0, "");
        CacheScene.Ask first = scene.get("/a");
        String field = "X-Head: " + "h".repeat(head);
        scene.last().beginOf(200, largest, MINUTE, field).more("x".repeat(largest)).end();

        assertEquals(stored, String.valueOf(first.field("Cache-Status")).endsWith("; stored"));
        assertEquals(stored, scene.get("/a").isAnswered());
    }

    /** The map of a cache that is closed throws whatever it is asked. */
    @ParameterizedTest
    @CsvSource({"no-store, internal-error", "max-age=60, passed"})
    void aFaultOfTheStoreKeepsNobodyWaiting(String directive, String word) throws Exception {
        CacheScene.Ask first = scene.get("/a");
        CacheScene.Call call = scene.last();
        CacheScene.Ask second = scene.get("/a");
        CacheScene.Ask third = scene.get("/a");
        scene.cache.close();
        call.answer(200, "mine", "Cache-Control: " + directive);

        assertEquals(false, call.ended);
        assertEquals(word.equals("passed") ? "cache-miss" : word, first.word());
        assertEquals(word.equals("passed") ? "mine...BROKEN" : "", first.text());
        assertEquals(3, scene.calls.size());
        for (CacheScene.Call own : scene.calls.subList(1, 3)) {
            assertFalse(own.ofCache);
            own.answer(200, "own");
        }
        assertEquals("own", second.text());
        assertEquals("own", third.text());
    }

    @Test
    void aFaultOfTheStoreWhenAnAnswerIsValidatedKeepsNobodyWaiting() throws Exception {
        storeAndLetGrowStale();
        CacheScene.Ask first = scene.get("/a");
        CacheScene.Call call = scene.last();
        CacheScene.Ask second = scene.get("/a");
        scene.cache.close();
        call.begin(304, MINUTE).end();
        assertEquals(false, call.ended);
        assertEquals("internal-error", first.word());
        scene.last().answer(200, "own");
        assertEquals("own", second.text());
    }

    @Test
    void aRequestThatCannotBePassedOnKeepsNobodyElseWaiting() throws Exception {
        CacheScene.Ask first = scene.get("/a");
        CacheScene.Call call = scene.last();
        CacheScene.Ask second = scene.get("/a");
        CacheScene.Ask third = scene.get("/a");
        scene.broken = true;
        call.answer(200, "mine", "Cache-Control: no-store");
        assertEquals("mine", first.text());
        assertEquals("internal-error", second.word());
        assertEquals("internal-error", third.word());
        assertEquals(true, call.ended);
    }

    @ParameterizedTest
    @CsvSource({
        "/y, /a?u=http://x/y, false",
        "/a?u=http://x/y, /b?u=http://x/y, false",
        "/a?x, http://h/a?x, true",
        "/?x=/a, http://h?x=/a, true",
        "/a, http://h?x=/a, false",
        "/, http://h, true",
        "/a, http://other/a, false",
    })
    void eachUrlHasItsOwnAnswer(String first, String second, boolean same) throws Exception {
        scene.get(first);
        scene.last().answer(200, "first", MINUTE);
        assertEquals(same, scene.get(second).isAnswered());
    }
}
