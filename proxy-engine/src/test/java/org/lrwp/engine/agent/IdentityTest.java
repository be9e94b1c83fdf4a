package org.lrwp.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.ContextPattern;
import org.lrwp.engine.identity.Identity;
import org.lrwp.engine.identity.LeastVersion;
import org.lrwp.engine.identity.Scope;
import org.lrwp.engine.identity.Secret;
import org.lrwp.engine.peer.PeerStatus;
import org.lrwp.engine.testkit.FakeLink;
import org.lrwp.engine.transport.PeerAddress;
import org.lrwp.protocol.Challenge;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.KeyChallenge;
import org.lrwp.protocol.frame.ContextName;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.protocol.network.Network;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.Frame;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Peers that say who they are, and what they may register. {@code ~} stands for FF. */
class IdentityTest {
    private static final IdentityKey KEY_A = IdentityKey.random(new Random(1));
    private static final IdentityKey KEY_B = IdentityKey.random(new Random(2));
    private static final IdentityKey OTHER = IdentityKey.random(new Random(3));
    private static final Secret OLD = new Secret("alt".getBytes(StandardCharsets.ISO_8859_1));
    private static final String OK = "OK~";
    private static final String NOT_PERMITTED = "REJECTED~ERROR: Application not permitted~";
    private static final String WRONG = "REJECTED~Incorrect LRWP challenge response~";

    private AgentFixture agent = agent(policy(false));
    private int nonces;

    private static AgentFixture agent(AccessPolicy policy) {
        return new AgentFixture(AgentFixture.limits(100, 100), policy);
    }

    private static Identity identity(String name, Identity.Proof proof, String... contexts) {
        return new Identity(name, proof, scope(contexts), List.of(), 0, 0, 100, null);
    }

    private static Scope scope(String... contexts) {
        return new Scope(Arrays.stream(contexts).map(ContextPattern::parse).toList(), Set.of());
    }

    private static Identity.Proof keys() {
        return new Identity.Proof.Credentials(
                Map.of("2026a", KEY_A, "2026b", KEY_B), List.of(), Set.of());
    }

    private static Identity billing() {
        return identity("billing", keys(), "/osp", "/tep/**");
    }

    private static AccessPolicy policy(boolean required, Identity... more) {
        Map<String, Identity> identities = new HashMap<>();
        identities.put("billing", billing());
        for (Identity one : more) {
            identities.put(one.name(), one);
        }
        return new AccessPolicy(
                required,
                LeastVersion.LRWP_1_0,
                Set.of(),
                Map.of("/safe", OLD),
                null,
                List.of(scope("/module")),
                identities);
    }

    private static String wire(String text) {
        return text.replace('~', '\u00ff');
    }

    private static String shown(FakeLink link) {
        return link.received().replace('\u00ff', '~');
    }

    private FakeLink dial(String hello) {
        return agent.dial("127.0.0.1", wire(hello));
    }

    private String hello(String context, String name, String keyId) {
        String nonce = HexFormat.of().toHexDigits(++nonces, 16).repeat(4);
        return "~3.1~" + context + "~~" + name + "~" + keyId + "~" + nonce + "~";
    }

    /** A peer that has a key and checks the proxy's; returns its link behind its own proof. */
    private FakeLink identified(
            String address, String context, String name, String keyId, IdentityKey key) {
        return identified(agent.transport().dial(address), context, name, keyId, key);
    }

    private FakeLink identified(
            FakeLink link, String context, String name, String keyId, IdentityKey key) {
        String hello = wire(hello(context, name, keyId));
        link.arrives(hello);
        byte[] sent = Bytes.of(link.received());
        assertEquals(83, sent.length);
        KeyChallenge challenge = KeyChallenge.of(Arrays.copyOfRange(sent, 19, 83));
        var seen = KeyChallenge.Seen.plain(Bytes.of(hello));
        link.arrives(Bytes.text(challenge.answer(key, seen)));
        return link;
    }

