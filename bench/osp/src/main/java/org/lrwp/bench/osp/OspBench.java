package org.lrwp.bench.osp;

import org.lrwp.osp.CallListener;
import org.lrwp.osp.OspServer;
import org.lrwp.osp.Trust;
import org.lrwp.osp.cdr.CdrDatabase;
import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.replay.TakenOnce;
import org.lrwp.osp.routing.CsvFolder;
import org.lrwp.osp.routing.DemoRoutes;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.osp.routing.TableRouting;
import org.lrwp.osp.secure.DeviceTrust;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.token.CryptoProvider;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.osp.token.KeyRing;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.Revocations;
import org.lrwp.osp.token.SigningPool;
import org.lrwp.osp.token.TokenSigner;
import org.lrwp.osp.usage.UsageKeeper;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.RequestHead;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures one part of the OSP server for a time and prints a line: how many, and processor time of
 * the whole process for each.
 */
public final class OspBench {
    /** Signatures that are asked for at once, as for an answer of so many destinations. */
    private static final int TOGETHER = 8;

    /** Bytes of an XML token's terms. */
    private static final int TERMS = 420;

    /** Gateways that report usage at once. */
    private static final int GATEWAYS = 64;

    private static final String NUMBER = "2111133232";

    /** As the peer's default; here nothing is repeated. */
    private static final int KNOWN_REPEATS = 65_536;

    private OspBench() {}

    /**
     * Measures.
     *
     * @param arguments {@code signatures PROVIDER KIND SECONDS}, {@code answers FOLDER MESSAGE
     *     SECONDS WARM} or {@code usages FOLDER MESSAGE SECONDS WARM}; FOLDER is an empty one, WARM
     *     are the seconds before it is measured: the compiler works for about as long
     * @throws Exception when something cannot be measured, with its reason
     */
    public static void main(String[] arguments) throws Exception {
        double seconds = Double.parseDouble(arguments[3]);
        switch (arguments[0]) {
            case "signatures" -> signatures(arguments[1], arguments[2], seconds);
            case "answers" -> answers(folder(arguments), message(arguments), spans(arguments));
            case "usages" -> usages(folder(arguments), message(arguments), spans(arguments));
            default -> throw new IllegalArgumentException("there is no part " + arguments[0]);
        }
    }

    private static Path folder(String[] arguments) {
        return Path.of(arguments[1]);
    }

    private static Path message(String[] arguments) {
        return Path.of(arguments[2]);
    }

    private static Meter.Spans spans(String[] arguments) {
        return new Meter.Spans(Double.parseDouble(arguments[4]), Double.parseDouble(arguments[3]));
    }

    private static void signatures(String provider, String kind, double seconds) throws Exception {
        KeyKind key = KeyKind.valueOf(kind.toUpperCase(Locale.ROOT));
        TokenSigner signer =
                new TokenSigner(
                        new IdentityGenerator(InstantSource.system()).generate(key),
                        CryptoProvider.parse(provider).provider());
        byte[] content = new byte[TERMS];
        List<Callable<byte[]>> tasks = new ArrayList<>();
        for (int i = 0; i < TOGETHER; i++) {
            tasks.add(() -> signer.sign(content, true, false));
        }
        try (SigningPool pool =
                new SigningPool(Runtime.getRuntime().availableProcessors(), 10 * TOGETHER)) {
            Meter.measure(
                    "signatures", new Meter.Spans(seconds, seconds), () -> pool.all(tasks).size());
        }
    }

    private static void answers(Path folder, Path message, Meter.Spans spans) throws Exception {
        byte[] bytes = Files.readAllBytes(message);
        RoutingDesk desk = desk(folder);
        try (OspServer server =
                server(folder, desk.routing(), CallListener.NONE, usage -> () -> {})) {
            Meter.measure("answers", spans, () -> post(server, bytes));
        }
    }

