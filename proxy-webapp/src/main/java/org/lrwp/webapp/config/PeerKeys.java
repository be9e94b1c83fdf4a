package org.lrwp.webapp.config;

import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.identity.ContextPattern;
import org.lrwp.engine.peer.PeerWeight;
import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The keys of the file of identities; the family of each is {@code peer.NAME}. */
final class PeerKeys {
    /** What all names of settings begin with. */
    static final String HEAD = "peer.";

    /** What the names of a peer's keys begin with. */
    static final String KEY = "key.";

    private static final KeyTable TABLE = new KeyTable();

    private static final ValueType<List<ContextPattern>> PATTERNS =
            new ValueType<>(
                    "contexts as /osp, /osp/** or .ext, separated by commas",
                    text ->
                            ValueTypes.LIST.parse(text).stream()
                                    .map(ContextPattern::parse)
                                    .toList());

    private static final ValueType<Optional<Instant>> LAST_DAY =
            new ValueType<>("a day as 2027-01-31, or empty", PeerKeys::endOfDay);

    static final Key<List<ContextPattern>> CONTEXTS =
            TABLE.key("peer.*.contexts", PATTERNS, "")
                    .live(
                            "What the identity may register, and nobody else: `/osp` is exactly"
                                    + " that context, `/osp/**` that one and those below it, `.ext`"
                                    + " an extension. Must be set.");

    static final Key<List<CertificatePattern>> CERTIFICATE =
            TABLE.key("peer.*.certificate", ProxyValueTypes.CERTIFICATES, "")
                    .live(
                            "Inside TLS: which client certificates are its, by the common name of"
                                + " the subject, a URI among the alternative names, or their hash."
                                + " Instead of a key, or beside it: then both must name the same"
                                + " identity.");

    static final Key<List<String>> USER =
            TABLE.key("peer.*.user", ValueTypes.LIST, "")
                    .live(
                            "At `agent.socket`: the users whose processes are its peers, by name;"
                                + " several separated by commas. The kernel says who has connected."
                                + " Instead of a key, or beside it: then both must name the same"
                                + " identity.");

    static final Key<Set<String>> HOSTS =
            TABLE.key("peer.*.hosts", ProxyValueTypes.HOSTS, "")
                    .live(
                            "The virtual hosts for which it may; others, and every host at once,"
                                    + " are refused. Empty = all.");

    static final Key<List<Network>> NETWORKS =
            TABLE.key("peer.*.networks", ValueTypes.NETWORKS, "")
                    .live(
                            "Where its peers may come from, within `agent.networks`; from elsewhere"
                                    + " `ERROR: Unauthorized access`. Empty = anywhere.");

    static final Key<Integer> CONNECTIONS =
            TABLE.key("peer.*.connections", ValueTypes.count(0, 1_000_000), "0")
                    .live(
                            "Its connections at once; above it `ERROR: Out of resources`. 0 = as"
                                    + " many as `agent.max-peers` allows.");

    static final Key<Integer> CAPACITY =
            TABLE.key("peer.*.capacity", ValueTypes.count(0, 1_000_000), "0")
                    .live(
                            "Requests at once on each of its LRWP 3 connections; a peer that can"
                                    + " take more gets this many. 0 = as `agent.max-capacity`.");

    static final Key<Integer> WEIGHT =
            TABLE.key("peer.*.weight", ValueTypes.count(0, PeerWeight.MOST), "100")
                    .live(
                            "How much its connections get beside others of a context: with 200"
                                    + " twice as many requests as with 100, for the same capacity."
                                    + " 0 = no new ones (docs/operations.md, Weights).");

    static final Key<Optional<Instant>> NOT_AFTER =
            TABLE.key("peer.*.not-after", LAST_DAY, "")
                    .live(
                            "The last day (UTC) on which it is valid; then its connections are"
                                    + " drained, and it is unknown. Empty = no end.");

    static final Key<String> PROTOCOL =
            TABLE.key("peer.*.protocol", ValueTypes.word("1", "2", "3"), "3")
                    .live(
                            "What its peers prove: 3 = one of its keys, by LRWP 3.1, or its"
                                + " certificate; 2 = its secret, by the XOR of LRWP 2, which tells"
                                + " the secret to whoever overhears it; 1 = nothing: a peer of LRWP"
                                + " 1 or 2 that comes from its networks is believed.");

    static final Key<String> SECRET_FILE =
            TABLE.key("peer.*.secret-file", ValueTypes.TEXT, "")
                    .live(
                            "With protocol 2: the file with its secret; only the owner may touch"
                                    + " it.");

    /** Takes the keys, whose ids are chosen freely. */
    static final Key<String> KEYS =
            TABLE.key("peer.*.**", ValueTypes.TEXT, "")
                    .live(
                            "`peer.NAME.key.ID` names the file with the key ID: at least 64"
                                + " hexadecimal digits; only the owner may touch it. Two of them"
                                + " while keys rotate. The files are read with this one.");

    private PeerKeys() {}

    private static Optional<Instant> endOfDay(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    LocalDate.parse(text).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