    private FakeLink billing(String context) {
        return identified("127.0.0.1", context, "billing", "2026a", KEY_A);
    }

    /** What a peer is told behind its proof, without the frames. */
    private static String verdict(FakeLink link) {
        String told = shown(link);
        return told.startsWith(OK) ? OK : told;
    }

    // ---- The proofs.

    @Test
    void proxyAndPeerProveTheirKeyToEachOther() {
        String hello = wire(hello("osp", "billing", "2026b"));
        FakeLink link = agent.dial("127.0.0.1", hello);
        byte[] sent = Bytes.of(link.received());
        KeyChallenge challenge = KeyChallenge.of(Arrays.copyOfRange(sent, 19, 83));
        var seen = KeyChallenge.Seen.plain(Bytes.of(hello));

        assertTrue(challenge.isFromProxyWith(KEY_B, seen));
        assertFalse(challenge.isFromProxyWith(KEY_A, seen));
        link.arrivesByByte(Bytes.text(challenge.answer(KEY_B, seen)));
        assertEquals(OK, verdict(link));
        assertEquals(1, agent.peers());
        assertEquals("/osp", agent.contexts().contexts().getFirst().context());
    }

    @Test
    void statusSaysWhichHandshakeThePeerHasMade() {
        greets(billing("osp"));
        greets(dial("~3.0~free~~"));
        assertEquals(
                List.of("3.0", "3.1"),
                agent.status().stream().map(PeerStatus::version).sorted().toList());
    }

    @Test
    void whoProvedItsKeyIsNamedWhenItsContextIsRefused() {
        billing("other");
        identified("127.0.0.1", "other", "billing", "2026a", OTHER);
        assertEquals(
                List.of("billing", "anonymous"),
                agent.audit().stream().map(one -> one.actor().identity()).toList());
    }

    @Test
    void theKeyOfAPeerAndTheOwnerOfItsProcessNameTheSameIdentity() {
        var proof =
                new Identity.Proof.Credentials(
                        Map.of("2026a", KEY_A), List.of(), Set.of("billing", "both"));
        var web = new Identity.Proof.Credentials(Map.of(), List.of(), Set.of("www"));
        agent =
                agent(
                        policy(
                                true,
                                identity("billing", proof, "/osp"),
                                identity("web", web, "/web")));
        for (String user : List.of("billing", "both", "nobody")) {
            FakeLink link = agent.transport().dial(new PeerAddress.Unix(user, 1));
            assertEquals(OK, verdict(identified(link, "osp", "billing", "2026a", KEY_A)), user);
        }
        FakeLink other = agent.transport().dial(new PeerAddress.Unix("www", 4));
        assertEquals(WRONG, verdict(identified(other, "osp", "billing", "2026a", KEY_A)));
        // By its user alone it is what its user is.
        FakeLink own = agent.transport().dial(new PeerAddress.Unix("www", 5));
        own.arrives(wire("~3.0~web~~"));
        assertEquals(OK, verdict(own));
        FakeLink forged = agent.transport().dial(new PeerAddress.Unix("www", 6));
        forged.arrives(wire("~3.0~osp~~"));
        assertEquals("REJECTED~ERROR: Application not permitted~", verdict(forged));
        assertEquals("web", agent.audit().getLast().actor().identity());
    }

    @Test
    void wrongKeyUnknownNameAndUnknownKeyIdGetTheSame() {
        assertEquals(WRONG, verdict(identified("127.0.0.1", "osp", "billing", "2026a", OTHER)));
        assertEquals(WRONG, verdict(identified("127.0.0.1", "osp", "billing", "2026b", KEY_A)));
        assertEquals(WRONG, verdict(identified("127.0.0.1", "osp", "billing", "2027a", KEY_A)));
        assertEquals(WRONG, verdict(identified("127.0.0.1", "osp", "shipping", "2026a", KEY_A)));
        assertEquals(WRONG, verdict(identified("127.0.0.1", "other", "", "2026a", KEY_A)));
        assertEquals(0, agent.peers());
    }

