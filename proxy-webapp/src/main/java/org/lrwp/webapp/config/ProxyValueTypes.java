package org.lrwp.webapp.config;

import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.identity.LeastVersion;
import org.lrwp.protocol.Registration;
import org.lrwp.runtime.configuration.Members;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Kinds of values that only the proxy has. */
final class ProxyValueTypes {
    static final ValueType<InetAddress> ADDRESS =
            new ValueType<>("a local IP address or host name", ProxyValueTypes::address);
    static final ValueType<Set<String>> CONTEXTS =
            new ValueType<>(
                    "contexts as /osp, .ext or /, separated by commas", ProxyValueTypes::contexts);
    static final ValueType<Set<String>> NAMES =
            new ValueType<>("names, separated by commas", ProxyValueTypes::names);

    /** Hosts of a request's Host; what no Host can be would be met by nobody. */
    static final ValueType<Set<String>> HOSTS =
            new ValueType<>(
                    "host names or addresses without port, separated by commas",
                    ProxyValueTypes::hosts);

    static final ValueType<List<CertificatePattern>> CERTIFICATES =
            new ValueType<>(
                    CertificatePattern.ALLOWED + "; several separated by commas",
                    text ->
                            ValueTypes.LIST.parse(text).stream()
                                    .map(CertificatePattern::parse)
                                    .toList());

    /** The mode of a file that only reading and writing make sense for. */
    static final ValueType<Set<PosixFilePermission>> FILE_MODE =
            new ValueType<>(
                    "three octal digits as 660, of which the first is 6 and the others 0 or 6",
                    ProxyValueTypes::fileMode);

    static final ValueType<LeastVersion> LEAST_VERSION =
            new ValueType<>("1.0, 2.0, 3.0 or 3.1", ProxyValueTypes::leastVersion);

    /** What a key that begins with {@code context.} can be set for alone. */
    static final Members CONTEXT =
            new Members("a context as /osp, .ext or /", ProxyValueTypes::isContext);

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");

    private ProxyValueTypes() {}

    private static InetAddress address(String text) {
        require(!text.isEmpty());
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static Set<PosixFilePermission> fileMode(String text) {
        require(text.matches("6[06][06]"));
        return PosixFilePermissions.fromString(text.replace("6", "rw-").replace("0", "---"));
    }

    private static LeastVersion leastVersion(String text) {
        return switch (text) {
            case "1.0" -> LeastVersion.LRWP_1_0;
            case "2.0" -> LeastVersion.LRWP_2_0;
            case "3.0" -> LeastVersion.LRWP_3_0;
            case "3.1" -> LeastVersion.LRWP_3_1;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static Set<String> contexts(String text) {
        Set<String> contexts = new LinkedHashSet<>(ValueTypes.LIST.parse(text));
        contexts.forEach(context -> require(isContext(context)));
        return contexts;
    }

    /**
     * Whether a text is a context as users write it. Another spelling, or a pattern as of
     * identities, would be the context of nobody.
     */
    static boolean isContext(String text) {
        boolean path = text.startsWith("/") && !text.equals("/-") && !text.startsWith("/-/");
        boolean extension = text.startsWith(".") && text.length() > 1 && text.indexOf('/') < 0;
        return (path || extension)
                && !text.endsWith("/**")
                && Registration.contextOf(text).equals(text);
    }

    private static Set<String> names(String text) {
        Set<String> names = new LinkedHashSet<>();
        ValueTypes.LIST.parse(text).forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        return names;
    }

    private static Set<String> hosts(String text) {
        Set<String> hosts = new LinkedHashSet<>(ValueTypes.LIST.parse(text));
        hosts.forEach(host -> require(HOST.matcher(host).matches()));
        return hosts;
    }

    private static void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalArgumentException("not allowed");
        }
    }
}
