package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Makes anew what an identity, or the proxy, proves itself with, before it ends. */
@Command(
        name = "renew",
        customSynopsis = {
            "lrwp identity renew NAME --config FILE",
            "lrwp identity renew proxy --config FILE [--proxy-host HOST]"
        },
        description = {
            "Makes a new certificate in the place of the one that identity create has made, or a"
                + " further key, and prints what the peer needs. What the peer has stays good: a"
                + " certificate until its end, a key until its line is removed. With the name proxy"
                + " it is the certificate of the proxy, for the same names and those of"
                + " --proxy-host; a running proxy takes it by itself.",
            "",
            "Exit code: 0, or 2 for wrong use and when there is nothing to renew."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        sortOptions = false)
final class IdentityRenewal implements Callable<Integer> {
    private static final String PROXY = "proxy";

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(paramLabel = "NAME", description = "An identity, or proxy.")
    private String name = "";

    @Mixin private PeersPlace place = new PeersPlace();

    @Option(
            names = "--days",
            paramLabel = "N",
            description = "How long a certificate is valid. Default: ${DEFAULT-VALUE}.")
    private int days = OwnAuthority.DAYS;

    @Option(
            names = "--proxy-host",
            paramLabel = "HOST",
            description = "A further name or address for the proxy's certificate; repeatable.")
    private List<String> proxyHosts = List.of();

    IdentityRenewal(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        try {
            String fault = renew(place.peersFile());
            if (fault == null) {
                return 0;
            }
            err.println("lrwp: " + fault);
        } catch (FileAlreadyExistsException e) {
            err.println("lrwp: the file " + e.getFile() + " is there already");
        } catch (IOException e) {
            err.println("lrwp: " + name + " cannot be renewed: " + e.getMessage());
        }
        return ExitCode.USAGE;
    }

    /** Says what is wrong; null when it is done. */
    private @Nullable String renew(@Nullable Path peers) throws IOException {
        if (peers == null) {
            return "identity renew needs --peers-file or --config";
        }
        Path config = place.config();
        if (config != null && !Files.exists(config)) {
            return "the configuration " + config + " does not exist";
        }
        String places = place.fault();
        if (places != null) {
            return places;
        }
        if (!OwnAuthority.isTerm(days)) {
            return OwnAuthority.termFault(days);
        }
        if (!proxyHosts.isEmpty() && !name.equals(PROXY)) {
            return "--proxy-host is for identity renew proxy";
        }
        String noHost = HostNames.fault(proxyHosts);
        if (noHost != null) {
            return noHost;
        }
        Path folder = Objects.requireNonNull(peers.getParent());
        return name.equals(PROXY) ? renewProxy(folder) : renewPeer(peers, folder);
    }

    private @Nullable String renewPeer(Path peers, Path folder) throws IOException {
        String certificate = new ProxyFile(peers).value("peer." + name + ".certificate");
        if (("CN=" + name).equals(certificate) && hasIssued(folder, name)) {
            out.printf("identity %s has a new certificate%n", name);
            out.print(PeerCredential.renewed(name, folder, days, place.tlsPort()).peer());
            out.println("The old one stays good until its end.");
            return null;
        }
        List<String> keys = new ProxyFile(peers).keys(keys(name));
        if (!keys.isEmpty()) {
            addKey(peers, folder, keys);
            return null;
        }
        return "the identity %s in %s has no key, and no certificate of identity create"
                .formatted(name, peers);
    }

    /** What the keys of an identity begin with in the peers file. */
    private static String keys(String name) {
        return "peer." + name + ".key.";
    }

    private static boolean hasIssued(Path folder, String name) {
        return OwnAuthority.isIn(folder) && Files.exists(folder.resolve(name + ".pem"));
    }

    private @Nullable String renewProxy(Path folder) throws IOException {
        if (!hasIssued(folder, PROXY)) {
            return "there is no certificate of identity create for the proxy in " + folder;
        }
        Path certificate = folder.resolve(PROXY + ".pem");
        List<String> names = new ArrayList<>(OwnAuthority.namesIn(certificate));
        names.addAll(HostNames.alternative(HostNames.missing(certificate, proxyHosts)));
        OwnAuthority.in(folder)
                .renew(
                        new OwnAuthority.Request(PROXY, OwnAuthority.Purpose.PROXY, names, days),
                        certificate,
                        folder.resolve(PROXY + ".key"));
        out.printf(
                "the proxy has a new certificate, %s, good for %s%n",
                certificate, HostNames.told(certificate));
        return null;
    }

    private void addKey(Path peers, Path folder, List<String> before) throws IOException {
        ProxyOwner owner = ProxyOwner.of(place.files(peers));
        int head = keys(name).length();
        Set<String> taken =
                before.stream().map(key -> key.substring(head)).collect(Collectors.toSet());
        PeerCredential made = PeerCredential.key(name, folder, taken);
        var lines = new StringBuilder();
        made.settings()
                .forEach(
                        (what, value) ->
                                lines.append("peer.%s.%s = %s%n".formatted(name, what, value)));
        LineFile.append(peers, lines.toString());
        out.printf("identity %s, added to %s:%n%s", name, peers, lines.toString().indent(2));
        out.print(owner.give(made.made()));
        out.print(made.peer());
        out.println(
                "When its peers have the new key, remove from "
                        + peers
                        + ": "
                        + String.join(", ", before));
    }
}
