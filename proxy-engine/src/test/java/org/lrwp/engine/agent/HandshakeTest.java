package org.lrwp.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.testkit.FakeLink;
import org.lrwp.engine.testkit.RecordingClient;
import org.lrwp.engine.testkit.TestEngine;
import org.lrwp.protocol.Challenge;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

/** What peers say when they dial in, and what they are told. {@code ~} stands for FF. */
class HandshakeTest {
    private static final String LONG = "x".repeat(201);
    private static final byte[] RIGHT = AgentFixture.KEY.getBytes(StandardCharsets.ISO_8859_1);

    private final AgentFixture agent = new AgentFixture();

    private static String wire(String text) {
        return text.replace('~', '\u00ff').replace("LONG", LONG);
    }

    private static String shown(String wire) {
        return wire.replace('\u00ff', '~');
    }

    // ---- Let in.

    @ParameterizedTest
    @CsvSource({
        "osp~~,             OK,  /osp",
        "osp~~~,            OK,  /osp",
        "osp~~*.xml,        OK,  /osp",
        "osp~~filter~,      OK,  /osp",
        "/osp~~,            OK,  /osp",
        "osp/~~,            OK,  /osp",
        "/~~,               OK,  /",
        "a/b~~,             OK,  /a/b",
        ".ext~~,            OK,  .ext",
        "~2.0~osp~~,        OK~, /osp",
        "~2.7~/osp~~,       OK~, /osp",
        "~2.0~osp~~ignored, OK~, /osp",
        "~2.0~/~~,          OK~, /",
        "-x~~,              OK,  /-x",
    })
    void aStartupStringIsAcknowledgedHoweverItIsCut(String hello, String reply, String context) {
        FakeLink whole = agent.dial("127.0.0.1", wire(hello));
        assertEquals(reply, shown(whole.received()));

        FakeLink split = agent.dial();
        split.arrivesByByte(wire(hello));
        assertEquals(reply, shown(split.received()));
        assertFalse(split.isClosed());
        assertEquals(2, agent.peers());
        assertEquals(context, agent.contexts().contexts().getFirst().context());
        assertEquals(1, whole.writes());
    }

    @Test
    void aNameOf200BytesIsLetIn() {
        String name = "x".repeat(200);
        assertEquals("OK", agent.dial("127.0.0.1", wire(name + "~" + name + "~")).received());
        assertEquals("OK", agent.dial("127.0.0.1", wire("/" + name + "~~")).received());
    }

    @Test
    void anLrwp1PeerGetsItsFirstRequestAfterTheSettleTime() {
        FakeLink old = agent.dial("127.0.0.1", wire("osp~~"));
        assertEquals("OK", old.received());
        ContextMatch match = agent.contexts().match("", "/osp");
        assertNotNull(match);
        TestEngine engine = agent.engine();
        engine.submit("GET", "", match.assistant(), new RecordingClient());
        engine.pass(AgentFixture.SETTLE.minusMillis(1));
        assertEquals("", old.received());
        engine.pass(Duration.ofMillis(1));
        assertEquals(TestEngine.frameHeadText("r1", 0), old.received());
    }

    @Test
    void anLrwp2PeerIsFreeAtOnce() {
        FakeLink link = agent.dial("127.0.0.1", wire("~2.0~osp~~"));
        ContextMatch match = agent.contexts().match("", "/osp");
        assertNotNull(match);
        agent.engine().submit("GET", "", match.assistant(), new RecordingClient());
        agent.engine().loop().run();
        assertEquals(wire("OK~") + TestEngine.frameHeadText("r1", 0), link.received());
    }

    // ---- Refused.

    @ParameterizedTest
    @CsvSource({
        "~2.0~~,                  Malformed LRWP2 connection string",
        "~2~osp~~,                ERROR: Malformed startup string",
        "~x.y~osp~~,              ERROR: Malformed startup string",
        "~22.0~osp~~,             ERROR: Malformed startup string",
        "~1.0~osp~~,              ERROR: Unknown LRWP version",
        "~3.0~osp~~x,             REJECTED~ERROR: Malformed startup string~",
        "~3.0~/-~~,               REJECTED~ERROR: Application not permitted~",
        "~3.0~LONG~~,             REJECTED~ERROR: Registration component too long~",
        "~9.9~osp~~,              ERROR: Unknown LRWP version",
        "LONG~~,                  ERROR: Registration component too long",
        "osp~LONG~,               ERROR: Registration component too long",
        "~2.0~LONG~~,             ERROR: Registration component too long",
        "osp~~filter~more,        ERROR: Malformed startup string",
        "-~~,                     ERROR: Application not permitted",
        "/-~~,                    ERROR: Application not permitted",
        "-/~~,                    ERROR: Application not permitted",
        "-/status~~,              ERROR: Application not permitted",
        "//-~~,                   ERROR: Application not permitted",
        "~2.0~/-~~,               REJECTED~ERROR: Application not permitted~",
        "~2.0~-/x~~,              REJECTED~ERROR: Application not permitted~",
        "safe~~,                  ERROR: Connection requires LRWP2 authentication",
        "safe/~~,                 ERROR: Connection requires LRWP2 authentication",
        "//safe~~,                ERROR: Connection requires LRWP2 authentication",
        "safe/below~~,            ERROR: Connection requires LRWP2 authentication",
        "safe~a.test~,            ERROR: Connection requires LRWP2 authentication",
    })
    void aBadStartupStringIsRefusedWithItsText(String hello, String reply) {
        FakeLink link = agent.dial("127.0.0.1", wire(hello));
        assertEquals(reply, shown(link.received()));
        assertRefused(link);
    }

