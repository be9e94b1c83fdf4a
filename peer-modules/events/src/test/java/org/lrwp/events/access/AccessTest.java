package org.lrwp.events.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.events.access.Access.Verdict;
import org.lrwp.runtime.caller.HostNames;
import org.lrwp.testkit.Head;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

class AccessTest {
    private static final byte[] KEY = "signing".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SECRET = "s3cret".getBytes(StandardCharsets.US_ASCII);

    private static final HostNames HOSTS = new HostNames(List.of("localhost", "www.Example"));

    private static Access access(Rule... rules) {
        return new Access(Set.of(rules), Set.of(Rule.ANYONE), SECRET, KEY, HOSTS);
    }

    private static Verdict judge(Access access, Head head) {
        return access.judge(head, new Access.Wish(Action.PUBLISH, "a,b", "", "", 1000));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,ALLOWED",
        "127.8.9.1,ALLOWED",
        "::1,ALLOWED",
        "0:0:0:0:0:0:0:1,ALLOWED",
        "192.0.2.1,REFUSED",
        "localhost,REFUSED",
        "'',REFUSED",
    })
    void loopbackIsThisMachine(String address, Verdict verdict) {
        assertEquals(verdict, judge(access(Rule.LOOPBACK), Head.get("/a").from(address)));
    }

    @Test
    void whatWentThroughAnotherProxyIsNotFromHere() {
        for (String header : new String[] {"X-Forwarded-For", "Forwarded"}) {
            Head head = Head.get("/a").with(header, "127.0.0.1");
            assertEquals(Verdict.REFUSED, judge(access(Rule.LOOPBACK), head));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost,ALLOWED",
        "LOCALHOST:1080,ALLOWED",
        "www.example,ALLOWED",
        "127.0.0.1:1080,ALLOWED",
        "[::1]:1080,ALLOWED",
        "192.0.2.1,ALLOWED",
        "rebound.example,REFUSED",
        "127.0.0.1.rebound.example,REFUSED",
        "localhost.rebound.example:1080,REFUSED",
        "'',REFUSED",
    })
    void aNameThatAPageHasLedHereIsNotTakenForThisMachine(String host, Verdict verdict) {
        assertEquals(verdict, judge(access(Rule.LOOPBACK), Head.get("/a").with("Host", host)));
    }

    @ParameterizedTest
    @CsvSource({
        "Bearer s3cret,ALLOWED",
        "bearer  s3cret ,ALLOWED",
        "Bearer s3cre,REFUSED",
        "Bearer s3cretx,REFUSED",
        "Bearer,REFUSED",
        "Basic s3cret,REFUSED",
    })
    void sharedSecretIsShownWhole(String header, Verdict verdict) {
        Head head = Head.get("/a").with("Authorization", header);

        assertEquals(verdict, judge(access(Rule.SECRET), head));
    }

    @Test
    void whoShowsNothingIsToldThatASecretIsNeeded() {
        assertEquals(Verdict.UNKNOWN, judge(access(Rule.SECRET), Head.get("/a")));
        Access without =
                new Access(
                        Set.of(Rule.SECRET), Set.of(Rule.ANYONE), new byte[0], new byte[0], HOSTS);
        Head empty = Head.get("/a").with("Authorization", "Bearer ");
        assertEquals(Verdict.REFUSED, judge(without, Head.get("/a")));
        assertEquals(Verdict.REFUSED, judge(without, empty));
    }

    private static Verdict signed(
            Action action, String channels, String expires, String signature) {
        Access access = new Access(Set.of(Rule.SIGNED), Set.of(Rule.SIGNED), SECRET, KEY, HOSTS);
        return access.judge(
                Head.get("/a").from("192.0.2.1"),
                new Access.Wish(action, channels, expires, signature, 1000));
    }

    @Test
    void signedUrlIsGoodForItsMethodChannelsAndTime() {
        String good = SignedUrl.sign(KEY, Action.SUBSCRIBE, "a,b", 1000);

        assertEquals(Verdict.ALLOWED, signed(Action.SUBSCRIBE, "a,b", "1000", good));
        assertEquals(Verdict.REFUSED, signed(Action.PUBLISH, "a,b", "1000", good));
        assertEquals(Verdict.REFUSED, signed(Action.SUBSCRIBE, "a", "1000", good));
        assertEquals(Verdict.REFUSED, signed(Action.SUBSCRIBE, "a,b", "1001", good));
        assertEquals(Verdict.REFUSED, signed(Action.SUBSCRIBE, "a,b", "", good));
        assertEquals(Verdict.REFUSED, signed(Action.SUBSCRIBE, "a,b", "1e3", good));
        assertEquals(Verdict.REFUSED, signed(Action.SUBSCRIBE, "a,b", "1000", ""));
        String late = SignedUrl.sign(KEY, Action.SUBSCRIBE, "a,b", 999);
        assertEquals(Verdict.REFUSED, signed(Action.SUBSCRIBE, "a,b", "999", late));
    }

    /** {@code printf 'GET\nnews\n1790000000' | openssl dgst -sha256 -hmac signing}. */
    @Test
    void signatureIsThatOfOtherTools() {
        assertEquals(
                "573c10222a238c3e6a58c70c7d036a904d5d7050d60c701aecee33710dcd766e",
                SignedUrl.sign(KEY, Action.SUBSCRIBE, "news", 1_790_000_000L));
    }

    @Test
    void askedIsOnlyWhereNothingElseAllows() {
        Access access = access(Rule.LOOPBACK, Rule.ASK);

        assertEquals(Verdict.ALLOWED, judge(access, Head.get("/a")));
        assertEquals(Verdict.ASK, judge(access, Head.get("/a").from("192.0.2.1")));
    }

    @Test
    void rulesThatCannotWorkAreRefused() {
        byte[] none = {};
        Set<Rule> signed = Set.of(Rule.SIGNED);
        Set<Rule> secret = Set.of(Rule.SECRET);
        assertThrows(
                IllegalArgumentException.class,
                () -> new Access(signed, secret, SECRET, none, HOSTS));
        assertThrows(
                IllegalArgumentException.class, () -> new Access(secret, secret, none, KEY, HOSTS));
        assertEquals(Set.of(Rule.LOOPBACK, Rule.SECRET), Rule.TYPE.parse("loopback, secret"));
        assertThrows(IllegalArgumentException.class, () -> Rule.TYPE.parse("Loopback"));
        assertThrows(IllegalArgumentException.class, () -> Rule.TYPE.parse("nobody"));
    }
}
