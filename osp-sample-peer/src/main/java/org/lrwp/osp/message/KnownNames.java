package org.lrwp.osp.message;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Strings of the names that messages are made of, found by their octets: nearly all of a message's
 * names are among them, so they need not be made again for each. Any thread may call it.
 */
final class KnownNames {
    /** Beside elements inside components: what is around them, and attributes. */
    private static final List<String> OTHERS =
            List.of(
                    Message.NAME,
                    "AuthorizationRequest",
                    "AuthorisationRequest",
                    "ReauthorizationRequest",
                    "ReauthorisationRequest",
                    "UsageIndication",
                    "CapabilitiesIndication",
                    "messageId",
                    "random",
                    "componentId",
                    "critical",
                    "encoding",
                    "type",
                    "index");

    private static final String[][] BY_HASH = table();

    private KnownNames() {}

    /**
     * Finds a name.
     *
     * @param hash of its octets, as {@link String#hashCode} has it
     * @return the name; empty when it is not known
     */
    static Optional<String> find(byte[] octets, int from, int length, int hash) {
        for (String each : BY_HASH[hash & (BY_HASH.length - 1)]) {
            if (each.length() == length && isAt(octets, from, each)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private static boolean isAt(byte[] octets, int from, String name) {
        for (int i = 0; i < name.length(); i++) {
            if (octets[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static String[][] table() {
        List<String> names =
                Stream.concat(KnownElements.names().stream(), OTHERS.stream()).distinct().toList();
        int places = Integer.highestOneBit(names.size()) * 4;
        return IntStream.range(0, places)
                .mapToObj(
                        place ->
                                names.stream()
                                        .filter(each -> (each.hashCode() & (places - 1)) == place)
                                        .toArray(String[]::new))
                .toArray(String[][]::new);
    }
}
