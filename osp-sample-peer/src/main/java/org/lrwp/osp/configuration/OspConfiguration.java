package org.lrwp.osp.configuration;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.authorisation.TokenTimes;
import org.lrwp.osp.enrolment.CertificateTerms;
import org.lrwp.osp.message.MessageLimits;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.osp.token.CryptoProvider;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.osp.token.TokenClass;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.operation.Admin;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that is set, as the parts of the server take it. {@link OspKeys} has the keys.
 *
 * @param messages limits of messages
 * @param tokens tokens and their keys
 * @param signedForm what is done with signed messages
 * @param enrolment enrolment of gateways
 * @param devices how devices prove who they are
 * @param routes where the routing tables are
 * @param routing how calls are routed
 * @param records where records of calls go
 * @param watching what operators see
 */
public record OspConfiguration(
        Messages messages,
        Tokens tokens,
        SignedForm signedForm,
        Enrolment enrolment,
        Devices devices,
        Routes routes,
        RoutingDesk.Settings routing,
        Records records,
        Watching watching) {
    /** What is done with messages in the form multipart/signed. */
    public enum SignedForm {
        /** They are refused like any other unknown form. */
        OFF,
        /** They are checked, and answered in the same form; plain ones are taken too. */
        ACCEPT,
        /** Only they are taken. */
        REQUIRE
    }

    /**
     * Limits of messages.
     *
     * @param size the longest message, in bytes
     * @param counts how much may be in it
     * @param plainFrom from where plain ones are taken
     * @param remembered how many answers are remembered; 0 for none
     * @param age for how long, and how far the time of a signed message may be from now
     */
    public record Messages(
            int size, MessageLimits counts, PlainSenders plainFrom, int remembered, Duration age) {}

    /**
     * Tokens and their keys.
     *
     * @param kind what devices take that say nothing else
     * @param times how long tokens count
     * @param signing how they are signed
     * @param files where the keys are
     * @param unsignedCounts whether tokens without signature are confirmed to terminating gateways
     * @param taken how many tokens and signed requests are remembered as taken
     * @param takenInDatabase whether they are in the records' database, for all that share it
     */
    public record Tokens(
            TokenClass kind,
            TokenTimes times,
            Signing signing,
            KeyFiles files,
            boolean unsignedCounts,
            int taken,
            boolean takenInDatabase) {}

    /**
     * How tokens are signed.
     *
     * @param provider whose code signs
     * @param threads threads that sign RSA, 1 or more
     * @param waiting RSA signatures that may wait
     */
    public record Signing(CryptoProvider provider, int threads, int waiting) {}

    /**
     * Where keys are.
     *
     * @param key the key that signs, as PEM; empty: the data folder's
     * @param certificate its certificate; there when the key is
     * @param pkcs12 the key's file, instead of PEM; empty for PEM
     * @param pkcs12Password the file with its password; empty for none
     * @param verify a file of further certificates whose tokens count; empty for none
     * @param generated the kind of key made at the first start
     */
    public record KeyFiles(
            Optional<Path> key,
            Optional<Path> certificate,
            Optional<Path> pkcs12,
            Optional<Path> pkcs12Password,
            Optional<Path> verify,
            KeyKind generated) {}

    /**
     * Enrolment of gateways.
     *
     * @param accounts the file of who may enrol; empty: no enrolment
     * @param guesses wrong passwords of a source before it is not listened to
     * @param key the key that issues certificates, as PEM; empty: the data folder's
     * @param certificate its certificate; there when the key is
     * @param terms how certificates are issued
     */
    public record Enrolment(
            Optional<Path> accounts,
            int guesses,
            Optional<Path> key,
            Optional<Path> certificate,
            CertificateTerms terms) {}

    /**
     * How devices prove who they are.
     *
     * @param authorities a file of further authorities that issue their certificates; empty for
     *     none but that of the enrolment
     * @param revoked a file of serial numbers that do not count any more; empty for none
     */
    public record Devices(Optional<Path> authorities, Optional<Path> revoked) {}

    /**
     * Where the routing tables are.
     *
     * @param folder their folder; empty: {@code routes} in the data folder
     * @param inDatabase whether they are SQL tables instead
     */
    public record Routes(Optional<Path> folder, boolean inDatabase) {}

    /**
     * Where records of calls go.
     *
     * @param database a JDBC address; empty for SQLite in the data folder
     * @param user who connects; empty for SQLite
     * @param passwordFile the file with its password; empty for none
     * @param journal the most bytes that may wait for the database
     * @param repeats how many usages are known again when a client repeats them
     * @param keep how long records stay; zero for ever
     */
    public record Records(
            String database,
            String user,
            Optional<Path> passwordFile,
            long journal,
            int repeats,
            Duration keep) {}

    /**
     * What operators see.
     *
     * @param interval time between log lines of calls
     * @param admin the endpoint of status, metrics and changes
     */
    public record Watching(Duration interval, Admin admin) {}

    /**
     * Returns what counts where nothing is set.
     *
     * @return the defaults
     */
    public static OspConfiguration usual() {
        try {
            return of(Configuration.open(OspKeys.all(), Map.of(), null));
        } catch (BadConfigurationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads a file.
     *
     * @param file lines of the form {@code name = value}; names of files in it start from its
     *     folder
     * @return the configuration
     * @throws BadConfigurationException when it cannot be read or something in it cannot be used
     */
    public static OspConfiguration read(Path file) throws BadConfigurationException {
        return of(Configuration.open(OspKeys.all(), Map.of(), file));
    }

    /**
     * Returns what is set now.
     *
     * @param configuration values of {@link OspKeys#all()}
     * @return the same as a record
     */
    public static OspConfiguration of(Configuration configuration) {
        return of(configuration.values(), configuration.file());
    }

    /**
     * Makes a record of values.
     *
     * @param values values of {@link OspKeys#all()}
     * @param file the file that some of them are from; null when there is none
     * @return the record
     */
    public static OspConfiguration of(Values values, @Nullable Path file) {
        Places places = new Places(values, file);
        return new OspConfiguration(
                messages(values),
                tokens(values, places),
                values.get(OspKeys.SIGNED),
                new Enrolment(
                        places.of(OspKeys.ACCOUNTS),
                        values.get(OspKeys.GUESSES),
                        places.of(OspKeys.ENROLMENT_KEY),
                        places.of(OspKeys.ENROLMENT_CERTIFICATE),
                        new CertificateTerms(
                                values.get(OspKeys.ENROLMENT_VALID),
                                values.get(OspKeys.ENROLMENT_DIGEST))),
                new Devices(places.of(OspKeys.AUTHORITIES), places.of(OspKeys.REVOKED)),
                new Routes(
                        places.of(OspKeys.ROUTES_FOLDER), values.get(OspKeys.ROUTES_IN_DATABASE)),
                new RoutingDesk.Settings(
                        values.get(OspKeys.TOKEN_KIND),
                        values.get(OspKeys.OPEN_CALLS),
                        values.get(OspKeys.CALL_LIFE),
                        values.get(OspKeys.WINDOW),
                        values.get(OspKeys.ATTEMPTS),
                        values.get(OspKeys.SUSPENSION)),
                new Records(
                        values.get(OspKeys.DATABASE),
                        values.get(OspKeys.USER),
                        places.of(OspKeys.PASSWORD_FILE),
                        values.get(OspKeys.JOURNAL_SIZE),
                        values.get(OspKeys.KNOWN_REPEATS),
                        Duration.ofDays(values.get(OspKeys.KEEP_DAYS))),
                new Watching(
                        values.get(OspKeys.REPORT_INTERVAL),
                        new Admin(
                                values.get(OspKeys.ADMIN_PORT),
                                places.of(OspKeys.ADMIN_TOKEN).orElse(null))));
    }

    private static Messages messages(Values values) {
        return new Messages(
                Math.toIntExact(values.get(OspKeys.MAX_SIZE)),
                new MessageLimits(
                        values.get(OspKeys.MAX_COMPONENTS),
                        values.get(OspKeys.MAX_ELEMENTS),
                        values.get(OspKeys.MAX_LEVELS),
                        values.get(OspKeys.MAX_ATTRIBUTES)),
                values.get(OspKeys.PLAIN_FROM),
                values.get(OspKeys.REMEMBERED),
                values.get(OspKeys.MAX_AGE));
    }

    private static Tokens tokens(Values values, Places places) {
        return new Tokens(
                values.get(OspKeys.TOKEN_KIND),
                new TokenTimes(
                        values.get(OspKeys.VALID_BEFORE),
                        values.get(OspKeys.VALID_FOR),
                        values.get(OspKeys.CLOCK_SKEW),
                        values.get(OspKeys.CALL_SECONDS)),
                new Signing(
                        values.get(OspKeys.PROVIDER),
                        values.get(OspKeys.SIGNING_THREADS),
                        values.get(OspKeys.SIGNING_QUEUE)),
                new KeyFiles(
                        places.of(OspKeys.KEY),
                        places.of(OspKeys.CERTIFICATE),
                        places.of(OspKeys.PKCS12),
                        places.of(OspKeys.PKCS12_PASSWORD),
                        places.of(OspKeys.VERIFY),
                        values.get(OspKeys.GENERATE)),
                values.get(OspKeys.CONFIRM_UNSIGNED),
                values.get(OspKeys.TAKEN),
                values.get(OspKeys.TAKEN_IN_DATABASE));
    }

    /** Where files are: names in the file of configuration start from its folder. */
    private record Places(Values values, @Nullable Path file) {
        Optional<Path> of(Key<Optional<Path>> key) {
            Optional<Path> place = values.get(key);
            boolean inFile = values.origin(key.name()).kind() == Origin.Kind.FILE;
            return inFile && file != null
                    ? place.map(file.toAbsolutePath()::resolveSibling)
                    : place;
        }
    }
}
