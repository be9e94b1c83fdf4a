package org.lrwp.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.engine.identity.AccessPolicy;
import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.identity.ContextPattern;
import org.lrwp.engine.identity.Identity;
import org.lrwp.engine.identity.LeastVersion;
import org.lrwp.engine.identity.Scope;
import org.lrwp.engine.testkit.FakeLink;
import org.lrwp.engine.transport.LinkSecurity;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.KeyChallenge;
import org.lrwp.sdk.tls.PemFile;
import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.TestAuthority;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** Peers inside TLS whose certificate says who they are. {@code ~} stands for FF. */
class CertificateIdentityTest {
    private static final IdentityKey KEY = IdentityKey.random(new Random(1));
    private static final String HASH = "ab".repeat(32);
    private static final String NOT_PERMITTED = "REJECTED~ERROR: Application not permitted~";

    @TempDir static Path folder;
    private static X509Certificate billing;
    private static X509Certificate spiffe;
    private static X509Certificate stranger;

    @BeforeAll
    static void issue() throws IOException {
        var authority = new TestAuthority(folder, "authority");
        billing = read(authority.issue("billing"));
        stranger = read(authority.issue("stranger"));
        spiffe = read(authority.issueForUri("workload", "spiffe://example.org/billing"));
    }

    private static X509Certificate read(TestAuthority.Issued issued) throws IOException {
        return PemFile.certificates(issued.certificate()).getFirst();
    }

    private static AgentFixture agent(String... patterns) {
        List<CertificatePattern> certificates =
                Arrays.stream(patterns).map(CertificatePattern::parse).toList();
        return agent(
                identity(
                        "billing",
                        new Identity.Proof.Credentials(Map.of(), certificates, Set.of())));
    }

    private static AgentFixture agent(Identity... identities) {
        var policy =
                new AccessPolicy(
                        true,
                        LeastVersion.LRWP_1_0,
                        Set.of(),
                        Map.of(),
                        null,
                        List.of(),
                        Arrays.stream(identities)
                                .collect(Collectors.toMap(Identity::name, one -> one)));
        return new AgentFixture(AgentFixture.limits(100, 100), policy);
    }

    private static Identity identity(String name, Identity.Proof proof) {
        var scope = new Scope(List.of(ContextPattern.parse("/osp")), Set.of());
        return new Identity(name, proof, scope, List.of(), 0, 0, 100, null);
    }

    private static String dial(AgentFixture agent, X509Certificate shown, String hello) {
        return shown(agent.dial(security(shown), hello.replace('~', '\u00ff')));
    }

    private static LinkSecurity security(X509Certificate shown) {
        return new LinkSecurity(List.of(shown), HASH, "lrwp/3");
    }

    private static String shown(FakeLink link) {
        return link.received().replace('\u00ff', '~');
    }

    @Test
    void itsHolderRegistersWhatTheIdentityMayAndNothingElse() {
        AgentFixture agent = agent("CN=billing");
        assertTrue(dial(agent, billing, "~3.0~osp~~").startsWith("OK~"));
        assertEquals(NOT_PERMITTED, dial(agent, billing, "~3.0~other~~"));
        assertEquals(
                "REJECTED~ERROR: Connection requires an identity~",
                dial(agent, stranger, "~3.0~osp~~"));
    }

    @Test
    void theAuditLogNamesIdentityAndCertificate() {
        AgentFixture agent = agent("CN=billing");
        dial(agent, billing, "~3.0~osp~~");
        var actor = agent.audit().getFirst().actor();
        assertEquals("billing", actor.identity());
        assertEquals(CertificatePattern.fingerprint(billing), actor.certificate());
    }

    @Test
    void whoIsRefusedIsNamedByItsCertificate() {
        AgentFixture agent = agent("CN=billing");
        dial(agent, billing, "~3.0~other~~");
        dial(agent, billing, "~3.0~-/status~~");
        dial(agent, stranger, "~3.0~osp~~");
        assertEquals(
                List.of("billing", "billing", "anonymous"),
                agent.audit().stream().map(one -> one.actor().identity()).toList());
    }

    @Test
    void aUriOrAHashWillDoToo() {
        String hash = CertificatePattern.fingerprint(stranger);
        AgentFixture agent = agent("spiffe://example.org/billing", "sha256:" + hash);
        assertTrue(dial(agent, spiffe, "~3.0~osp~~").startsWith("OK~"));
        assertTrue(dial(agent, stranger, "~3.0~osp~~").startsWith("OK~"));
        assertFalse(dial(agent, billing, "~3.0~osp~~").startsWith("OK~"));
    }

    @Test
    void aKeyAndACertificateMustNameTheSameIdentity() {
        var certificates = List.of(CertificatePattern.parse("CN=billing"));
        AgentFixture agent =
                agent(
                        identity(
                                "billing",
                                new Identity.Proof.Credentials(Map.of(), certificates, Set.of())),
                        identity(
                                "other",
                                new Identity.Proof.Credentials(
                                        Map.of("2026a", KEY), List.of(), Set.of())));
        assertTrue(withKey(agent, stranger).startsWith("OK~"));
        assertTrue(withKey(agent, billing).startsWith("REJECTED~"));
    }

    /** What a peer hears that shows a certificate and proves the key of "other". */
    private static String withKey(AgentFixture agent, X509Certificate shown) {
        String hello = "~3.1~osp~~other~2026a~" + "0a".repeat(32) + "~";
        FakeLink link = agent.dial(security(shown), hello.replace('~', '\u00ff'));
        byte[] sent = Bytes.of(link.received());
        KeyChallenge challenge = KeyChallenge.of(Arrays.copyOfRange(sent, 19, 83));
        var seen =
                new KeyChallenge.Seen(
                        Bytes.of(hello.replace('~', '\u00ff')), HexFormat.of().parseHex(HASH));
        link.arrives(Bytes.text(challenge.answer(KEY, seen)));
        // The challenge is taken already.
        return shown(link);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CN=", "billing", "sha256:12", "spiffe:", "CN= "})
    void whatIsNoPatternIsNamed(String text) {
        var fault =
                assertThrows(IllegalArgumentException.class, () -> CertificatePattern.parse(text));
        assertTrue(String.valueOf(fault.getMessage()).contains("is none of: CN=name"));
    }
}