    @Test
    void proofOfOneConnectionIsWorthNothingOnAnother() {
        String hello = wire(hello("osp", "billing", "2026a"));
        FakeLink first = agent.dial("127.0.0.1", hello);
        byte[] sent = Bytes.of(first.received());
        KeyChallenge challenge = KeyChallenge.of(Arrays.copyOfRange(sent, 19, 83));
        String answer =
                Bytes.text(challenge.answer(KEY_A, KeyChallenge.Seen.plain(Bytes.of(hello))));
        first.arrives(answer);
        assertEquals(OK, verdict(first));

        FakeLink replayed = agent.dial("127.0.0.1", hello);
        replayed.received();
        replayed.arrives(answer);
        assertEquals(WRONG, verdict(replayed));
    }

    @Test
    void nameWithoutKeyProvesNothing() {
        assertEquals(NOT_PERMITTED, shown(dial(hello("osp", "billing", ""))));
        assertEquals(OK, verdict(dial(hello("free", "billing", ""))));
    }

    @Test
    void identityThatIsNoLongerValidIsUnknownAndItsConnectionsAreDrained() {
        Instant end = AgentFixture.TODAY.plus(Duration.ofHours(1));
        var brief = new Identity("billing", keys(), scope("/osp"), List.of(), 0, 0, 100, end);
        agent = agent(policy(false, brief));
        FakeLink link = billing("osp");
        greets(link);

        agent.engine().pass(Duration.ofHours(1).minusNanos(1));
        assertEquals(List.of(), types(link));
        agent.engine().pass(Duration.ofNanos(1));
        assertTrue(types(link).contains(FrameType.DRAIN), "not drained");
        assertEquals(WRONG, verdict(billing("osp")));
    }

    // ---- What an identity may register.

    @ParameterizedTest
    @CsvSource({
        "osp, OK~",
        "tep, OK~",
        "tep/a/b, OK~",
        "osp/a, REJECTED~ERROR: Application not permitted~",
        "tepid, REJECTED~ERROR: Application not permitted~",
        "free, REJECTED~ERROR: Application not permitted~",
        "/, REJECTED~ERROR: Application not permitted~",
        ".ext, REJECTED~ERROR: Application not permitted~",
        "module, REJECTED~ERROR: Application not permitted~",
        "-/x, REJECTED~ERROR: Application not permitted~",
    })
    void identityRegistersWhatItsScopeNamesAndNothingElse(String context, String verdict) {
        assertEquals(verdict, verdict(billing(context)));
    }

    @Test
    void contextsThatComeLaterAreJudgedByTheSameRules() {
        FakeLink link = billing("");
        greets(link);

        assertEquals("", registers(link, "/osp"));
        assertEquals("", registers(link, "tep/x"));
        assertEquals("ERROR: Application not permitted", registers(link, "free"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"osp", "osp/a", "tep", "tep/a", "module", "module/x"})
    void whatBelongsToAnIdentityNoOtherPeerGets(String context) {
        assertEquals(NOT_PERMITTED, shown(dial("~3.0~" + context + "~~")));
        assertEquals(NOT_PERMITTED, shown(dial("~3.0~" + context + "~one.test~")));
        assertEquals("ERROR: Application not permitted", shown(dial(context + "~~")));
        FakeLink later = dial("~3.0~~~");
        greets(later);
        assertEquals("ERROR: Application not permitted", registers(later, context));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "ospx", ".ext", "te", "free/osp"})
    void whatBelongsToNobodyIsThereForPeersWithoutIdentity(String context) {
        assertEquals("OK", shown(dial(context + "~~")));
        assertEquals(OK, verdict(dial("~3.0~" + context + "~~")));
    }

