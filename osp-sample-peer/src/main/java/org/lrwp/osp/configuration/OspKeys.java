package org.lrwp.osp.configuration;

import static org.lrwp.osp.configuration.OspValueTypes.PLACE;

import org.lrwp.osp.configuration.OspConfiguration.SignedForm;
import org.lrwp.osp.enrolment.CertificateTerms.Digest;
import org.lrwp.osp.token.CryptoProvider;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.osp.token.TokenClass;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** All that can be set of the OSP peer, in the order of its docs. */
public final class OspKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final Duration DAY = Duration.ofDays(1);
    private static final int KIB = 1_024;
    private static final ValueType<Duration> EITHER_WAY = OspValueTypes.time(DAY.negated(), DAY);
    private static final ValueType<Duration> SPAN = OspValueTypes.time(Duration.ofMinutes(1), DAY);

    static final Key<Optional<Path>> KEY =
            TABLE.key("token.key", PLACE, "")
                    .atStart(
                            "Key that signs the tokens (PEM), RSA or ECDSA; empty: the data"
                                    + " folder's, made at the first start.");
    static final Key<Optional<Path>> CERTIFICATE =
            TABLE.key("token.certificate", PLACE, "").atStart("The key's certificate (PEM).");
    static final Key<Duration> REPORT_INTERVAL =
            TABLE.key("report-interval", OspValueTypes.time(Duration.ofMillis(100), DAY), "PT1M")
                    .atStart("Time between log lines of calls.");

    static final Key<Long> MAX_SIZE =
            TABLE.key("messages.max-size", ValueTypes.size(KIB, 16L * KIB * KIB), "262144")
                    .live("A message; longer: HTTP 413.");
    static final Key<Integer> MAX_COMPONENTS =
            TABLE.key("messages.max-components", ValueTypes.count(1, 1_000), "32")
                    .live("Components of a message; more: HTTP 400, as for the next three.");
    static final Key<Integer> MAX_ELEMENTS =
            TABLE.key("messages.max-elements", ValueTypes.count(16, 1_000_000), "4096")
                    .live("Elements of a message.");
    static final Key<Integer> MAX_LEVELS =
            TABLE.key("messages.max-levels", ValueTypes.count(4, 64), "16")
                    .live("Elements inside one another.");
    static final Key<Integer> MAX_ATTRIBUTES =
            TABLE.key("messages.max-attributes", ValueTypes.count(1, 256), "16")
                    .live("Attributes of one element.");
    static final Key<SignedForm> SIGNED =
            TABLE.key(
                            "messages.signed",
                            OspValueTypes.words("off, accept or require", SignedForm::valueOf),
                            "off")
                    .live(
                            "The form multipart/signed: off (HTTP 415), accept, require (others"
                                    + " get HTTP 401).");

    static final Key<PlainSenders> PLAIN_FROM =
            TABLE.key("messages.plain-from", PlainSenders.TYPE, "loopback")
                    .live(
                            "From where messages are taken that are not signed; what they say of"
                                    + " their sender is believed. Others: HTTP 401.");
    static final Key<Integer> REMEMBERED =
            TABLE.key("messages.remembered", ValueTypes.count(0, 1_000_000), "4096")
                    .live(
                            "Answers that are remembered: the same message gets the same answer"
                                    + " again and has no second effect; above it the oldest is"
                                    + " forgotten. 0: none.");

    /** Not while the server runs: what was remembered for a shorter time would be fresh again. */
    static final Key<Duration> MAX_AGE =
            TABLE.key(
                            "messages.max-age",
                            OspValueTypes.time(Duration.ofSeconds(1), Duration.ofHours(1)),
                            "PT5M")
                    .atStart(
                            "How long answers are remembered, and how far the Timestamp of a signed"
                                    + " request may be from now; further: status 530.");

    static final Key<TokenClass> TOKEN_KIND =
            TABLE.key(
                            "token.kind",
                            OspValueTypes.words(
                                    "xml or ascii, signed or unsigned, certificate, joined by"
                                            + " hyphens",
                                    TokenClass::parse),
                            "xml-signed")
                    .atStart(
                            "What devices take that say nothing else; certificate puts the"
                                    + " signer's inside.");
    static final Key<Duration> VALID_BEFORE =
            TABLE.key("token.valid-before", EITHER_WAY, "PT5M")
                    .live("Tokens count from so long ago.");
    static final Key<Duration> VALID_FOR =
            TABLE.key("token.valid-for", EITHER_WAY, "PT10M")
                    .live(
                            "And for so long from now; a negative value makes tokens that are"
                                    + " over, to try a gateway.");

    /** Not while the server runs, for the same reason. */
    static final Key<Duration> CLOCK_SKEW =
            TABLE.key("token.clock-skew", OspValueTypes.time(Duration.ZERO, DAY), "PT1M")
                    .atStart(
                            "A token that a gateway shows may be out of its time by so much; else"
                                    + " status 530 or 531.");

    static final Key<Integer> CALL_SECONDS =
            TABLE.key("token.call-seconds", ValueTypes.count(1, 1_000_000), "14400")
                    .live("How long an authorised call may last, in seconds.");
    static final Key<KeyKind> GENERATE =
            TABLE.key(
                            "token.generate",
                            OspValueTypes.words("rsa or ecdsa", KeyKind::valueOf),
                            "rsa")
                    .atStart("The key made at the first start: RSA (2048) or ECDSA (P-256).");
    static final Key<Optional<Path>> PKCS12 =
            TABLE.key("token.pkcs12", PLACE, "").atStart("The key as PKCS #12 instead of PEM.");
    static final Key<Optional<Path>> PKCS12_PASSWORD =
            TABLE.key("token.pkcs12-password-file", PLACE, "")
                    .atStart("File with the password of that.");
    static final Key<Optional<Path>> VERIFY =
            TABLE.key("token.verify-certificates", PLACE, "")
                    .atStart(
                            "PEM file of further certificates whose own tokens count; what they"
                                    + " have issued does not.");
    static final Key<Boolean> CONFIRM_UNSIGNED =
            TABLE.key("token.confirm-unsigned", ValueTypes.SWITCH, "false")
                    .live("Whether unsigned tokens are confirmed to terminating gateways.");
    static final Key<Integer> TAKEN =
            TABLE.key("token.taken", ValueTypes.count(1, 10_000_000), "200000")
                    .atStart(
                            "Tokens and signed requests that are remembered as taken until they are"
                                    + " too old, 16 bytes on the disk each; more: status 503.");
    static final Key<Boolean> TAKEN_IN_DATABASE =
            TABLE.key("token.taken-in-database", ValueTypes.SWITCH, "false")
                    .atStart(
                            "They are remembered in the records' database, so that all servers that"
                                + " share it take each once between them, instead of in files.");
    static final Key<CryptoProvider> PROVIDER =
            TABLE.key(
                            "token.provider",
                            OspValueTypes.words("auto, jdk or corretto", CryptoProvider::parse),
                            "auto")
                    .atStart(
                            "Who signs: the JDK, Amazon Corretto Crypto Provider, or the faster"
                                    + " one that runs.");
    static final Key<Integer> SIGNING_THREADS =
            TABLE.key("token.signing-threads", OspValueTypes.THREADS, "processors")
                    .atStart("Threads that make RSA signatures.");
    static final Key<Integer> SIGNING_QUEUE =
            TABLE.key("token.signing-queue", ValueTypes.count(1, 1_000_000), "4096")
                    .atStart("Signatures that may wait; more: status 503.");

    static final Key<Optional<Path>> ACCOUNTS =
            TABLE.key("enrolment.accounts", PLACE, "")
                    .atStart("File of who may enrol; without it there is no /tep.");
    static final Key<Integer> GUESSES =
            TABLE.key("enrolment.guesses", ValueTypes.count(1, 10_000), "10")
                    .atStart(
                            "Wrong passwords of an address with less than a minute between them;"
                                    + " then HTTP 429, and for a minute nothing of it is looked"
                                    + " at.");
    static final Key<Optional<Path>> ENROLMENT_KEY =
            TABLE.key("enrolment.key", PLACE, "")
                    .atStart(
                            "Key that issues certificates (PEM), not that of the tokens; empty: the"
                                    + " data folder's, made when first needed.");
    static final Key<Optional<Path>> ENROLMENT_CERTIFICATE =
            TABLE.key("enrolment.certificate", PLACE, "").atStart("That key's certificate (PEM).");
    static final Key<Duration> ENROLMENT_VALID =
            TABLE.key("enrolment.valid", OspValueTypes.time(DAY, Duration.ofDays(7_300)), "PT8760H")
                    .live("How long issued certificates count.");
    static final Key<Digest> ENROLMENT_DIGEST =
            TABLE.key(
                            "enrolment.digest",
                            OspValueTypes.words("sha256 or md5", Digest::valueOf),
                            "sha256")
                    .live(
                            "What is signed of issued certificates; md5 is weak, and only for old"
                                    + " clients that verify nothing else.");

    static final Key<Optional<Path>> AUTHORITIES =
            TABLE.key("devices.authorities", PLACE, "")
                    .atStart(
                            "PEM file of further authorities whose certificates are those of"
                                    + " devices, as those of /tep are.");
    static final Key<Optional<Path>> REVOKED =
            TABLE.key("devices.revoked", PLACE, "")
                    .atStart(
                            "File with the serial numbers of certificates that do not count any"
                                    + " more, read again when it changes.");

    static final Key<Optional<Path>> ROUTES_FOLDER =
            TABLE.key("routes.folder", PLACE, "")
                    .atStart("Where the routing tables are; empty: routes in the data folder.");
    static final Key<Boolean> ROUTES_IN_DATABASE =
            TABLE.key("routes.in-database", ValueTypes.SWITCH, "false")
                    .atStart(
                            "The routing tables are SQL tables of the records' database instead of"
                                    + " files.");
    static final Key<Integer> OPEN_CALLS =
            TABLE.key("routing.open-calls", ValueTypes.count(1, 10_000_000), "200000")
                    .atStart("Calls that are counted at once; above it the oldest is forgotten.");
    static final Key<Duration> CALL_LIFE =
            TABLE.key("routing.call-life", SPAN, "PT4H")
                    .atStart("A call without any usage counts for so long.");
    static final Key<Duration> WINDOW =
            TABLE.key("quality.window", SPAN, "PT15M")
                    .live(
                            "How far back calls count for the quality of a destination; a change"
                                    + " begins anew.");
    static final Key<Integer> ATTEMPTS =
            TABLE.key("quality.attempts", ValueTypes.count(1, 1_000_000), "20")
                    .live("How many attempts it takes to judge it.");
    static final Key<Duration> SUSPENSION =
            TABLE.key("quality.suspension", SPAN, "PT10M")
                    .live("How long a destination that falls short is left out.");

    static final Key<String> DATABASE =
            TABLE.key("cdr.database", OspValueTypes.DATABASE, "")
                    .atStart(
                            "A JDBC address, as jdbc:postgresql://127.0.0.1/osp; empty: SQLite,"
                                    + " osp.db in the data folder.");
    static final Key<String> USER =
            TABLE.key("cdr.user", ValueTypes.TEXT, "").atStart("Who connects to PostgreSQL.");
    static final Key<Optional<Path>> PASSWORD_FILE =
            TABLE.key("cdr.password-file", PLACE, "").atStart("File with the password of that.");
    static final Key<Long> JOURNAL_SIZE =
            TABLE.key("cdr.journal-size", ValueTypes.size(KIB, Integer.MAX_VALUE), "268435456")
                    .live(
                            "Records that may wait for the database; more: HTTP 503 with"
                                    + " Retry-After.");
    static final Key<Integer> KNOWN_REPEATS =
            TABLE.key("cdr.known-repeats", ValueTypes.count(0, 10_000_000), "65536")
                    .atStart(
                            "Usages on the disk that are known again when a client repeats them,"
                                    + " 100 bytes each; 0: each repeat is written again and"
                                    + " changes nothing.");
    static final Key<Integer> KEEP_DAYS =
            TABLE.key("cdr.keep-days", ValueTypes.count(0, 36_500), "0")
                    .live("Records older than that are removed; 0 keeps all.");

    static final Key<Integer> ADMIN_PORT =
            TABLE.key("admin.port", ValueTypes.count(0, 0xFFFF), "0")
                    .atStart(
                            "Port of status, metrics and changes on 127.0.0.1; 0: any free one,"
                                    + " written to admin.port in the data folder.");
    static final Key<Optional<Path>> ADMIN_TOKEN =
            TABLE.key("admin.token-file", PLACE, "")
                    .atStart(
                            "File with the token that changes there need, mode 600; without it"
                                    + " nothing can be changed there.");

    private OspKeys() {}

    /**
     * Returns all keys.
     *
     * @return in the order of the docs
     */
    public static List<Key<?>> all() {
        return TABLE.all();
    }
}
