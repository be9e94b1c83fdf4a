package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.PrivateFile;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/** Makes identities of peers: docs/configuration.md, "Peers and identities". */
@Command(
        name = "identity",
        description = "Identities of peers.",
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class)
final class IdentityCommand implements Callable<Integer> {
    private final PrintStream err;

    IdentityCommand(PrintStream err) {
        this.err = err;
    }

    @Override
    public Integer call() {
        err.println("lrwp: what is to be done with an identity? Allowed is: identity create NAME");
        return ProxyServer.USAGE;
    }

    /** Makes a key, and the lines of an identity that has it. */
    @Command(
            name = "create",
            customSynopsis = "lrwp identity create NAME --contexts LIST --peers-file FILE",
            description = {
                "Makes a key for a peer of LRWP 3.1, adds the identity to the peers file, and",
                "prints what the peer needs. A running proxy takes the new line by itself.",
                "",
                "Exit code: 0, or 2 for wrong use and when there is such an identity already."
            },
            mixinStandardHelpOptions = true,
            versionProvider = Versions.class,
            sortOptions = false)
    static final class Create implements Callable<Integer> {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
        private static final int KEY_BYTES = 32;

        private final PrintStream out;
        private final PrintStream err;

        @Parameters(paramLabel = "NAME", description = "1 to 64 letters, digits, '_' and '-'.")
        private String name = "";

        @Option(
                names = "--contexts",
                paramLabel = "LIST",
                required = true,
                description = "What it may register: /osp, /tep/** or .ext, separated by commas.")
        private String contexts = "";

        @Option(
                names = "--hosts",
                paramLabel = "LIST",
                description = "The only virtual hosts for which it may.")
        private @Nullable String hosts;

        @Option(
                names = "--networks",
                paramLabel = "LIST",
                description = "Where its peers may come from.")
        private @Nullable String networks;

        @Option(
                names = "--peers-file",
                paramLabel = "FILE",
                required = true,
                description = "The file that agent.peers-file names; made when it is missing.")
        private Path file = Path.of("");

        Create(PrintStream out, PrintStream err) {
            this.out = out;
            this.err = err;
        }

        @Override
        public Integer call() {
            String keyId = LocalDate.now(ZoneOffset.UTC).toString();
            Path peers = file.toAbsolutePath().normalize();
            Path key = peers.resolveSibling(name + "." + keyId + ".key");
            try {
                String fault = fault(peers);
                if (fault != null) {
                    err.println("lrwp: " + fault);
                    return ProxyServer.USAGE;
                }
                writeKey(key);
                String lines = lines(keyId, key);
                add(peers, lines);
                out.print(told(keyId, key, peers, lines));
                return 0;
            } catch (FileAlreadyExistsException e) {
                err.println("lrwp: the key file " + key + " is there already");
            } catch (IOException e) {
                err.println("lrwp: the identity cannot be written: " + e.getMessage());
            }
            return ProxyServer.USAGE;
        }

        private @Nullable String fault(Path peers) throws IOException {
            if (!NAME.matcher(name).matches()) {
                return "the name \"" + name + "\" is not 1 to 64 letters, digits, '_' and '-'";
            }
            String head = "peer." + name + ".";
            boolean known =
                    Files.exists(peers)
                            && Files.readAllLines(peers).stream()
                                    .anyMatch(line -> line.strip().startsWith(head));
            return known ? "there is an identity " + name + " in " + peers : null;
        }

        private static void writeKey(Path key) throws IOException {
            byte[] bytes = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(bytes);
            String digits = HexFormat.of().formatHex(bytes) + "\n";
            try (FileChannel made = PrivateFile.create(key)) {
                made.write(ByteBuffer.wrap(digits.getBytes(StandardCharsets.US_ASCII)));
            }
        }

        private String lines(String keyId, Path key) {
            Map<String, String> values = new LinkedHashMap<>();
            values.put("key." + keyId, key.toString());
            values.put("contexts", contexts);
            if (hosts != null) {
                values.put("hosts", hosts);
            }
            if (networks != null) {
                values.put("networks", networks);
            }
            var lines = new StringBuilder();
            values.forEach(
                    (what, value) ->
                            lines.append("peer.%s.%s = %s%n".formatted(name, what, value)));
            return lines.toString();
        }

        private static void add(Path peers, String lines) throws IOException {
            boolean torn = Files.exists(peers) && !endsWithLine(peers);
            try (OutputStream end = PrivateFile.append(peers)) {
                // In one write: a proxy that reads the file meanwhile sees all of it or nothing.
                end.write(((torn ? "\n" : "") + lines).getBytes(StandardCharsets.UTF_8));
            }
        }

        private static boolean endsWithLine(Path peers) throws IOException {
            byte[] before = Files.readAllBytes(peers);
            return before.length == 0 || before[before.length - 1] == '\n';
        }

        private String told(String keyId, Path key, Path peers, String lines) {
            return """
            identity %1$s, added to %2$s:
            %3$s
            The proxy   agent.peers-file = %2$s
            The peer    its name %1$s, the key id %4$s and a copy of %5$s (mode 600);
                        in Java: PeerBuilder.identity("%1$s", "%4$s", Path.of("%6$s"))
            """
                    .formatted(
                            name,
                            peers,
                            lines.indent(2).stripTrailing(),
                            keyId,
                            key,
                            key.getFileName());
        }
    }
}
