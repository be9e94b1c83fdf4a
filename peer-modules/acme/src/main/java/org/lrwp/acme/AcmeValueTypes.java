package org.lrwp.acme;

import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The kinds of values that only this module has. */
final class AcmeValueTypes {
    /** What Let's Encrypt allows for one certificate. */
    private static final int MOST_NAMES = 100;

    /** With {@code .pem.new} behind it the name of a file, which has at most 255 bytes. */
    private static final int LONGEST_NAME = 247;

    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

    /** At least two labels; the last one has a letter, so that no address is among them. */
    private static final Pattern NAME =
            Pattern.compile("(" + LABEL + "\\.)+(?=[a-z0-9-]*[a-z])" + LABEL);

    private static final Pattern EMAIL =
            Pattern.compile("[!-~&&[^@,:?]]{1,64}@[A-Za-z0-9.-]{1,253}");
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    /**
     * DNS names in lower case, each once, in their order. They become names of files: nothing else
     * than letters, digits, hyphens and single dots is in them.
     */
    static final ValueType<List<String>> NAMES =
            new ValueType<>(
                    "1 to "
                            + MOST_NAMES
                            + " DNS names separated by commas, without wildcards, international"
                            + " ones as xn--",
                    text -> {
                        List<String> names =
                                ValueTypes.LIST.parse(text.toLowerCase(Locale.ROOT)).stream()
                                        .distinct()
                                        .toList();
                        require(!names.isEmpty() && names.size() <= MOST_NAMES);
                        names.forEach(name -> require(isName(name)));
                        return names;
                    });

    /** The URL of a directory. */
    static final ValueType<URI> DIRECTORY =
            new ValueType<>(
                    "an https URL, or an http URL of the loopback address",
                    text -> {
                        URI uri = URI.create(text);
                        String host = uri.getHost();
                        require(host != null && uri.getUserInfo() == null);
                        require(
                                "https".equals(uri.getScheme())
                                        || ("http".equals(uri.getScheme())
                                                && LOOPBACK.contains(host)));
                        return uri;
                    });

    /** Addresses of people. */
    static final ValueType<List<String>> EMAILS =
            new ValueType<>(
                    "e-mail addresses separated by commas",
                    text -> {
                        List<String> all = ValueTypes.LIST.parse(text);
                        all.forEach(one -> require(EMAIL.matcher(one).matches()));
                        return all;
                    });

    private AcmeValueTypes() {}

    private static boolean isName(String name) {
        return name.length() <= LONGEST_NAME && NAME.matcher(name).matches();
    }

    private static void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalArgumentException("not allowed");
        }
    }
}
