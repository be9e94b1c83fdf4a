import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.PeerTimes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The test peer of peers/conformance: what it does is in docs/protocol.md, section 19. */
final class Conformance {
    private static final HeaderField TEXT = new HeaderField("Content-Type", "text/plain");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Shorter waits than the defaults: a proxy that is played goes away again and again. */
    private static final PeerTimes TIMES =
            PeerTimes.defaults()
                    .withRetry(Duration.ofMillis(50), Duration.ofSeconds(1))
                    .withWaits(Duration.ofSeconds(5), Duration.ofSeconds(5), MINUTE);

    private static LrwpPeer peer;

    public static void main(String[] arguments) throws Exception {
        peer =
                Options.peer(arguments, Conformance::handle)
                        .stream(true)
                        .upgrades("echo")
                        .times(TIMES)
                        .admit(head -> head.pathInfo().equals("/refuse") ? "not here" : null)
                        .connect();
        Runtime.getRuntime().addShutdownHook(new Thread(Conformance::leave));
        peer.awaitClosed();
    }

    private static void leave() {
        peer.close();
        Runtime.getRuntime().halt(0); // a JVM that a signal ends says 143 otherwise
    }

    private static PeerResponse handle(PeerRequest request) throws Exception {
        String path = request.pathInfo();
        return switch (path) {
            case "/bytes" -> PeerResponse.of("text/plain", bytes(0, number(request, "n")));
            case "/env" -> text(request.environment().getOrDefault(request.query(), ""));
            case "/stream" -> PeerResponse.streamed("text/plain", out -> stream(request, out));
            case "/slow" -> slow(request);
            case "/fields" ->
                    text("fields\n")
                            .with("X-One", "1")
                            .with("Set-Cookie", "a=1")
                            .with("Set-Cookie", "b=2");
            case "/unread" -> text("unread\n");
            case "/fail" -> throw new IllegalStateException("the handler fails");
            case "/fail/value" -> text("x").with("X-Value", "a\r\nSet-Cookie: stolen=1");
            case "/fail/name" -> text("x").with("X Value", "a");
            case "/fail/late" -> PeerResponse.streamed("text/plain", Conformance::failLate);
            case "/upgrade", "/upgrade/close" -> upgrade(request);
            case "/capacity" -> capacity(request);
            default -> path.startsWith("/status/") ? status(path) : echo(request);
        };
    }

    /** Bytes of which the byte at i is i modulo 251. */
    private static byte[] bytes(int begin, int count) {
        byte[] made = new byte[count];
        for (int i = 0; i < count; i++) {
            made[i] = (byte) ((begin + i) % 251);
        }
        return made;
    }

    private static PeerResponse text(String text) {
        return new PeerResponse(200, List.of(TEXT), text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A number of the query; 0 when it is not there. */
    private static int number(PeerRequest request, String name) {
        for (String part : request.query().split("&")) {
            if (part.startsWith(name + "=")) {
                return Integer.parseInt(part.substring(name.length() + 1));
            }
        }
        return 0;
    }

    private static PeerResponse echo(PeerRequest request) {
        String line = request.method() + " " + request.pathInfo() + "\n";
        return PeerResponse.streamed(
                "text/plain",
                out -> {
                    out.write(line.getBytes(StandardCharsets.ISO_8859_1));
                    request.body().transferTo(out);
                });
    }

    private static PeerResponse status(String path) {
        return new PeerResponse(
                Integer.parseInt(path.substring("/status/".length())), List.of(TEXT), new byte[0]);
    }

    private static void stream(PeerRequest request, OutputStream out) throws Exception {
        int size = number(request, "size");
        for (int i = 0; i < number(request, "n"); i++) {
            if (i > 0) {
                TimeUnit.MILLISECONDS.sleep(number(request, "ms"));
            }
            out.write(bytes(i * size, size));
            out.flush();
        }
    }

    private static PeerResponse slow(PeerRequest request) throws InterruptedException {
        System.out.println("began");
        try {
            TimeUnit.SECONDS.sleep(30); // interrupted when the request is cancelled
        } catch (InterruptedException e) {
            Thread.sleep(number(request, "linger"));
            System.out.println("cancelled");
            throw e;
        }
        return text("done\n");
    }

    private static void failLate(OutputStream out) throws IOException {
        out.write("begun\n".getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        throw new IllegalStateException("the handler fails late");
    }

    private static PeerResponse upgrade(PeerRequest request) {
        if (!request.offers("echo")) {
            return PeerResponse.text(426, "this is for echo\n");
        }
        boolean closes = request.pathInfo().equals("/upgrade/close");
        return PeerResponse.upgraded(
                "echo",
                List.of(),
                (in, out) -> {
                    if (closes) {
                        out.write("bye".getBytes(StandardCharsets.ISO_8859_1));
                        return;
                    }
                    byte[] part = new byte[16_384];
                    for (int n = in.read(part); n >= 0; n = in.read(part)) {
                        out.write(part, 0, n);
                        out.flush();
                    }
                });
    }

    private static PeerResponse capacity(PeerRequest request) {
        int back = number(request, "ms");
        peer.concurrency(number(request, "n"));
        if (back > 0) {
            CompletableFuture.delayedExecutor(back, TimeUnit.MILLISECONDS)
                    .execute(() -> peer.concurrency(64));
        }
        return text("done\n");
    }
}