    @Test
    void extensionOfAnIdentityIsNotTakenByAPath() {
        agent = agent(policy(false, identity("php", keys(), ".php")));

        assertEquals(NOT_PERMITTED, shown(dial("~3.0~app~~")));
        assertEquals(NOT_PERMITTED, shown(dial("~3.0~.php~~")));
        assertEquals(OK, verdict(dial("~3.0~.html~~")));
        assertEquals(OK, verdict(dial("~3.0~/~~")));
    }

    @Test
    void aPathThatTheConfigurationNamesIsThereBesideAnExtensionOfAnother() {
        agent =
                agent(
                        policy(
                                false,
                                identity("php", keys(), ".php"),
                                identity("app", keys(), "/app/**")));

        assertEquals(OK, verdict(identified("127.0.0.1", "app/x", "app", "2026a", KEY_A)));
        assertEquals(
                NOT_PERMITTED, verdict(identified("127.0.0.1", "other", "app", "2026a", KEY_A)));
    }

    @Test
    void oneVirtualHostIsApartFromAnother() {
        var hosted =
                new Identity(
                        "hosted",
                        keys(),
                        new Scope(List.of(ContextPattern.parse("/shop")), Set.of("Shop.test")),
                        List.of(),
                        0,
                        0,
                        100,
                        null);
        agent = agent(policy(false, hosted));

        assertEquals(NOT_PERMITTED, shown(dial("~3.0~shop~SHOP.test~")));
        assertEquals(NOT_PERMITTED, shown(dial("~3.0~shop/x~~")));
        assertEquals(OK, verdict(dial("~3.0~shop~other.test~")));
        assertEquals(
                NOT_PERMITTED, verdict(identified("127.0.0.1", "shop", "hosted", "2026a", KEY_A)));
        agent.contexts().contexts();
    }

    @Test
    void identityHasItsOwnNetworksConnectionsAndCapacity() {
        var narrow =
                new Identity(
                        "narrow",
                        keys(),
                        scope("/narrow"),
                        List.of(Network.parse("10.1.0.0/16")),
                        1,
                        2,
                        100,
                        null);
        agent = agent(policy(false, narrow));

        assertEquals(
                "REJECTED~ERROR: Unauthorized access~",
                verdict(identified("10.2.0.1", "narrow", "narrow", "2026a", KEY_A)));
        FakeLink link = identified("10.1.0.1", "narrow", "narrow", "2026a", KEY_A);
        assertEquals(OK, verdict(link));
        link.arrives(Bytes.text(settings(100)));
        assertEquals(2, agent.status().getFirst().capacity());
        assertEquals(
                "REJECTED~ERROR: Out of resources~",
                verdict(identified("10.1.0.2", "narrow", "narrow", "2026a", KEY_A)));
        link.ends();
        agent.engine().loop().run();
        assertEquals(OK, verdict(identified("10.1.0.2", "narrow", "narrow", "2026a", KEY_A)));
    }

    // ---- Peers without identity, and of older versions.

    @Test
    void whereAnIdentityIsRequiredNobodyElseComesIn() {
        agent = agent(policy(true));

        assertEquals("ERROR: Connection requires LRWP2 authentication", shown(dial("free~~")));
        String text = "REJECTED~ERROR: Connection requires an identity~";
        assertEquals(text, shown(dial("~2.0~free~~")));
        assertEquals(text, shown(dial("~3.0~free~~")));
        assertEquals(text, shown(dial("~3.0~~~")));
        assertEquals(text, shown(dial(hello("free", "", ""))));
        assertEquals(OK, verdict(billing("osp")));
        FakeLink holder = proves(dial("~3.0~safe~~"), "~3.0~safe~~", OLD);
        assertEquals(OK, verdict(holder));
    }

