package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.webapp.config.PeersFile;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Makes identities of peers: docs/configuration.md, "Peers and identities". */
@Command(
        name = "identity",
        customSynopsis = {"lrwp identity create NAME ...", "lrwp identity renew NAME ..."},
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
        err.println(
                "lrwp: what is to be done with an identity? Allowed is: identity create NAME,"
                        + " identity renew NAME");
        return ExitCode.USAGE;
    }

    /** Makes a key or a certificate, and the lines of an identity that has it. */
    @Command(
            name = "create",
            customSynopsis = {
                "lrwp identity create NAME --contexts LIST --peers-file FILE",
                "lrwp identity create NAME --contexts LIST --config FILE --certificate"
            },
            description = {
                "Makes a key for a peer of LRWP 3.1, or a certificate for a peer inside TLS, adds"
                    + " the identity to the peers file, and prints what the peer needs. A running"
                    + " proxy takes the new line by itself. With --certificate an authority"
                    + " (ca.p12, ca.pem) and a certificate of the proxy (proxy.pem, proxy.key) are"
                    + " made too, where the peers file has none.",
                "",
                "Exit code: 0, or 2 for wrong use and when there is such an identity already."
            },
            mixinStandardHelpOptions = true,
            versionProvider = Versions.class,
            sortOptions = false)
    static final class Create implements Callable<Integer> {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
        private static final List<String> HERE = List.of("localhost", "127.0.0.1", "::1");

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

        @Mixin private PeersPlace place = new PeersPlace();

        @Option(
                names = "--certificate",
                description = "Makes a certificate for TLS in place of a key.")
        private boolean certificate;

        @Option(
                names = "--proxy-host",
                paramLabel = "HOST",
                description = {
                    "A name or address that peers dial, for the proxy's certificate; repeatable.",
                    "Default: localhost, 127.0.0.1 and ::1. A certificate that is there already"
                            + " must name it: identity renew proxy adds it."
                })
        private List<String> proxyHosts = List.of();

        @Option(
                names = "--days",
                paramLabel = "N",
                description =
                        "How long certificates are valid. Default: " + OwnAuthority.DAYS + ".")
        private @Nullable Integer days;

        Create(PrintStream out, PrintStream err) {
            this.out = out;
            this.err = err;
        }

        @Override
        public Integer call() {
            try {
                Path peers = place.peersFile();
                String fault = fault(peers);
                if (fault != null) {
                    err.println("lrwp: " + fault);
                    return ExitCode.USAGE;
                }
                create(Objects.requireNonNull(peers));
                return 0;
            } catch (FileAlreadyExistsException e) {
                err.println("lrwp: the file " + e.getFile() + " is there already");
            } catch (NoSuchFileException e) {
                err.println("lrwp: there is no folder for the file " + e.getFile());
            } catch (IOException e) {
                err.println("lrwp: the identity cannot be written: " + e.getMessage());
            }
            return ExitCode.USAGE;
        }

        private @Nullable String fault(@Nullable Path peers) throws IOException {
            if (peers == null) {
                return "identity create needs --peers-file or --config";
            }
            if (!NAME.matcher(name).matches()) {
                return "the name \"" + name + "\" is not 1 to 64 letters, digits, '_' and '-'";
            }
            if (certificate && Set.of("ca", "proxy").contains(name)) {
                return "the files of a certificate cannot be called " + name;
            }
            if (!certificate && !proxyHosts.isEmpty()) {
                return "--proxy-host is for the proxy's certificate: it needs --certificate";
            }
            if (!certificate && days != null) {
                return "--days is for certificates: it needs --certificate";
            }
            String noHost = HostNames.fault(proxyHosts);
            if (noHost != null) {
                return noHost;
            }
            if (!OwnAuthority.isTerm(term())) {
                return OwnAuthority.termFault(term());
            }
            String places = place.fault();
            if (places != null) {
                return places;
            }
            String head = "peer." + name + ".";
            boolean known =
                    Files.exists(peers)
                            && Files.readAllLines(peers).stream()
                                    .anyMatch(line -> line.strip().startsWith(head));
            if (known) {
                return "there is an identity " + name + " in " + peers;
            }
            String lines = faultOfLines();
            return lines == null ? faultOfProxyHosts(peers) : lines;
        }

        /** The proxy's certificate is made once: a name that it lacks would be lost. */
        private @Nullable String faultOfProxyHosts(Path peers) throws IOException {
            Path proxy = peers.resolveSibling("proxy.pem");
            if (!certificate || proxyHosts.isEmpty() || !Files.exists(proxy)) {
                return null;
            }
            List<String> missing = HostNames.missing(proxy, proxyHosts);
            return missing.isEmpty()
                    ? null
                    : ("the proxy's certificate %s is there already; it is good for %s, not for %s:"
                                    + " lrwp identity renew proxy %s --proxy-host %s makes one for"
                                    + " all of them")
                            .formatted(
                                    proxy,
                                    HostNames.told(proxy),
                                    String.join(", ", missing),
                                    place.option(peers),
                                    String.join(" --proxy-host ", missing));
        }

        /** Before anything is made: a proxy takes nothing of a file with a wrong line. */
        private @Nullable String faultOfLines() throws IOException {
            Map<String, Setting> settings = new LinkedHashMap<>();
            try {
                var read = new Properties();
                read.load(new StringReader(lines(Map.of())));
                for (Map.Entry<String, String> one : scope().entrySet()) {
                    String key = "peer." + name + "." + one.getKey();
                    String option = "--" + one.getKey();
                    String value = read.getProperty(key, "");
                    if (!value.strip().equals(one.getValue().strip())) {
                        return option + ": a properties file has another meaning for this text";
                    }
                    settings.put(key, new Setting(value, new Origin(Origin.Kind.START, option)));
                }
                PeersFile.check(name, settings);
                return null;
            } catch (BadConfigurationException | IllegalArgumentException e) {
                return e.getMessage();
            }
        }

        private void create(Path peers) throws IOException {
            Path folder = Objects.requireNonNull(peers.getParent());
            List<Path> files = place.files(peers);
            List<Path> missing = files.stream().filter(one -> !Files.exists(one)).toList();
            ProxyOwner owner = ProxyOwner.of(files);
            PeerCredential made =
                    certificate
                            ? PeerCredential.certificate(
                                    name,
                                    folder,
                                    HostNames.alternative(proxyHosts.isEmpty() ? HERE : proxyHosts),
                                    term(),
                                    place.tlsPort())
                            : PeerCredential.key(name, folder, Set.of());
            String lines = lines(made.settings());
            LineFile.append(peers, lines);
            Map<String, String> needed = new LinkedHashMap<>();
            needed.put(PeersPlace.PEERS_FILE, peers.toString());
            needed.putAll(made.proxy());
            out.printf("identity %s, added to %s:%n%s", name, peers, lines.indent(2));
            out.print(proxyNeeds(needed));
            List<Path> fresh = new ArrayList<>(made.made());
            missing.stream().filter(Files::exists).forEach(fresh::add);
            out.print(owner.give(fresh));
            out.print(made.peer());
        }

        private int term() {
            return days == null ? OwnAuthority.DAYS : days;
        }

        private String lines(Map<String, String> proof) {
            Map<String, String> values = new LinkedHashMap<>(proof);
            values.putAll(scope());
            var lines = new StringBuilder();
            values.forEach(
                    (what, value) ->
                            lines.append("peer.%s.%s = %s%n".formatted(name, what, value)));
            return lines.toString();
        }

        /** What the identity may, by the last part of the key, which the option has too. */
        private Map<String, String> scope() {
            Map<String, String> values = new LinkedHashMap<>();
            values.put("contexts", contexts);
            if (hosts != null) {
                values.put("hosts", hosts);
            }
            if (networks != null) {
                values.put("networks", networks);
            }
            return values;
        }

        /** Adds what the proxy's configuration lacks, or says what it needs. */
        private String proxyNeeds(Map<String, String> needed) throws IOException {
            Path proxy = place.config();
            String head = "The proxy   ";
            if (proxy == null) {
                String every =
                        needed.entrySet().stream()
                                .map(one -> one.getKey() + " = " + one.getValue() + "\n")
                                .collect(Collectors.joining(" ".repeat(head.length())));
                return head + every;
            }
            var file = new ProxyFile(proxy.toAbsolutePath());
            var others = new StringBuilder();
            for (Map.Entry<String, String> one : needed.entrySet()) {
                if (!file.names(one.getKey(), Path.of(one.getValue()))) {
                    others.append(
                            "%shas %s = %s in %s, not %s%n"
                                    .formatted(
                                            head,
                                            one.getKey(),
                                            file.value(one.getKey()),
                                            proxy,
                                            one.getValue()));
                }
            }
            String added = file.add(needed);
            if (!added.isEmpty()) {
                return head + "added to " + proxy + ":\n" + added.indent(2) + others;
            }
            return others.isEmpty() ? head + "has all it needs in " + proxy + "\n" : "" + others;
        }
    }
}
