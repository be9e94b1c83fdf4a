package org.lrwp.osp.configuration;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.authorisation.TokenTimes;
import org.lrwp.osp.message.MessageLimits;
import org.lrwp.osp.routing.RoutingDesk;
import org.lrwp.osp.token.CryptoProvider;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.osp.token.TokenClass;
import org.lrwp.runtime.BadOptionException;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/**
 * Everything that can be set: docs/osp.md lists the keys.
 *
 * @param messages limits of messages
 * @param tokens tokens and their keys
 * @param signedForm what is done with signed messages
 * @param enrolment enrolment of gateways
 * @param routes where the routing tables are
 * @param routing how calls are routed
 * @param records where records of calls go
 * @param adminPort the port of status and metrics on the loopback address; 0: any that is free
 */
public record OspConfiguration(
        Messages messages,
        Tokens tokens,
        SignedForm signedForm,
        Enrolment enrolment,
        Routes routes,
        RoutingDesk.Settings routing,
        Records records,
        int adminPort) {
    private static final int KIB = 1_024;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DAY = Duration.ofDays(1);

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
     * @param size the longest message, in octets
     * @param counts how much may be in it
     */
    public record Messages(int size, MessageLimits counts) {}

    /**
     * Tokens and their keys.
     *
     * @param kind what devices take that say nothing else
     * @param times how long tokens count
     * @param provider whose code signs
     * @param threads threads that sign RSA, 1 or more
     * @param waiting RSA signatures that may wait
     * @param generated the kind of key made at the first start
     * @param pkcs12 the key's file, instead of PEM; empty for PEM
     * @param pkcs12Password the file with its password; empty for none
     * @param verify a file of further certificates whose tokens count; empty for none
     * @param unsignedCounts whether tokens without signature are confirmed to terminating gateways
     */
    public record Tokens(
            TokenClass kind,
            TokenTimes times,
            CryptoProvider provider,
            int threads,
            int waiting,
            KeyKind generated,
            Optional<Path> pkcs12,
            Optional<Path> pkcs12Password,
            Optional<Path> verify,
            boolean unsignedCounts) {}

    /**
     * Enrolment of gateways.
     *
     * @param accounts the file of who may enrol; empty: no enrolment
     * @param valid how long issued certificates count
     */
    public record Enrolment(Optional<Path> accounts, Duration valid) {}

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
     * @param journal the most octets that may wait for the database
     * @param keep how long records stay; zero for ever
     */
    public record Records(
            String database,
            String user,
            Optional<Path> passwordFile,
            long journal,
            Duration keep) {}

    /**
     * Reads a file, if one is named.
     *
     * @param file a properties file, or null for the defaults
     * @return the configuration
     * @throws BadOptionException as in {@link #read(Path)}
     */
    public static OspConfiguration of(@Nullable Path file) throws BadOptionException {
        return file == null ? usual() : read(file);
    }

    /**
     * Returns what counts where nothing is set.
     *
     * @return the defaults
     */
    public static OspConfiguration usual() {
        return read(new Settings(new Properties()), Path.of(""));
    }

    /**
     * Reads a file.
     *
     * @param file a properties file; names of files in it start from its folder
     * @return the configuration
     * @throws BadOptionException when it cannot be read or something in it cannot be used; the
     *     message lists all of that
     */
    public static OspConfiguration read(Path file) throws BadOptionException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new BadOptionException("--config: " + file + " cannot be read");
        }
        Settings settings = new Settings(properties);
        OspConfiguration configuration = read(settings, folderOf(file));
        List<String> faults = settings.faults();
        if (!faults.isEmpty()) {
            throw new BadOptionException(file + ": " + String.join("; ", faults));
        }
        return configuration;
    }

    private static Path folderOf(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? Path.of("") : folder;
    }

    private static OspConfiguration read(Settings settings, Path folder) {
        Tokens tokens = tokens(settings, folder);
        return new OspConfiguration(
                messages(settings),
                tokens,
                settings.choice(
                        "messages.signed",
                        SignedForm.OFF,
                        text -> SignedForm.valueOf(text.toUpperCase(Locale.ROOT))),
                new Enrolment(
                        settings.text("enrolment.accounts").map(folder::resolve),
                        settings.time(
                                "enrolment.valid",
                                Duration.ofDays(365),
                                DAY,
                                Duration.ofDays(7_300))),
                new Routes(
                        settings.text("routes.folder").map(folder::resolve),
                        settings.flag("routes.in-database", false)),
                routing(settings, tokens.kind()),
                records(settings, folder),
                settings.number("admin.port", 0, 0, 65_535));
    }

    private static RoutingDesk.Settings routing(Settings settings, TokenClass tokens) {
        return new RoutingDesk.Settings(
                tokens,
                settings.number("routing.open-calls", 200_000, 1, 10_000_000),
                settings.time("routing.call-life", Duration.ofHours(4), MINUTE, DAY),
                settings.time("quality.window", Duration.ofMinutes(15), MINUTE, DAY),
                settings.number("quality.attempts", 20, 1, 1_000_000),
                settings.time("quality.suspension", Duration.ofMinutes(10), MINUTE, DAY));
    }

    private static Records records(Settings settings, Path folder) {
        return new Records(
                settings.text("cdr.database").orElse(""),
                settings.text("cdr.user").orElse(""),
                settings.text("cdr.password-file").map(folder::resolve),
                settings.number("cdr.journal-size", 256 * KIB * KIB, KIB, Integer.MAX_VALUE),
                Duration.ofDays(settings.number("cdr.keep-days", 0, 0, 36_500)));
    }

    private static Messages messages(Settings settings) {
        MessageLimits usual = MessageLimits.USUAL;
        return new Messages(
                settings.number("messages.max-size", 256 * KIB, KIB, 16 * KIB * KIB),
                new MessageLimits(
                        settings.number("messages.max-components", usual.components(), 1, 1_000),
                        settings.number("messages.max-elements", usual.elements(), 16, 1_000_000),
                        settings.number("messages.max-levels", usual.levels(), 4, 64),
                        settings.number("messages.max-attributes", usual.attributes(), 1, 256)));
    }

    private static Tokens tokens(Settings settings, Path folder) {
        TokenTimes usual = TokenTimes.USUAL;
        TokenTimes times =
                new TokenTimes(
                        settings.time("token.valid-before", usual.before(), DAY.negated(), DAY),
                        settings.time("token.valid-for", usual.valid(), DAY.negated(), DAY),
                        settings.time("token.clock-skew", usual.skew(), Duration.ZERO, DAY),
                        settings.number("token.call-seconds", usual.call(), 1, 1_000_000));
        return new Tokens(
                settings.choice("token.kind", TokenClass.USUAL, TokenClass::parse),
                times,
                settings.choice("token.provider", CryptoProvider.AUTO, CryptoProvider::parse),
                settings.number(
                        "token.signing-threads",
                        Runtime.getRuntime().availableProcessors(),
                        1,
                        256),
                settings.number("token.signing-queue", 4_096, 1, 1_000_000),
                settings.choice(
                        "token.generate",
                        KeyKind.RSA,
                        text -> KeyKind.valueOf(text.toUpperCase(Locale.ROOT))),
                settings.text("token.pkcs12").map(folder::resolve),
                settings.text("token.pkcs12-password-file").map(folder::resolve),
                settings.text("token.verify-certificates").map(folder::resolve),
                settings.flag("token.confirm-unsigned", false));
    }
}
