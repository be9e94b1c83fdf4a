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
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.exchange.Failure;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class ResponseCacheTest {
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

    @Test
    void anAnswerIsFreshForAsLongAsItSaysAndNotLonger() throws Exception {
        CacheScene.Ask first = scene.get("/a?q");
        String told = "Cache-Control: max-age=60";
        scene.last().beginOf(200, 3, told, "Age: 10").more("one").end();
        assertEquals("one", first.text());
        assertEquals("lrwp; fwd=uri-miss; fwd-status=200; stored", first.field("Cache-Status"));
        assertEquals(true, scene.last().ended);

        scene.pass(49);
        CacheScene.Ask hit = scene.get("/a?q");
        assertEquals("one", hit.text());
        assertEquals("59", hit.field("Age"));
        assertEquals("lrwp; hit; ttl=1", hit.field("Cache-Status"));
        assertEquals("cache-hit", hit.word());
        assertEquals("Thu, 01 Jan 2026 00:00:00 GMT", hit.field("Date"));

        scene.pass(1);
        CacheScene.Ask again = scene.get("/a?q");
        assertFalse(again.isAnswered());
        assertEquals(2, scene.calls.size());
        assertNull(scene.last().head.first("If-None-Match"));
        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void answersOfOneOwnerAreNotThoseOfAnother() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "hijacked", "Cache-Control: max-age=60", "Vary: Accept");
        assertEquals("hijacked", scene.get("/a").text());

        scene.ownedBy("billing");
        CacheScene.Ask rightful = scene.get("/a");
        assertFalse(rightful.isAnswered());
        scene.last().answer(200, "right", "Cache-Control: max-age=60", "Vary: Accept");
        assertEquals("right", scene.get("/a").text());

        scene.ownedBy("anonymous");
        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void answersToWhoeverShowsACertificateAreNotShared() throws Exception {
        scene.certified(true);
        scene.get("/a");
        scene.last().answer(200, "for one", "Cache-Control: max-age=60");
        scene.certified(false);
        assertFalse(scene.get("/a").isAnswered());
        scene.last().answer(200, "for all", "Cache-Control: max-age=60");
        assertEquals("for all", scene.get("/a").text());

        scene.certified(true);
        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void requestOfOneOwnerDoesNotJoinTheFetchOfAnother() {
        scene.get("/a");
        scene.get("/a");
        assertEquals(1, scene.calls.size());

        scene.ownedBy("billing");
        scene.get("/a");
        assertEquals(2, scene.calls.size());
    }

    /** RFC 9111 section 5.1: an Age that cannot be read counts for nothing. */
    @ParameterizedTest
    @CsvSource({"'7, 9', 7", "'soon', 0", "'-7', 0", "'soon, 9', 0", "'7.5', 0"})
    void theFirstOfSeveralAgesCounts(String age, String counted) throws Exception {
        scene.get("/a");
        scene.last().answer(200, "one", "Cache-Control: max-age=60", "Age: " + age);
        assertEquals(counted, scene.get("/a").field("Age"));
    }

    @Test
    void theTimeOnTheWayCountsAsAge() throws Exception {
        scene.get("/a");
        scene.pass(7);
        scene.last().answer(200, "slow", "Cache-Control: max-age=60");
        assertEquals("7", scene.get("/a").field("Age"));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.1, 86400", "0.01, 10000"})
    void heuristicFreshnessIsForWhoWantsIt(double share, long seconds) throws Exception {
        scene.close();
        scene = new CacheScene(folder, share, "");
        scene.get("/a");
        // A million seconds before.
        scene.last().answer(200, "old", "Last-Modified: Sat, 20 Dec 2025 10:13:20 GMT");
        scene.pass(Math.max(0, seconds - 1));
        assertEquals(seconds > 0, scene.get("/a").isAnswered());
        scene.pass(1);
        assertFalse(scene.get("/a").isAnswered());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Thu, 01 Jan 2026 00:01:00 GMT",
                "Thursday, 01-Jan-26 00:01:00 GMT",
                "Thu Jan  1 00:01:00 2026",
            })
    void expiresIsReadInEachFormOfADate(String date) throws Exception {
        scene.get("/a");
        scene.last().answer(200, "x", "Expires: " + date);
        scene.pass(59);
        assertTrue(scene.get("/a").isAnswered());
        scene.pass(1);
        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void whatStandsInVaryChoosesAmongAnswers() throws Exception {
        scene.get("/a", "Accept-Language: de");
        scene.last().answer(200, "deutsch", "Cache-Control: max-age=60", "Vary: Accept-Language");
        scene.get("/a", "Accept-Language: fr");
        scene.last().answer(200, "francais", "Cache-Control: max-age=60", "Vary: Accept-Language");

        assertEquals("deutsch", scene.get("/a", "Accept-Language: de").text());
        assertEquals("francais", scene.get("/a", "Accept-Language: fr").text());
        assertFalse(scene.get("/a").isAnswered());
        assertEquals(3, scene.calls.size());
    }

    @Test
    void a304MakesTheAnswerFreshAgainWithItsNewFields() throws Exception {
        scene.get("/a");
        scene.last()
                .answer(
                        200,
                        "body",
                        "Cache-Control: max-age=5",
                        "ETag: \"e\"",
                        "Last-Modified: Thu, 01 Jan 2015 00:00:00 GMT",
                        "X-Old: kept",
                        "X-New: before");
        scene.pass(6);
        CacheScene.Ask again = scene.get("/a", "If-None-Match: \"other\"");
        assertEquals("\"e\"", scene.last().head.first("If-None-Match"));
        assertEquals("Thu, 01 Jan 2015 00:00:00 GMT", scene.last().head.first("If-Modified-Since"));
        scene.last().begin(304, "Cache-Control: max-age=50", "X-New: after").end();

        assertEquals("body", again.text());
        assertEquals("kept", again.field("X-Old"));
        assertEquals("after", again.field("X-New"));
        assertEquals("lrwp; fwd=stale; fwd-status=304; ttl=50", again.field("Cache-Status"));
        scene.pass(49);
        assertEquals("body", scene.get("/a").text());
        assertEquals(2, scene.calls.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-cache", "max-age=0", "max-age=5", "max-age=5, no-cache"})
    void anAnswerThatAPeerHasSaidIsGoodIsToldAsThat(String directives) throws Exception {
        String told = "Cache-Control: " + directives;
        scene.get("/a");
        scene.last().answer(200, "body", told, "ETag: \"e\"");
        scene.pass(6);
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask waiting = scene.get("/a");
        scene.last().begin(304, told).end();
        assertEquals("body", leader.text());
        assertEquals("cache-validated", leader.word());
        assertEquals("body", waiting.text());
        assertEquals("cache-hit", waiting.word());
        assertCounted("hits", 1, "stale", 0, "misses", 2, "validated", 1, "collapsed", 1);
    }

    @Test
    void whoWaitedForWhatHasToBeValidatedHasNothingStale() throws Exception {
        scene.get("/a");
        CacheScene.Ask waiting = scene.get("/a");
        scene.last().answer(200, "body", "Cache-Control: no-cache", "ETag: \"e\"");
        assertEquals("cache-hit", waiting.word());
        assertCounted("hits", 1, "stale", 0, "misses", 1, "validated", 0, "collapsed", 1);
    }

    @Test
    void aStaleAnswerIsToldAsThatWhateverAllowedIt() throws Exception {
        String told = "Cache-Control: max-age=5, stale-while-revalidate=5, stale-if-error=60";
        scene.get("/a");
        scene.last().answer(200, "body", told);
        scene.pass(6);
        assertEquals("cache-stale", scene.get("/a", "Cache-Control: max-stale").word());
        assertEquals("cache-stale", scene.get("/a").word());
        scene.last().fail(Failure.PEER_GONE);
        scene.pass(6);
        CacheScene.Ask failed = scene.get("/a");
        scene.last().answer(503, "sorry");
        assertEquals("cache-stale", failed.word());
        assertCounted("hits", 0, "stale", 3, "misses", 3);
    }

    /** RFC 9211 section 2.2: the most specific reason that is known. */
    @Test
    void theStatusSaysWhyAPeerWasAsked() throws Exception {
        String told = "Cache-Control: max-age=5";
        CacheScene.Ask first = scene.get("/a", "X-Kind: 1");
        scene.last().beginOf(200, 3, told, "Vary: X-Kind", "ETag: \"e\"").more("one").end();
        assertStatus("fwd=uri-miss; fwd-status=200; stored", first);

        CacheScene.Ask other = scene.get("/a", "X-Kind: 2");
        scene.last().beginOf(200, 3, told, "Vary: X-Kind").more("two").end();
        assertStatus("fwd=vary-miss; fwd-status=200; stored", other);

        CacheScene.Ask known = scene.get("/a", "X-Kind: 1", "Authorization: Basic x");
        scene.last().answer(200, "of x", told);
        assertStatus("fwd=request; fwd-status=200", known);

        CacheScene.Ask strict = scene.get("/a", "X-Kind: 1", "Cache-Control: no-cache");
        CacheScene.Ask waits = scene.get("/a", "X-Kind: 1", "Cache-Control: no-cache");
        scene.last().begin(304, told).end();
        assertStatus("fwd=request; fwd-status=304; ttl=5", strict);
        assertStatus("fwd=request; fwd-status=304; collapsed; ttl=5", waits);

        scene.pass(6);
        CacheScene.Ask stale = scene.get("/a", "X-Kind: 2");
        scene.last().answer(200, "newer", "Cache-Control: no-store");
        assertStatus("fwd=stale; fwd-status=200", stale);
    }

    @Test
    void theStatusOfARequestThatIsPassedSaysWhyToo() throws Exception {
        scene.get("/a", "X-Kind: 1");
        scene.last().answer(200, "one", "Cache-Control: max-age=5", "Vary: X-Kind");
        assertEquals("lrwp; fwd=uri-miss", passed(scene.ask("HEAD", "/b")));
        assertEquals("lrwp; fwd=vary-miss", passed(scene.ask("HEAD", "/a", "X-Kind: 2")));
        scene.pass(6);
        assertEquals("lrwp; fwd=stale", passed(scene.ask("HEAD", "/a", "X-Kind: 1")));
        assertEquals("lrwp; fwd=uri-miss", passed(scene.get("/b", "Range: bytes=0-1")));
        assertEquals("lrwp; fwd=method", passed(scene.ask("POST", "/b")));
        assertEquals("lrwp; fwd=request", passed(scene.get("/b", "Cache-Control: no-store")));

        scene.get("/a", "X-Kind: 1");
        CacheScene.Ask waits = scene.get("/a", "X-Kind: 1");
        scene.last().answer(200, "mine", "Cache-Control: no-store");
        assertEquals("lrwp; fwd=stale", passed(waits));
    }

    private String passed(CacheScene.Ask ask) throws Exception {
        scene.last().answer(200, "");
        return ask.field("Cache-Status");
    }

    private static void assertStatus(String expected, CacheScene.Ask ask) throws Exception {
        ask.word();
        assertEquals("lrwp; " + expected, ask.field("Cache-Status"));
    }

    /** RFC 9211 section 2.1: a hit is what was not forwarded. */
    @Test
    void aStaleAnswerIsAHitOnlyWhereNoPeerWasAskedForIt() throws Exception {
        String told = "Cache-Control: max-age=5, stale-while-revalidate=5, stale-if-error=60";
        scene.get("/a");
        scene.last().answer(200, "old", told);
        scene.pass(6);
        assertStatus("hit; ttl=-1", scene.get("/a", "Cache-Control: max-stale"));
        assertStatus("hit; detail=stale-while-revalidate; ttl=-1", scene.get("/a"));
        scene.last().fail(Failure.PEER_GONE);

        scene.pass(6);
        CacheScene.Ask first = scene.get("/a");
        CacheScene.Ask second = scene.get("/a");
        scene.last().answer(503, "sorry");
        String status = "fwd=stale; fwd-status=503; ";
        assertStatus(status + "detail=stale-if-error; ttl=-7", first);
        assertStatus(status + "collapsed; detail=stale-if-error; ttl=-7", second);

        CacheScene.Ask third = scene.get("/a");
        scene.last().fail(Failure.PEER_TIMEOUT);
        assertStatus("fwd=stale; fwd-status=504; detail=stale-if-error; ttl=-7", third);
    }

    private void assertCounted(Object... figures) {
        for (int i = 0; i < figures.length; i += 2) {
            Long counted = scene.cache.figures().get(figures[i]);
            assertEquals(figures[i] + " " + figures[i + 1], figures[i] + " " + counted);
        }
    }

    /** RFC 9111 section 4.3.2: without Last-Modified the time of the answer counts. */
    @Test
    void whoeverHasAnAnswerSinceItWasSentIsNotSentItAgain() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "body", "Cache-Control: max-age=60");
        String before = "If-Modified-Since: Wed, 31 Dec 2025 23:59:59 GMT";
        String since = "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT";

        assertEquals("body", scene.get("/a", before).text());
        assertEquals(304, scene.get("/a", since).status());
        assertEquals(1, scene.calls.size());
    }

    @Test
    void aStaleAnswerIsServedWhileOneFetchBringsTheNext() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "old", "Cache-Control: max-age=5, stale-while-revalidate=10");
        scene.pass(6);
        assertEquals("old", scene.get("/a").text());
        assertEquals("old", scene.get("/a").text());
        assertEquals(2, scene.calls.size());
        scene.last().answer(200, "new", "Cache-Control: max-age=5, stale-while-revalidate=10");
        assertEquals("new", scene.get("/a").text());
        scene.pass(15);
        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void aStaleAnswerIsServedWhenTheContextFailsWithinItsTime() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "old", "Cache-Control: max-age=5, stale-if-error=100");
        scene.pass(6);
        CacheScene.Ask failed = scene.get("/a");
        scene.last().fail(Failure.PEER_TIMEOUT);
        assertEquals("old", failed.text());
        CacheScene.Ask broken = scene.get("/a");
        scene.last().answer(503, "sorry");
        assertEquals("old", broken.text());
        assertEquals(false, scene.last().ended);
        scene.pass(100);
        CacheScene.Ask late = scene.get("/a");
        scene.last().fail(Failure.PEER_TIMEOUT);
        assertEquals("peer-timeout", late.word());
    }

    @Test
    void equalRequestsShareOneFetchUpToTheLimitOfThoseWhoWait() throws Exception {
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask second = scene.get("/a");
        CacheScene.Ask third = scene.get("/a");
        CacheScene.Ask fourth = scene.get("/a");
        assertEquals(2, scene.calls.size());
        assertFalse(scene.last().ofCache);
        scene.calls.get(0).begin(200, "Cache-Control: max-age=60").more("first ");
        assertEquals("first ...OPEN", leader.text());
        assertFalse(second.isAnswered());
        scene.calls.get(0).more("second").end();

        assertEquals("second", leader.text());
        assertEquals("first second", second.text());
        assertEquals("first second", third.text());
        assertEquals(
                "lrwp; fwd=uri-miss; fwd-status=200; collapsed; ttl=60",
                third.field("Cache-Status"));
        scene.last().answer(200, "own");
        assertEquals("own", fourth.text());
        assertEquals("lrwp; fwd=uri-miss", fourth.field("Cache-Status"));
    }

    @Test
    void whoWaitsForWhatCannotBeStoredGoesAloneAndNobodyWaitsForAWhile() throws Exception {
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask second = scene.get("/a");
        scene.last().answer(200, "mine", "Cache-Control: private");
        assertEquals("mine", leader.text());
        assertEquals(2, scene.calls.size());
        scene.last().answer(200, "yours", "Cache-Control: private");
        assertEquals("yours", second.text());

        scene.get("/a");
        scene.get("/a");
        assertEquals(4, scene.calls.size());
        scene.pass(10);
        scene.get("/a");
        scene.get("/a");
        assertEquals(5, scene.calls.size());
    }

    @Test
    void anAnswerThatGrowsTooLargePassesWholeAndIsNotStored() throws Exception {
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask second = scene.get("/a");
        scene.last().begin(200, "Cache-Control: max-age=60");
        String piece = "x".repeat(6_000);
        scene.calls.get(0).more(piece).more(piece).end();
        assertEquals(piece + piece, leader.text());
        assertStatus("fwd=uri-miss; fwd-status=200", leader);
        assertEquals(2, scene.calls.size());
        scene.last().answer(200, "other");
        assertEquals("other", second.text());
        assertEquals(0L, scene.cache.figures().getOrDefault("stored", -1L));
    }

    /** He knows its end by its length, and may be faster than the end of the exchange. */
    @Test
    void whoHasAllThatWasAnnouncedFindsItStoredWhenHeAsksAgain() throws Exception {
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask waiting = scene.get("/a");
        scene.last().beginOf(200, 5, "Cache-Control: max-age=60").more("whole");
        assertEquals("whole...OPEN", leader.text());
        CacheScene.Ask next = scene.get("/a");
        assertEquals("whole", next.text());
        assertTrue(next.field("Cache-Status").startsWith("lrwp; hit; ttl"));
        CacheScene.Ask revalidated = scene.get("/a", "Cache-Control: no-cache");
        assertEquals(2, scene.calls.size());
        assertFalse(revalidated.isAnswered());
        scene.calls.getFirst().end();
        assertEquals("whole", waiting.text());
    }

    @Test
    void aBrokenAnswerBreaksForTheFirstAndIsFetchedAgainForTheOthers() throws Exception {
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask second = scene.get("/a");
        scene.last().begin(200, "Cache-Control: max-age=60").more("half").breakOff();
        assertTrue(leader.text().endsWith("...BROKEN"));
        assertEquals(2, scene.calls.size());
        scene.last().answer(200, "whole");
        assertEquals("whole", second.text());
    }

    @Test
    void aFirstClientThatLeavesTakesNothingFromTheOthers() throws Exception {
        CacheScene.Ask leader = scene.get("/a");
        CacheScene.Ask second = scene.get("/a");
        scene.last().begin(200, "Cache-Control: max-age=60").more("half ");
        leader.leave();
        scene.last().more("whole").end();
        assertEquals("half whole", second.text());
        assertEquals(true, scene.last().ended);
    }

    @Test
    void conditionsOfTheFirstAreAnsweredThoughTheFetchAsksForAll() throws Exception {
        CacheScene.Ask knows = scene.get("/a", "If-None-Match: \"x\", \"e\"");
        assertNull(scene.last().head.first("If-None-Match"));
        scene.last().answer(200, "body", "Cache-Control: max-age=60", "ETag: \"e\"");
        assertEquals(304, knows.status());
        assertEquals("", knows.text());
        assertEquals("body", scene.get("/a").text());
        assertEquals(304, scene.get("/a", "If-None-Match: *").status());
    }

    @Test
    void aChangeMeanwhileKeepsAFetchOutOfTheCache() throws Exception {
        CacheScene.Ask reader = scene.get("/a");
        CacheScene.Call fetch = scene.last();
        scene.ask("PUT", "/a");
        scene.last().answer(204, "", "Location: /b");
        fetch.answer(200, "before", "Cache-Control: max-age=60");
        assertEquals("before", reader.text());

        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void aSuccessfulChangeForgetsItsUrlAndWhatItNames() throws Exception {
        for (String url : new String[] {"/a", "/b"}) {
            scene.get(url);
            scene.last().answer(200, "old", "Cache-Control: max-age=60");
        }
        scene.ask("DELETE", "/a");
        scene.last().answer(404, "");
        assertTrue(scene.get("/a").isAnswered());
        scene.ask("POST", "/a");
        scene.last().answer(201, "", "Location: /b", "Content-Location: //other/a");
        assertFalse(scene.get("/a").isAnswered());
        assertFalse(scene.get("/b").isAnswered());
    }

    @ParameterizedTest
    @CsvSource({
        "/b, /b, true",
        "/b#part, /b, true",
        "item, /shop/item, true",
        "item#part, /shop/item, true",
        "./item?q=/../z, /shop/item?q=/../z, true",
        "../b, /b, true",
        "../../b/./c/.., /b/, true",
        "?y, /shop/list?y, true",
        "http://h/b|{}, /b|{}, true",
        "HTTP://H./b, /b, true",
        "http://h:80/b, /b, true",
        "https://h/b, /b, true",
        "//h/b, /b, true",
        "http://h?y, /?y, true",
        "http://h:81/b, /b, false",
        "https://h:80/b, /b, false",
        "http://other/b, /b, false",
        "http://h.other/b, /b, false",
        "//other/b, /b, false",
        "ftp://h/b, /b, false",
        "http:/b, /b, false",
        "http://u@h/b, /b, false",
    })
    void whatAChangeNamesOnTheSameHostIsForgotten(String named, String url, boolean forgotten)
            throws Exception {
        store(url);
        scene.ask("POST", "/shop/list?x");
        scene.last().answer(201, "", "Location: " + named);
        assertEquals(!forgotten, scene.get(url).isAnswered());
    }

    @Test
    void aChangeThatNamesItselfIsToldOnce() throws Exception {
        List<Forgotten> told = new ArrayList<>();
        scene.cache.share(told::add);
        scene.ask("POST", "/a?x");
        scene.last().answer(200, "", "Location: #new", "Content-Location: http://h/a?x");
        assertEquals(List.of(new Forgotten("h:-1/a?x", false)), told);
    }

    @Test
    void othersAreToldOfWhatIsForgottenHereAndNotOfWhatTheyHaveForgotten() throws Exception {
        List<Forgotten> told = new ArrayList<>();
        scene.cache.share(told::add);
        scene.ask("POST", "/a");
        scene.last().answer(201, "", "Location: /b");
        scene.ask("PURGE", "/c").word();
        scene.ask("PURGE", "/d", "Purge: prefix").word();
        scene.cache.purge("h", AuditActor.anonymous("127.0.0.1"));
        assertEquals(
                List.of(
                        new Forgotten("h:-1/a", false),
                        new Forgotten("h:-1/b", false),
                        new Forgotten("h:-1/c", false),
                        new Forgotten("h:-1/d", true),
                        new Forgotten("h", true)),
                told);

        store("/a");
        CacheScene.Ask reader = scene.get("/b");
        CacheScene.Call fetch = scene.last();
        scene.cache.forget(new Forgotten("h:-1/a", false));
        scene.cache.forget(new Forgotten("h:-1/b", false));
        fetch.answer(200, "before", "Cache-Control: max-age=60");
        assertEquals("before", reader.text());
        assertFalse(scene.get("/a").isAnswered());
        assertFalse(scene.get("/b").isAnswered());
        assertEquals(5, told.size());
    }

    private void store(String url, String... fields) throws Exception {
        scene.get(url);
        List<String> all = new ArrayList<>(List.of("Cache-Control: max-age=60"));
        all.addAll(List.of(fields));
        scene.last().answer(200, "stored", all.toArray(new String[0]));
        assertEquals("stored", scene.get(url).text());
    }

    /** RFC 9111 section 4.3.4: a 304 need not say again how long the answer is fresh. */
    @Test
    void bareValidationMakesTheAnswerFreshForAsLongAsItWas() throws Exception {
        store("/tagged", "ETag: \"1\"");
        scene.pass(61);
        CacheScene.Ask stale = scene.get("/tagged");
        scene.last().answer(304, "");
        assertEquals("stored", stale.text());

        scene.pass(59);
        assertEquals("lrwp; hit; ttl=1", scene.get("/tagged").field("Cache-Status"));
        scene.pass(2);
        assertFalse(scene.get("/tagged").isAnswered());
    }

    @Test
    void whatIsDistrustedIsServedOnlyWhenItsPeerSaysThatItIsGood() throws Exception {
        store("/tagged", "ETag: \"1\"");
        store("/plain");
        store("/lasting", "CDN-Cache-Control: max-age=1, stale-if-error=900");
        scene.pass(1);
        scene.cache.distrust();
        scene.pass(1);

        CacheScene.Ask tagged = scene.get("/tagged");
        assertFalse(tagged.isAnswered());
        assertEquals("\"1\"", scene.last().head.first("If-None-Match"));
        scene.last().answer(304, "");
        assertEquals("stored", tagged.text());
        assertEquals("lrwp; hit; ttl=60", scene.get("/tagged").field("Cache-Status"));

        assertEquals(504, scene.get("/plain", "Cache-Control: only-if-cached").status());
        assertFalse(scene.get("/plain").isAnswered());
        CacheScene.Ask failing = scene.get("/lasting");
        scene.last().fail(Failure.PEER_GONE);
        assertEquals("peer-gone", failing.word());
    }

    @Test
    void whatWasUnderWayWhenItWasDistrustedIsNotStored() throws Exception {
        CacheScene.Ask reader = scene.get("/a");
        CacheScene.Call fetch = scene.last();
        scene.cache.distrust();
        scene.pass(1);
        fetch.answer(200, "before", "Cache-Control: max-age=60");
        assertEquals("before", reader.text());
        assertFalse(scene.get("/a").isAnswered());
    }

    @Test
    void purgingNeedsALocalClientOrTheToken() throws Exception {
        assertEquals(403, scene.askFrom("192.0.2.1", "PURGE", "/a").status());
        assertEquals(403, scene.ask("PURGE", "/a", "Forwarded: for=x").status());
        scene.close();
        scene = new CacheScene(folder, 0, "key");
        assertEquals(401, scene.askFrom("192.0.2.1", "PURGE", "/a").status());
        assertEquals(401, scene.ask("PURGE", "/a", "Authorization: Bearer kex").status());
        String right = "Authorization: bearer key";
        assertEquals(200, scene.askFrom("192.0.2.1", "PURGE", "/a", right).status());
        assertEquals(
                List.of("refused", "refused", "purged"),
                scene.audit.stream().map(AuditEvent::word).toList());
        assertEquals("192.0.2.1", scene.audit.getLast().actor().address());
    }

    @Test
    void purgingByPrefixForgetsAllBelowAlsoWhatIsUnderWay() throws Exception {
        for (String url : new String[] {"/a/1", "/a/2", "/b"}) {
            scene.get(url);
            scene.last().answer(200, "x", "Cache-Control: max-age=60");
        }
        scene.get("/a/3");
        CacheScene.Call under = scene.last();
        assertEquals("purged 2\n", scene.ask("PURGE", "/a/", "Purge: prefix").text());
        under.answer(200, "late", "Cache-Control: max-age=60");
        assertFalse(scene.get("/a/1").isAnswered());
        assertFalse(scene.get("/a/3").isAnswered());
        assertTrue(scene.get("/b").isAnswered());
    }

    @Test
    void requestsThatTheCacheIsNotForPass() throws Exception {
        scene.ask("OPTIONS", "/a");
        scene.ask("GET", "/a", "Range: bytes=0-1");
        scene.ask("GET", "/a", "Cache-Control: no-store");
        scene.ask("HEAD", "/a");
        assertEquals(4, scene.calls.size());
        assertTrue(scene.calls.stream().noneMatch(call -> call.ofCache));
        assertEquals(504, scene.get("/a", "Cache-Control: only-if-cached").status());
        assertTrue(scene.cache.serves("/yes"));
        assertFalse(scene.cache.serves("/no"));
    }

    @Test
    void whatIsStaleIsForAHeadThatSaysSo() throws Exception {
        String told = "Cache-Control: max-age=5, stale-while-revalidate=60, stale-if-error=60";
        scene.get("/a");
        scene.last().answer(200, "old", told);
        assertStatus("hit; ttl=5", scene.ask("HEAD", "/a"));
        scene.pass(6);
        assertStatus("hit; ttl=-1", scene.ask("HEAD", "/a", "Cache-Control: max-stale"));
        assertEquals("lrwp; fwd=stale", passed(scene.ask("HEAD", "/a")));
        assertFalse(scene.last().ofCache);
    }

    @Test
    void whatWasStoredIsThereAfterARestart() throws Exception {
        scene.get("/a");
        scene.last().answer(200, "kept", "Cache-Control: max-age=60", "X-Field: too");
        scene.close();
        scene = new CacheScene(folder);
        CacheScene.Ask hit = scene.get("/a");
        assertEquals("kept", hit.text());
        assertEquals("too", hit.field("X-Field"));
    }
}