    /** A 3.0 peer answers the challenge for a secret. */
    private static FakeLink proves(FakeLink link, String hello, Secret secret) {
        byte[] sent = Bytes.of(link.received());
        Challenge challenge = Challenge.of(Arrays.copyOfRange(sent, 19, 51));
        String[] names = hello.split("~", -1);
        byte[] key = secret.key();
        link.arrives(
                Bytes.text(
                        names[1].equals("2.0")
                                ? challenge.answer(key)
                                : challenge.proof(
                                        key,
                                        new org.lrwp.protocol.Registration(
                                                org.lrwp.protocol.ProtocolVersion.LRWP_3,
                                                names[2],
                                                names[3]))));
        return link;
    }

    @Test
    void holderOfASecretRegistersItsContextAndWhatBelongsToNobody() {
        FakeLink link = proves(dial("~3.0~safe~~"), "~3.0~safe~~", OLD);
        greets(link);

        assertEquals("", registers(link, "safe/below"));
        assertEquals("", registers(link, "free"));
        assertEquals("ERROR: Application not permitted", registers(link, "osp"));
    }

    @Test
    void oldPeersAreIdentitiesByTheirNetworkOrTheirSecret() {
        var byAddress =
                new Identity(
                        "cgi",
                        new Identity.Proof.Address(),
                        scope("/cgi"),
                        List.of(Network.parse("10.0.0.0/8")),
                        0,
                        0,
                        100,
                        null);
        var bySecret = identity("old", new Identity.Proof.SharedSecret(OLD), "/old", "/safe");
        agent = agent(policy(true, byAddress, bySecret));

        assertEquals("OK", agent.dial("10.0.0.1", wire("cgi~~")).received());
        assertEquals("ERROR: Connection requires LRWP2 authentication", shown(dial("cgi~~")));
        assertEquals(OK, verdict(proves(dial("~2.0~old~~"), "~2.0~old~~", OLD)));
        assertEquals(WRONG, verdict(proves(dial("~2.0~old~~"), "~2.0~old~~", other())));
        assertEquals("ERROR: Connection requires LRWP2 authentication", shown(dial("old~~")));
        // It is a secret of LRWP 2 only.
        assertEquals("REJECTED~ERROR: Connection requires an identity~", shown(dial("~3.0~old~~")));
    }

    private static Secret other() {
        return new Secret(new byte[] {7});
    }

    @ParameterizedTest
    @CsvSource({
        "LRWP_2_0, free~~,        ERROR: LRWP version not permitted",
        "LRWP_2_0, ~2.0~free~~,   OK~",
        "LRWP_3_0, ~2.0~free~~,   REJECTED~ERROR: LRWP version not permitted~",
        "LRWP_3_0, ~3.0~free~~,   OK~",
        "LRWP_3_1, ~3.0~free~~,   REJECTED~ERROR: LRWP version not permitted~",
    })
    void olderVersionsThanTheLeastAreRefused(LeastVersion least, String hello, String verdict) {
        AccessPolicy open = AccessPolicy.OPEN;
        agent =
                agent(
                        new AccessPolicy(
                                false, least, Set.of(), Map.of(), null, List.of(), Map.of()));

        assertEquals(verdict, verdict(dial(hello)));
        assertEquals(OK, verdict(dial(hello("free", "", ""))));
        assertNotNull(open);
    }

    // ---- A change of the policy.

    @Test
    void identityThatIsRemovedIsDrainedAndAnotherIsNot() {
        agent = agent(policy(false, identity("other", keys(), "/other")));
        FakeLink gone = billing("osp");
        greets(gone);
        FakeLink stays = identified("127.0.0.1", "other", "other", "2026a", KEY_A);
        greets(stays);

        Map<String, Identity> left = Map.of("other", identity("other", keys(), "/other"));
        agent.agent().allow(with(left));
        agent.engine().loop().run();

        assertTrue(types(gone).contains(FrameType.DRAIN));
        assertEquals(List.of(), types(stays));
        assertEquals(OK, verdict(dial("~3.0~osp~~")));
    }

    private static AccessPolicy with(Map<String, Identity> identities) {
        return new AccessPolicy(
                false, LeastVersion.LRWP_1_0, Set.of(), Map.of(), null, List.of(), identities);
    }

