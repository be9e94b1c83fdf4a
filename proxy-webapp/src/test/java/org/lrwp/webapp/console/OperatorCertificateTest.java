package org.lrwp.webapp.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lrwp.webapp.steering.OperatedProxy.text;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.steering.OperatedProxy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An operator acts by the certificate that his client shows. */
class OperatorCertificateTest {
    @TempDir static Path folder;

    private static byte[] erika;
    private static byte[] device;
    private static byte[] ended;

    private OperatedProxy proxy;

    @BeforeAll
    static void issue() throws Exception {
        var authority = new TestAuthority(Files.createDirectory(folder.resolve("ca")), "ours");
        erika = der(authority.issue("erika"));
        device = der(authority.issue("device"));
        ended = der(authority.issueExpired("ended"));
    }

    private static byte[] der(TestAuthority.Issued issued) throws Exception {
        try (InputStream in = Files.newInputStream(issued.certificate())) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in).getEncoded();
        }
    }

    @BeforeEach
    void setUp() throws Exception {
        proxy = new OperatedProxy(false);
        proxy.certify("erika.m", CertificatePattern.parse("CN=erika"));
    }

    @AfterEach
    void tearDown() {
        proxy.close();
    }

    private int drain(byte[] certificate, String... fields) throws Exception {
        return proxy.api(certificate, "POST", "peers/nobody/drain", "", fields).status();
    }

    @Test
    void certificateIsEnoughForTheApiAndIsInTheAuditLog() throws Exception {
        OwnPages.Answer set =
                proxy.api(
                        erika,
                        "PUT",
                        "configuration/context.grace",
                        "{\"value\":\"9s\"}",
                        "Content-Type",
                        "application/json");

        assertEquals(200, set.status(), text(set));
        AuditEvent done = proxy.audited().getLast();
        assertEquals("erika.m", done.actor().identity());
        assertEquals(64, done.actor().certificate().length());
        assertEquals(404, drain(erika));
    }

    @Test
    void otherCertificatesThatTlsTrustsAreNobodys() throws Exception {
        OwnPages.Answer answer = proxy.api(device, "POST", "peers/nobody/drain", "");

        assertEquals(403, answer.status());
        assertTrue(text(answer).contains("the certificate of an operator"), text(answer));
        AuditEvent refused = proxy.audited().getLast();
        assertEquals("refused", refused.word());
        assertEquals("anonymous", refused.actor().identity());
    }

    /** TLS has let it in, when it was in force: a connection may last for long. */
    @Test
    void aCertificateThatHasEndedSinceIsNobodys() throws Exception {
        proxy.certify("erika.m", CertificatePattern.parse("CN=ended"));

        assertEquals(403, drain(ended));
    }

    @Test
    void whatAPageHasABrowserSendCountsForNothing() throws Exception {
        assertEquals(403, drain(erika, "Origin", "https://evil.test"));
        assertEquals(403, drain(erika, "Sec-Fetch-Site", "cross-site"));
        assertEquals(403, drain(erika, "Sec-Fetch-Site", "same-site"));
        assertEquals(403, drain(erika, "Sec-Fetch-Site", "same-origin"));
        assertEquals(404, drain(erika, "Sec-Fetch-Site", "none"));
    }

    @Test
    void wrongTokenIsNotMendedByACertificate() throws Exception {
        try (var both = new OperatedProxy(true)) {
            both.certify("erika", CertificatePattern.parse("CN=erika"));

            String path = "peers/nobody/drain";
            OwnPages.Answer answer =
                    both.api(erika, "POST", path, "", "Authorization", "Bearer wrong");

            assertEquals(401, answer.status());
        }
    }

    @Test
    void operatorLogsInWithoutATokenAndStaysAsLongAsHeShowsTheCertificate() throws Exception {
        String stranger = text(proxy.console(device, "GET", "", ""));
        assertTrue(stranger.contains("nobody may act here"), stranger);
        assertTrue(text(proxy.console(erika, "GET", "", "")).contains("Log in as erika.m"));

        OwnPages.Answer in = proxy.console(erika, "POST", "login", "");

        assertEquals(303, in.status());
        String cookie = OperatedProxy.field(in, "Set-Cookie");
        assertTrue(cookie.endsWith("; HttpOnly; SameSite=Strict; Secure"), cookie);
        String pair = cookie.substring(0, cookie.indexOf(';'));
        String page = text(proxy.console(erika, "GET", "", "", "Cookie", pair));
        Matcher secret = Pattern.compile("name=\"form\" value=\"([^\"]+)\"").matcher(page);
        assertTrue(secret.find(), page);
        String set = "form=" + secret.group(1) + "&subject=context.grace&value=9s";
        assertEquals(403, proxy.console(device, "POST", "set", set, "Cookie", pair).status());
        assertEquals(403, proxy.console("POST", "set", set, "Cookie", pair).status());
        assertEquals(303, proxy.console(erika, "POST", "set", set, "Cookie", pair).status());
        assertEquals("erika.m", proxy.audited().getLast().actor().identity());

        proxy.certify("max", CertificatePattern.parse("CN=erika"));
        assertEquals(403, proxy.console(erika, "POST", "set", set, "Cookie", pair).status());
    }

    @Test
    void whoHasNoCertificateOfAnOperatorDoesNotLogIn() throws Exception {
        OwnPages.Answer answer = proxy.console(device, "POST", "login", "");

        assertEquals(403, answer.status());
        assertFalse(text(answer).contains("Log out"), text(answer));
    }
}
