package org.lrwp.osp;

import org.bouncycastle.cert.X509CertificateHolder;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.MalformedMessageException;
import org.lrwp.osp.message.Message;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.routing.Routing;
import org.lrwp.osp.secure.DeviceTrust;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.statistics.CallReport;
import org.lrwp.osp.testkit.DemoTables;
import org.lrwp.osp.testkit.Devices;
import org.lrwp.osp.testkit.PostedMessage;
import org.lrwp.osp.testkit.TakenInMemory;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.Revocations;
import org.lrwp.sdk.PeerResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A server with a fixed clock and what it answers. */
final class OspServerFixture {
    private final CallCounters counters = new CallCounters();
    private final OspHandler handler;

    OspServerFixture() {
        this(OspConfiguration.usual(), demo());
    }

    OspServerFixture(OspConfiguration configuration, Routing routing) {
        this(configuration, routing, new Keys(KeyRing.of(Tokens.identity(), List.of())));
    }

    OspServerFixture(OspConfiguration configuration, Routing routing, Keys keys) {
        this(configuration, routing, keys, Tokens.CLOCK);
    }

    OspServerFixture(
            OspConfiguration configuration, Routing routing, Keys keys, InstantSource clock) {
        OspServer.Ground ground =
                new OspServer.Ground(
                        configuration,
                        trust(keys),
                        routing,
                        CallListener.NONE,
                        usage -> () -> {},
                        clock,
                        new Random(4711));
        handler = new OspServer(ground, counters).handler();
    }

    /** The tokens' keys, and the devices of the tests. */
    static Trust trust(Keys keys) {
        Revocations none = Devices.noneRevoked();
        return new Trust(
                keys,
                new DeviceTrust(List.of(Devices.authority().certificate()), none),
                none,
                new TakenInMemory());
    }

    /** The routing of the public test server. */
    static Routing demo() {
        return DemoTables.desk(OspConfiguration.usual().routing()).routing();
    }

    PeerResponse post(String body) throws IOException {
        return post(body.getBytes(StandardCharsets.UTF_8));
    }

    PeerResponse post(byte[] body) throws IOException {
        return handler.handle(PostedMessage.of("POST", body));
    }

    PeerResponse post(String contentType, byte[] body) throws IOException {
        return handler.handle(PostedMessage.of("POST", contentType, body));
    }

    PeerResponse postFrom(String address, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return handler.handle(PostedMessage.of("POST", "text/plain", address, bytes));
    }

    /** From elsewhere, by a connection that has shown a certificate. */
    PeerResponse postShowing(X509CertificateHolder shown, String contentType, byte[] body)
            throws IOException {
        String text = Base64.getEncoder().encodeToString(shown.getEncoded());
        return handler.handle(
                PostedMessage.of(
                        "POST", contentType, "192.0.2.7", Map.of("SSL_CLIENT_CERT", text), body));
    }

    PeerResponse request(String method) throws IOException {
        return handler.handle(PostedMessage.of(method, new byte[0]));
    }

    /** Posts one message and reads the answer. */
    Message answer(String body) throws IOException, MalformedMessageException {
        PeerResponse response = post(body);
        if (response.status() != 200) {
            throw new AssertionError("HTTP status " + response.status() + ": " + text(response));
        }
        return new MessageReader().read(response.body());
    }

    /** Posts one message of one component and returns the component that answers. */
    Element onlyAnswer(String body) throws IOException, MalformedMessageException {
        List<Element> components = answer(body).components();
        if (components.size() != 1) {
            throw new AssertionError(components.size() + " components");
        }
        return components.getFirst();
    }

    String totals() {
        List<String> lines = new ArrayList<>();
        new CallReport(counters, () -> 0, lines::add).end();
        return lines.getLast();
    }

    static String text(PeerResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    static String code(Element component) {
        return component.children("Status").getFirst().childText("Code").orElse("");
    }

    static String description(Element component) {
        return component.children("Status").getFirst().childText("Description").orElse("");
    }

    static String message(String components) {
        return "<?xml version='1.0'?><Message messageId='31' random='5'>"
                + components
                + "</Message>";
    }

    static String authorisation(String called, int callIds, String rest) {
        StringBuilder ids = new StringBuilder();
        for (int i = 0; i < callIds; i++) {
            ids.append("<CallId>").append((char) ('a' + i)).append("</CallId>");
        }
        return message(
                "<AuthorizationRequest componentId='30'>"
                        + ids
                        + "<SourceInfo type='e164'>14048724799</SourceInfo>"
                        + "<DestinationInfo type='e164'>"
                        + called
                        + "</DestinationInfo>"
                        + rest
                        + "</AuthorizationRequest>");
    }
}
