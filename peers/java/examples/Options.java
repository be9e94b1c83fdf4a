import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.PeerEvent;
import org.lrwp.sdk.RequestHandler;
import org.lrwp.sdk.tls.PeerTls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The command line that all examples share. */
final class Options {
    private static volatile String version = "3.0";

    private Options() {}

    static PeerBuilder peer(String[] arguments, RequestHandler handler) throws IOException {
        PeerBuilder peer = LrwpPeer.builder().handler(handler).listener(Options::print);
        if (arguments.length % 2 != 0) {
            throw usage();
        }
        Map<String, String> trust = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            String value = arguments[i + 1];
            switch (arguments[i]) {
                case "--proxy" -> peer.proxy(value);
                case "--context" -> peer.context(value);
                case "--concurrency" -> peer.concurrency(Integer.parseInt(value));
                case "--secret-file" -> peer.secret(Files.readString(Path.of(value)).strip());
                case "--identity", "--key-id", "--key-file" -> trust.put(arguments[i], value);
                case "--ca-file", "--certificate", "--certificate-key" ->
                        trust.put(arguments[i], value);
                default -> throw usage();
            }
        }
        return trusting(peer, trust);
    }

    private static PeerBuilder trusting(PeerBuilder peer, Map<String, String> trust) {
        if (trust.containsKey("--identity")) {
            Path key = Path.of(trust.getOrDefault("--key-file", ""));
            peer.identity(trust.get("--identity"), trust.getOrDefault("--key-id", ""), key);
        }
        if (trust.containsKey("--ca-file")) {
            PeerTls tls = PeerTls.trusting(Path.of(trust.get("--ca-file")));
            peer.tls(
                    trust.containsKey("--certificate")
                            ? tls.certificate(
                                    Path.of(trust.get("--certificate")),
                                    Path.of(trust.getOrDefault("--certificate-key", "")))
                            : tls);
        }
        return peer;
    }

    private static IllegalArgumentException usage() {
        return new IllegalArgumentException(
                "--proxy HOST:PORT --context NAME [--concurrency N] [--secret-file F]"
                        + " [--identity NAME --key-id ID --key-file F]"
                        + " [--ca-file F [--certificate F --certificate-key F]]");
    }

    /** To standard output, so that a script can wait for "registered". */
    private static void print(PeerEvent event) {
        if (event instanceof PeerEvent.Registered registered) {
            System.out.println("registered " + registered.link() + " version=" + version);
        } else if (event instanceof PeerEvent.Refused refused) {
            System.out.println("refused why=" + refused.text());
        } else if (event instanceof PeerEvent.Downgraded older) {
            version = older.to() == ProtocolVersion.LRWP_2 ? "2.0" : "1.0";
            System.out.println("fallback version=" + version + " why=" + older.text());
        } else if (event instanceof PeerEvent.Lost lost) {
            version = "3.0";
            System.out.println("lost why=" + lost.cause());
        } else if (event instanceof PeerEvent.HandlerFailed failed) {
            System.out.println("failed " + failed.cause());
        }
    }
}