    @Test
    void narrowerScopeAndAKeyThatIsTakenAwayDrainToo() {
        FakeLink osp = billing("osp");
        greets(osp);
        FakeLink tep = billing("tep/x");
        greets(tep);
        FakeLink other = identified("127.0.0.1", "osp", "billing", "2026b", KEY_B);
        greets(other);

        agent.agent().allow(with(Map.of("billing", identity("billing", keys(), "/osp"))));
        agent.engine().loop().run();
        assertTrue(types(tep).contains(FrameType.DRAIN));
        assertEquals(List.of(), types(osp));

        var rotated = new Identity.Proof.Credentials(Map.of("2026b", KEY_B), List.of(), Set.of());
        agent.agent().allow(with(Map.of("billing", identity("billing", rotated, "/osp"))));
        agent.engine().loop().run();
        assertTrue(types(osp).contains(FrameType.DRAIN));
        assertEquals(List.of(), types(other));
    }

    @Test
    void contextThatIsGivenToAnIdentityIsTakenFromTheOthers() {
        FakeLink squatter = dial("~3.0~free~~");
        greets(squatter);
        assertEquals("anonymous", owner("/free"));

        agent.agent().allow(with(Map.of("free", identity("free", keys(), "/free"))));
        agent.engine().loop().run();
        assertTrue(types(squatter).contains(FrameType.DRAIN));

        FakeLink rightful = identified("127.0.0.1", "free", "free", "2026a", KEY_A);
        assertEquals(OK, verdict(rightful));
        assertEquals("free", owner("/free"));
    }

    /** Else whoever has the root context would get its requests as long as its peers are away. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/osp",
                "/osp/x",
                "/osp/x.ext",
                "/tep/a/b",
                "/free/own/x",
                "/safe/x",
                "/a.php"
            })
    void whatBelongsToAnIdentityGoesToNobodyElseWhileItsPeersAreAway(String path) {
        agent = agent(policy(false, identity("php", keys(), ".php", "/free/own")));
        for (String context : List.of("/", ".ext", "free")) {
            greets(dial("~3.0~" + context + "~~"));
        }

        assertNull(agent.contexts().match("one.test", path));
        assertEquals("anonymous", owner("/other/x"));
        assertEquals("anonymous", owner("/ospx"));
        assertEquals("anonymous", owner("/a.ext"));
        assertEquals("anonymous", owner("/free/x"));

        greets(billing("osp"));
        assertEquals("billing", owner("/osp/x.ext"));
        assertNull(agent.contexts().match("", "/tep"));
        agent.agent().allow(AccessPolicy.OPEN);
        assertEquals("anonymous", owner("/tep"));
    }

    private String owner(String path) {
        @Nullable ContextMatch match = agent.contexts().match("", path);
        assertNotNull(match);
        return match.assistant().owner();
    }

    // ---- Guessing.

    @Test
    void wrongProofsCostTimeAndARightOneNever() {
        for (int i = 0; i < 10; i++) {
            assertEquals(WRONG, verdict(identified("127.0.0.1", "osp", "billing", "x", OTHER)));
        }
        FakeLink eleventh = identified("127.0.0.1", "osp", "billing", "2026a", OTHER);
        assertEquals("", verdict(eleventh));
        assertEquals(OK, verdict(billing("osp")));
        assertEquals(WRONG, verdict(identified("10.0.0.1", "osp", "billing", "x", OTHER)));
        agent.engine().pass(Duration.ofSeconds(1).minusNanos(1));
        assertEquals("", verdict(eleventh));
        agent.engine().pass(Duration.ofNanos(1));
        assertEquals(WRONG, verdict(eleventh));

        FakeLink twelfth = identified("127.0.0.1", "osp", "billing", "2026a", OTHER);
        agent.engine().pass(Duration.ofSeconds(2).minusNanos(1));
        assertEquals("", verdict(twelfth));
        agent.engine().pass(Duration.ofNanos(1));
        assertEquals(WRONG, verdict(twelfth));
    }

    @Test
    void minuteWithoutGuessesIsForgiven() {
        for (int i = 0; i < 12; i++) {
            identified("127.0.0.1", "osp", "billing", "x", OTHER);
        }
        agent.engine().pass(Duration.ofMinutes(1));
        identified("127.0.0.1", "osp", "billing", "x", OTHER);
        agent.engine().pass(Duration.ofMinutes(1));

        assertEquals(WRONG, verdict(identified("127.0.0.1", "osp", "billing", "x", OTHER)));
    }

    @Test
    void peerThatLeavesBeforeItsRefusalIsTakenDownOnceAndForgotten() {
        for (int i = 0; i < 10; i++) {
            identified("127.0.0.1", "osp", "billing", "x", OTHER);
        }
        FakeLink gone = identified("127.0.0.1", "osp", "billing", "x", OTHER);
        gone.ends();
        assertTrue(gone.isClosed());
        assertEquals(11, agent.audit().size());
        agent.engine().pass(Duration.ofMinutes(1));
        assertEquals("", gone.received());
        assertEquals(11, agent.audit().size());
        assertEquals("refused", agent.audit().getLast().word());
    }

    /** A peer gives no proof to a proxy that has another key: it would not be seen at all. */
    @Test
    void peerThatLeavesAtTheChallengeIsTakenDown() {
        FakeLink link = agent.dial("127.0.0.1", wire(hello("osp", "billing", "2026a")));
        link.ends();
        assertTrue(link.isClosed());
        assertEquals(1, agent.audit().size());
        assertTrue(agent.audit().getFirst().toString().contains("left at the challenge"));
    }

