package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.configuration.OspKeys;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.routing.CsvFolder;
import org.lrwp.osp.routing.DemoRoutes;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.osp.secure.SignedMessages;
import org.lrwp.osp.secure.SignedMessages.SignedMessage;
import org.lrwp.osp.testkit.Devices;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.osp.token.SigningIdentity;
import org.lrwp.osp.usage.UsageRecord;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.testkit.Configurations;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Who asks is decided by what is proven, not by what is said. */
final class DeviceIdentityTest {
    private static final String PLAIN = "text/plain";

    @TempDir Path folder = Path.of("");

    @BeforeEach
    void writeTables() throws Exception {
        DemoRoutes.write(folder.resolve("routes"));
        devices("any,*,,,", "seven,*,1000,7,yes", "eight,*,1000,8,no", "nine,192.0.2.9,,,yes");
    }

    /** 405: the row of eight is not enrolled. */
    @ParameterizedTest
    @CsvSource({
        "1000, 7, '', 200",
        "1000, 8, '', 405",
        "1000, 7, 8, 200",
        "1000, 8, 7, 405",
        "2000, 7, 7, 401",
        "1000, 6, 7, 401",
        "1000, 6, '', 401"
    })
    void theCertificateDecidesWhichDeviceAsks(
            String customer, String certified, String said, String code) throws Exception {
        String ids =
                said.isEmpty()
                        ? ""
                        : "<CustomerId>1000</CustomerId><DeviceId>%s</DeviceId>".formatted(said);

        assertEquals(code, signed(customer, certified, ids));
    }

    @Test
    void theCertificateThatAConnectionHasShownDecidesToo() throws Exception {
        OspServerFixture server = server("messages.signed=accept");
        SigningIdentity seven = Devices.device("1000", "7");
        SigningIdentity eight = Devices.device("1000", "8");
        byte[] asEight = asking("<DeviceId>8</DeviceId>").getBytes(StandardCharsets.UTF_8);
        SigningIdentity stranger = new IdentityGenerator(Tokens.CLOCK).generate(KeyKind.ECDSA);

        assertEquals("200", code(server.postShowing(seven.certificate(), PLAIN, asEight)));
        assertEquals("405", code(server.postShowing(eight.certificate(), PLAIN, asEight)));
        assertEquals(401, server.postShowing(stranger.certificate(), PLAIN, asEight).status());

        SignedMessage signed = Devices.form(eight, Tokens.identity()).sign(asEight);
        assertEquals(
                401,
                server.postShowing(seven.certificate(), signed.contentType(), signed.body())
                        .status());
    }

    @Test
    void aDeviceThatHasSignedDoesNotBecomeAnotherByAnAddress() throws Exception {
        String address = "<SourceAlternate type='transport'>[192.0.2.9]</SourceAlternate>";

        assertEquals("401", signed("1000", "6", address));
        assertEquals("405", signed("1000", "8", address));
    }

    @Test
    void theDemosRowIsTakenFromThisMachineOnly() throws Exception {
        devices("any,*,,,");
        OspServerFixture open = server("messages.plain-from=all");

        assertEquals("200", code(open.postFrom("127.0.0.1", asking(""))));
        assertEquals("200", code(open.postFrom("::1", asking("<Role>source</Role>"))));
        assertEquals("401", code(open.postFrom("192.0.2.7", asking(""))));
    }

    @Test
    void anAnonymousMessageFromElsewhereGetsNothingUnlessItsNetworkIsTrusted() throws Exception {
        String asNine = asking("<SourceAlternate type='transport'>[192.0.2.9]</SourceAlternate>");
        OspServerFixture usual = server("messages.remembered=0");
        OspServerFixture both = server("messages.plain-from=loopback, 192.0.2.0/24");
        OspServerFixture told = server("messages.plain-from=192.0.2.0/24,2001:db8::1");

        PeerResponse refused = usual.postFrom("192.0.2.9", asNine);
        assertEquals(401, refused.status());
        assertEquals(
                "only signed messages are taken from this address\n",
                OspServerFixture.text(refused));
        assertEquals("200", code(told.postFrom("192.0.2.9", asNine)));
        assertEquals("200", code(told.postFrom("2001:db8::1", asNine)));
        assertEquals("200", code(both.postFrom("192.0.2.9", asNine)));
        assertEquals("200", code(both.postFrom("127.0.0.1", asNine)));
        assertEquals(401, both.postFrom("198.51.100.1", asNine).status());
        assertEquals(401, told.postFrom("198.51.100.1", asNine).status());
        assertEquals(401, told.postFrom("127.0.0.1", asNine).status());
    }

    @Test
    void usageIsOfTheDeviceThatHasSignedIt() {
        Element usage =
                Element.of(
                        "UsageIndication",
                        Element.leaf("CustomerId", "1000"),
                        Element.leaf("DeviceId", "8"));
        Sender seven = Sender.REMOTE.proving(new Sender.Device("2000", "7"));

        UsageRecord plain = UsageRecord.of(usage, Sender.LOCAL, Tokens.NOW);
        UsageRecord signed = UsageRecord.of(usage, seven, Tokens.NOW);

        assertEquals("1000 8", plain.customer() + " " + plain.device());
        assertEquals("2000 7", signed.customer() + " " + signed.device());
    }

    private String signed(String customer, String id, String rest) throws Exception {
        SignedMessages form = Devices.form(Devices.device(customer, id), Tokens.identity());
        SignedMessage question =
                form.sign(
                        asking("<Timestamp>2026-11-20T07:28:35Z</Timestamp>" + rest)
                                .getBytes(StandardCharsets.UTF_8));
        PeerResponse answer =
                server("messages.signed=require").post(question.contentType(), question.body());
        assertEquals(200, answer.status(), () -> OspServerFixture.text(answer));
        String contentType = answer.headers().getFirst().value();
        return OspServerFixture.code(
                new MessageReader()
                        .read(form.open(contentType, answer.body()).message())
                        .components()
                        .getFirst());
    }

    private static String asking(String rest) {
        return OspServerFixture.authorisation("1678", 1, rest);
    }

    private static String code(PeerResponse answer) throws Exception {
        assertTrue(answer.status() == 200, () -> OspServerFixture.text(answer));
        return OspServerFixture.code(
                new MessageReader().read(answer.body()).components().getFirst());
    }

    private void devices(String... rows) throws Exception {
        Files.writeString(
                folder.resolve("routes/devices.csv"),
                "name,address,customer,device,enrolled\n" + String.join("\n", rows));
    }

    private OspServerFixture server(String... settings) throws Exception {
        OspConfiguration configuration =
                OspConfiguration.of(Configurations.of(OspKeys.all(), settings));
        RoutingDesk desk =
                new RoutingDesk(
                        new CsvFolder(folder.resolve("routes")),
                        new RoutingDesk.Setup(
                                configuration.routing(), new Random(1), () -> 0, line -> {}));
        return new OspServerFixture(configuration, desk.routing());
    }
}