    /** Every message is another one: what is sent twice is stored once. */
    private static void usages(Path folder, Path message, Meter.Spans spans) throws Exception {
        String text = Files.readString(message);
        RoutingDesk desk = desk(folder);
        CdrStore.Settings settings =
                new CdrStore.Settings(
                        new CdrDatabase.Address("jdbc:sqlite:" + folder.resolve("osp.db"), "", ""),
                        Integer.MAX_VALUE,
                        KNOWN_REPEATS,
                        Duration.ZERO);
        try (ExecutorService gateways = Executors.newVirtualThreadPerTaskExecutor()) {
            long first = 1_000_000_000L;
            for (boolean measured : new boolean[] {false, true}) {
                // Both end with all records in the database.
                CdrStore store =
                        new CdrStore(
                                folder.resolve("journal"),
                                settings,
                                InstantSource.system(),
                                System.err::println);
                Meter meter = new Meter();
                long count;
                try (store;
                        OspServer server =
                                server(folder, desk.routing(), CallListener.NONE, store)) {
                    double seconds = measured ? spans.measured() : spans.warm();
                    count = report(gateways, server, text, first, seconds);
                }
                System.out.println(meter.read(measured ? "usages" : "warm-up", count));
                first += count * GATEWAYS;
            }
        }
    }

    private static long report(
            ExecutorService gateways, OspServer server, String text, long first, double seconds)
            throws Exception {
        List<Future<Long>> counts = new ArrayList<>();
        for (int i = 0; i < GATEWAYS; i++) {
            long[] number = {first + i};
            counts.add(
                    gateways.submit(
                            () ->
                                    Meter.repeat(
                                            seconds,
                                            () -> {
                                                number[0] += GATEWAYS;
                                                return post(server, numbered(text, number[0]));
                                            })));
        }
        long count = 0;
        for (Future<Long> each : counts) {
            count += each.get();
        }
        return count;
    }

    private static byte[] numbered(String text, long number) {
        return text.replace(NUMBER, Long.toString(number)).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Posts a message as the proxy would bring it. */
    private static int post(OspServer server, byte[] bytes) throws IOException {
        Map<String, String> environment =
                Map.of(
                        "REMOTE_ADDR", "127.0.0.1",
                        "REQUEST_METHOD", "POST",
                        "CONTENT_TYPE", "text/plain",
                        "CONTENT_LENGTH", Integer.toString(bytes.length));
        PeerRequest request =
                PeerRequest.of(RequestHead.of(environment), new ByteArrayInputStream(bytes));
        PeerResponse response = server.handler().handle(request);
        if (response.status() != 200) {
            throw new IOException("HTTP status " + response.status());
        }
        return 1;
    }

    private static RoutingDesk desk(Path folder) throws Exception {
        DemoRoutes.write(folder.resolve("routes"));
        return new RoutingDesk(
                new CsvFolder(folder.resolve("routes")),
                new RoutingDesk.Setup(
                        configuration(folder).routing(),
                        new SecureRandom(),
                        System::nanoTime,
                        line -> {}));
    }

    private static OspConfiguration configuration(Path folder) throws Exception {
        return OspConfiguration.read(
                Files.writeString(
                        folder.resolve("properties"),
                        "token.kind=xml-unsigned\nmessages.remembered=0"));
    }

    private static OspServer server(
            Path folder, TableRouting routing, CallListener calls, UsageKeeper keeper)
            throws Exception {
        // Unsigned tokens want no key, so the kind that is made fastest.
        Keys keys =
                new Keys(
                        KeyRing.of(
                                new IdentityGenerator(InstantSource.system())
                                        .generate(KeyKind.ECDSA),
                                List.of()));
        Revocations none = Revocations.of(Optional.empty(), line -> {});
        return new OspServer(
                new OspServer.Ground(
                        configuration(folder),
                        new Trust(
                                keys,
                                new DeviceTrust(List.of(), none),
                                none,
                                (kind, content, until) -> TakenOnce.Outcome.FIRST),
                        routing,
                        calls,
                        keeper,
                        InstantSource.system(),
                        new SecureRandom()),
                new CallCounters());
    }
}