    // ---- Many registrations.

    @Test
    void registrationsAboveTheRateWaitForTheirAnswerAndNoneIsRefused() {
        agent = new AgentFixture(new PeerLimits(100, 100, 20, 10, 50, 2, 0), AccessPolicy.OPEN);
        FakeLink link = dial("~3.0~a~~");
        greets(link);

        assertEquals("", registers(link, "b"));
        sends(link, Frames.register(FrameType.REGISTER, new ContextName("c", "")));
        sends(link, Frames.register(FrameType.UNREGISTER, new ContextName("c", "")));
        sends(link, Frames.register(FrameType.REGISTER, new ContextName("d", "")));
        assertEquals(List.of(), types(link));
        agent.engine().pass(Duration.ofMillis(20));
        assertEquals(List.of(FrameType.REGISTERED, FrameType.REGISTERED), types(link));
        agent.engine().pass(Duration.ofMillis(20));
        assertEquals(List.of(FrameType.REGISTERED), types(link));
        assertEquals(
                List.of("/a", "/b", "/d"),
                agent.status().getFirst().contexts().stream().map(one -> one.context()).toList());
    }

    // ---- Frames.

    private static byte[] settings(int capacity) {
        return new PeerSettings("p", capacity, 65_536, 65_536, true, false, false).encode();
    }

    private void greets(FakeLink link) {
        sends(link, settings(1));
        link.received();
    }

    private void sends(FakeLink link, byte[] frame) {
        link.arrives(Bytes.text(frame));
        agent.engine().loop().run();
    }

    private String registers(FakeLink link, String context) {
        sends(link, Frames.register(FrameType.REGISTER, new ContextName(context, "")));
        List<Frame> answers = Frame.all(Bytes.of(link.received()));
        assertEquals(1, answers.size());
        String[] fields = answers.getFirst().text().split("\u00ff", -1);
        return fields[2];
    }

    private List<FrameType> types(FakeLink link) {
        agent.engine().loop().run();
        return Frame.all(Bytes.of(link.received())).stream()
                .map(frame -> FrameType.of(frame.type()))
                .toList();
    }
}