    @Test
    void aClientOfHttpIsToldAtOnceThatThisIsNotItsPort() {
        FakeLink link = agent.dial("127.0.0.1", "GET /osp HTTP/1.1\r\nHost: localhost\r\n\r\n");
        String answer = link.received();
        assertTrue(answer.startsWith("HTTP/1.1 400 Bad Request\r\n"), answer);
        assertTrue(answer.endsWith("\r\n\r\nThis port is for LRWP peers, not for HTTP.\n"), answer);
        assertRefused(link);
    }

    @Test
    void aClientOfTlsIsToldAtOnceThatThisIsNotItsPort() {
        FakeLink link = agent.dial("127.0.0.1", "\u0016\u0003\u0001\u0000\u00ff\u0001\u00ff");
        assertEquals("ERROR: This port is for LRWP peers without TLS", link.received());
        assertRefused(link);
    }

    private void assertRefused(FakeLink link) {
        assertTrue(link.isOutputShut());
        assertFalse(link.isClosed());
        link.arrives("whatever comes now");
        assertFalse(link.isClosed());
        link.ends();
        assertTrue(link.isClosed());
        agent.engine().pass(Duration.ofSeconds(10));
        assertEquals("", link.received());
        assertEquals(0, agent.peers());
    }

    @ParameterizedTest
    @CsvSource({
        "'',            ERROR: Malformed startup string",
        "osp,           ERROR: Malformed startup string",
        "osp~,          ERROR: Malformed startup string",
        "osp~host,      ERROR: Malformed startup string",
        "~,             ERROR: Malformed startup string",
        "~2.0~,         Malformed LRWP2 connection string",
        "~2.0~osp,      Malformed LRWP2 connection string",
        "~2.0~osp~host, Malformed LRWP2 connection string",
    })
    void halfAStartupStringIsRefusedAtTheRegistrationTimeOrTheEnd(String hello, String reply) {
        FakeLink slow = agent.dial();
        slow.arrivesByByte(wire(hello));
        agent.engine().pass(AgentFixture.REGISTRATION_TIME.minusNanos(1));
        assertEquals("", slow.received());
        agent.engine().pass(Duration.ofNanos(1));
        assertEquals(reply, shown(slow.received()));
        assertRefused(slow);

        if (!hello.isEmpty()) {
            FakeLink ended = agent.dial("127.0.0.1", wire(hello));
            ended.ends();
            assertEquals(reply, shown(ended.received()));
        }
    }

    @Test
    void aStartupStringWithoutEndIsRefusedAt1024Bytes() {
        FakeLink link = agent.dial("127.0.0.1", "x".repeat(1023));
        assertEquals("", link.received());
        link.arrives("x");
        assertEquals("ERROR: Malformed startup string", link.received());
        assertRefused(link);
    }

    @Test
    void aPeerThatDoesNotLeaveAfterItsRefusalIsClosedInASecond() {
        FakeLink link = agent.dial("127.0.0.1", wire("-~~"));
        agent.engine().pass(Duration.ofMillis(999));
        assertFalse(link.isClosed());
        agent.engine().pass(Duration.ofMillis(1));
        assertTrue(link.isClosed());
    }

    @Test
    void aPeerThatSaysNothingAndLeavesIsToldThatItsStartupStringIsMissing() {
        FakeLink link = agent.dial();
        link.ends();
        assertEquals("ERROR: Malformed startup string", link.received());
        FakeLink broken = agent.dial();
        broken.breaks();
        assertTrue(broken.isClosed());
    }

    @Test
    void aPeerThatDoesNotTakeItsRefusalIsClosed() {
        FakeLink link = agent.dial();
        link.takesOnly(3);
        link.arrives(wire("-~~"));
        assertTrue(link.isClosed());
        FakeLink broken = agent.dial();
        broken.arrivesUnseen(wire("osp~~"));
        broken.takesOnly(0);
        agent.engine().pass(AgentFixture.REGISTRATION_TIME);
        assertTrue(broken.isClosed());
    }

