package org.lrwp.acme;

import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueType;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.configuration.Values;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What can be set of automatic certificates.
 *
 * @param names what the certificate is for, at least one
 * @param directory where the certification authority is asked
 * @param trust the file with the only certificates that the directory may show; empty for those
 *     that Java trusts
 * @param contacts e-mail addresses for the account
 * @param challenge how the names are proved
 * @param renewal when a certificate is renewed
 * @param backoff when a failed order is tried again
 * @param times how long things may take
 */
record AcmeConfig(
        List<String> names,
        URI directory,
        String trust,
        List<String> contacts,
        ChallengeKind challenge,
        RenewalTime renewal,
        Backoff backoff,
        Times times) {
    /**
     * How long things may take.
     *
     * @param start from the start until the first order
     * @param challenge from the answer to a challenge being there until the directory is told
     * @param request one request to the directory
     * @param order one order with all its requests
     */
    record Times(Duration start, Duration challenge, Duration request, Duration order) {}

    private static final KeyTable TABLE = new KeyTable();

    private static final ValueType<Duration> WAIT =
            ValueTypes.duration(Duration.ZERO, Duration.ofHours(1));
    private static final ValueType<Duration> LIMIT =
            ValueTypes.duration(Duration.ofMillis(1), Duration.ofHours(1));
    private static final ValueType<Duration> BEFORE =
            ValueTypes.duration(Duration.ofSeconds(1), Duration.ofDays(365));
    private static final ValueType<Duration> DELAY =
            ValueTypes.duration(Duration.ofSeconds(1), Duration.ofDays(7));

    static final Key<List<String>> NAMES =
            TABLE.key("names", AcmeValueTypes.NAMES, "")
                    .atStart(
                            "What the certificate is for. When the one that is there lacks one of"
                                    + " them, a new one is ordered.");

    static final Key<Path> FOLDER =
            TABLE.key("folder", ValueTypes.PATH, "")
                    .atStart(
                            "Where `certificate.pem`, `key.pem`, `account.pem` and `challenges`"
                                    + " are; made with mode 700 when it is not there.");

    static final Key<Boolean> TERMS =
            TABLE.key("terms-agreed", ValueTypes.SWITCH, "false")
                    .atStart(
                            "Whether you agree to the terms of the certification authority. Unless"
                                    + " true the module does not start and says where they are.");

    static final Key<URI> DIRECTORY =
            TABLE.key(
                            "directory",
                            AcmeValueTypes.DIRECTORY,
                            "https://acme-v02.api.letsencrypt.org/directory")
                    .atStart("The directory of the certification authority.");

    static final Key<String> TRUST =
            TABLE.key("directory-ca", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with the only roots that count for the directory's own TLS;"
                                    + " empty = those of Java.");

    static final Key<List<String>> CONTACT =
            TABLE.key("contact", AcmeValueTypes.EMAILS, "")
                    .atStart(
                            "Who is told of trouble; given when the account is made; empty ="
                                    + " nobody.");

    static final Key<ChallengeKind> CHALLENGE =
            TABLE.key("challenge", ValueTypes.choice(ChallengeKind.class), "http-01")
                    .atStart("How the names are proved: by port 80, or by port 443.");

    static final Key<Duration> RENEW_BEFORE =
            TABLE.key("renew-before", BEFORE, "30d")
                    .atStart(
                            "How long before its end a certificate is renewed; a third of its life"
                                    + " when that is shorter.");

    static final Key<Duration> RETRY =
            TABLE.key("retry-delay", DELAY, "5m")
                    .atStart(
                            "The wait after an order has failed; it doubles with each further"
                                    + " failure. Also the least time between two orders.");

    static final Key<Duration> RETRY_LONGEST =
            TABLE.key("retry-longest", DELAY, "6h")
                    .atStart(
                            "The longest wait after a failure, also when the directory asks for a"
                                    + " longer one.");

    static final Key<Duration> START =
            TABLE.key("start-delay", WAIT, "10s")
                    .atStart(
                            "From the start to the first order: until then the ports have to be"
                                    + " open.");

    static final Key<Duration> CHALLENGE_DELAY =
            TABLE.key("challenge-delay", WAIT, "1s")
                    .atStart(
                            "From the answer to a challenge being there until the directory is"
                                    + " told; so long the HTTPS port may take to see its file.");

    static final Key<Duration> REQUEST =
            TABLE.key("request-timeout", LIMIT, "30s")
                    .atStart(
                            "How long one request to the directory may take; then the order"
                                    + " fails.");

    static final Key<Duration> ORDER =
            TABLE.key("order-timeout", LIMIT, "5m")
                    .atStart("How long an order may take; then it fails.");

    static final List<Key<?>> KEYS = TABLE.all();

    AcmeConfig {
        names = List.copyOf(names);
        contacts = List.copyOf(contacts);
    }

    static AcmeConfig from(Values values) {
        return new AcmeConfig(
                values.get(NAMES),
                values.get(DIRECTORY),
                values.get(TRUST),
                values.get(CONTACT),
                values.get(CHALLENGE),
                new RenewalTime(values.get(RENEW_BEFORE)),
                new Backoff(values.get(RETRY), values.get(RETRY_LONGEST)),
                new Times(
                        values.get(START),
                        values.get(CHALLENGE_DELAY),
                        values.get(REQUEST),
                        values.get(ORDER)));
    }
}
