package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names and addresses that peers dial, as {@code --proxy-host} has them, and as alternative names
 * of a certificate: {@code dns:localhost}, {@code ip:127.0.0.1}. Stateless, any thread.
 */
final class HostNames {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.-]{1,253}");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

    /** Zeros that {@code ::} stands for. */
    private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");

    private HostNames() {}

    /** What is wrong with them; null for nothing. */
    static @Nullable String fault(List<String> hosts) {
        for (String host : hosts) {
            if (!ADDRESS.matcher(host).matches() && !HOST.matcher(host).matches()) {
                return "--proxy-host \"" + host + "\" is no host name and no address";
            }
        }
        return null;
    }

    /** The same as alternative names. */
    static List<String> alternative(List<String> hosts) {
        return hosts.stream()
                .map(host -> (ADDRESS.matcher(host).matches() ? "ip:" : "dns:") + host)
                .toList();
    }

    /** Those hosts that a certificate does not name. Blocks on its file. */
    static List<String> missing(Path certificate, List<String> hosts) throws IOException {
        List<String> there =
                OwnAuthority.namesIn(certificate).stream().map(HostNames::canonical).toList();
        List<String> missing = new ArrayList<>(hosts);
        missing.removeIf(host -> there.contains(canonical(alternative(List.of(host)).getFirst())));
        return missing;
    }

    /** What a certificate is good for, for people. Blocks on its file. */
    static String told(Path certificate) throws IOException {
        List<String> names =
                OwnAuthority.namesIn(certificate).stream()
                        .map(name -> name.substring(name.indexOf(':') + 1))
                        .map(name -> ZEROS.matcher(name).replaceFirst("::"))
                        .toList();
        return names.isEmpty() ? "no host" : String.join(", ", names);
    }

    /** A certificate has each address in one form; people have several. */
    private static String canonical(String name) {
        String host = name.substring(name.indexOf(':') + 1);
        if (!name.startsWith("ip:")) {
            return host.toLowerCase(Locale.ROOT);
        }
        try {
            return InetAddress.ofLiteral(host).getHostAddress();
        } catch (IllegalArgumentException noAddress) {
            // Refused where it is used.
            return host;
        }
    }
}