    @Test
    void aPeerThatEndsItsOutputBehindItsStartupStringIsGone() {
        FakeLink link = agent.dial();
        link.arrivesUnseen(wire("osp~~"));
        link.ends();
        link.ends();
        assertTrue(link.isClosed());
        assertEquals(0, agent.peers());
    }

    @Test
    void onlyContextsOfTheListAreLetIn() {
        var strict = new AgentFixture(10, 10, Set.of("/osp", ".ext"));
        assertEquals("OK", strict.dial("127.0.0.1", wire("osp/~~")).received());
        assertEquals("OK", strict.dial("127.0.0.1", wire(".ext~~")).received());
        for (String other : new String[] {"osp/a", "OSP", "", "ext", "/"}) {
            FakeLink link = strict.dial("127.0.0.1", wire("~2.0~/" + other + "~~"));
            assertEquals("REJECTED~ERROR: Application not permitted~", shown(link.received()));
        }
    }

    // ---- The challenge.

    private FakeLink challenged(StringBuilder challenge) {
        FakeLink link = agent.dial("127.0.0.1", wire("~2.0~safe~~"));
        String text = link.received();
        assertEquals("CHALLENGE~000000032", shown(text.substring(0, 19)));
        assertEquals(51, text.length());
        challenge.append(text.substring(19));
        return link;
    }

    private static String answer(CharSequence challenge, byte[] key) {
        byte[] bytes = challenge.toString().getBytes(StandardCharsets.ISO_8859_1);
        return new String(Challenge.of(bytes).answer(key), StandardCharsets.ISO_8859_1);
    }

    @Test
    void theRightAnswerIsAcknowledgedHoweverItIsCut() {
        var challenge = new StringBuilder();
        FakeLink link = challenged(challenge);
        link.arrivesByByte(answer(challenge, RIGHT));
        assertEquals("OK~", shown(link.received()));
        assertEquals(1, agent.peers());
        var other = new StringBuilder();
        challenged(other).arrives(answer(other, RIGHT));
        assertEquals(2, agent.peers());
        assertFalse(challenge.toString().contentEquals(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"000000031", "000000033", "000000000", "00000001x", "999999999"})
    void anAnswerOfAnotherLengthIsRefused(String length) {
        var challenge = new StringBuilder();
        FakeLink link = challenged(challenge);
        link.arrives(length + answer(challenge, RIGHT).substring(9) + "more");
        assertEquals("REJECTED~Incorrect LRWP challenge response~", shown(link.received()));
        assertRefused(link);
    }

    @Test
    void aWrongAnswerIsRefused() {
        var challenge = new StringBuilder();
        FakeLink link = challenged(challenge);
        link.arrives(answer(challenge, new byte[] {1}));
        assertEquals("REJECTED~Incorrect LRWP challenge response~", shown(link.received()));
        assertRefused(link);
    }

    @Test
    void bytesBehindTheAnswerAreRefused() {
        var challenge = new StringBuilder();
        FakeLink link = challenged(challenge);
        link.arrives(answer(challenge, RIGHT) + "x");
        assertEquals("REJECTED~Incorrect LRWP challenge response~", shown(link.received()));
    }

    @Test
    void theAnswerToTheChallengeHasTheRegistrationTimeToo() {
        FakeLink link = agent.dial("127.0.0.1", wire("~2.0~safe~"));
        agent.engine().pass(AgentFixture.REGISTRATION_TIME.minusMillis(1));
        link.arrives(wire("~"));
        assertTrue(shown(link.received()).startsWith("CHALLENGE~"));
        agent.engine().pass(AgentFixture.REGISTRATION_TIME.minusMillis(1));
        assertEquals("", link.received());
        agent.engine().pass(Duration.ofMillis(1));
        assertEquals("REJECTED~Incorrect LRWP challenge response~", shown(link.received()));
        assertRefused(link);
    }

    @Test
    void aPeerThatLeavesDuringTheChallengeIsClosed() {
        FakeLink link = challenged(new StringBuilder());
        link.arrives("0000");
        link.ends();
        assertTrue(link.isClosed());
        assertEquals("", link.received());
    }

    @Test
    void theTimerDoesNotTouchAPeerThatIsIn() {
        FakeLink link = agent.dial("127.0.0.1", wire("osp~~"));
        agent.engine().pass(AgentFixture.REGISTRATION_TIME.multipliedBy(3));
        assertFalse(link.isClosed());
        assertEquals("OK", link.received());
    }
}
