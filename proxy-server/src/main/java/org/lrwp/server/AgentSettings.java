package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.FileFault;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;

/**
 * Where the web application's LRWP agent is going to listen, and its HTTPS: the same keys that it
 * reads, in the same order (system property, environment, file, default). Read here only so that a
 * port that is taken, or wanted twice, is named before the container boots; the web application's
 * reader judges everything else.
 */
final class AgentSettings {
    static final String PORT = "agent.port";
    static final String ADDRESS = "agent.address";
    static final String HTTPS_PORT = "https.port";
    private static final String DEFAULT_PORT = "1081";
    private static final String DEFAULT_ADDRESS = "127.0.0.1";

    private final Properties file;
    private final Properties system;
    private final Map<String, String> environment;

    private AgentSettings(Properties file, Properties system, Map<String, String> environment) {
        this.file = file;
        this.system = system;
        this.environment = environment;
    }

    /**
     * Reads the file, if there is one.
     *
     * @throws StartFault when the file cannot be read
     */
    static AgentSettings read(
            @Nullable Path file, Properties system, Map<String, String> environment)
            throws StartFault {
        Properties values = new Properties();
        if (file != null) {
            if (Files.notExists(file)) {
                throw new StartFault("the configuration file %s does not exist".formatted(file));
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                String what = Files.isDirectory(file) ? "folder" : "pipe or device";
                throw unreadable(file, "it is a " + what);
            }
            try (Reader in = Files.newBufferedReader(file)) {
                values.load(in);
            } catch (IOException e) {
                throw unreadable(file, FileFault.reason(e));
            } catch (IllegalArgumentException e) {
                throw unreadable(file, String.valueOf(e.getMessage()));
            }
        }
        return new AgentSettings(values, system, environment);
    }

    private static StartFault unreadable(Path file, String why) {
        return new StartFault("the configuration file %s cannot be read: %s".formatted(file, why));
    }

    /**
     * The agent's endpoint, or empty when the configured port is not a number: that fault is the
     * web application's to report, together with all others.
     *
     * @param option the port of the command line, which overrides all others
     */
    Optional<Endpoint> endpoint(OptionalInt option) {
        String port =
                option.isPresent()
                        ? Integer.toString(option.getAsInt())
                        : value(PORT, DEFAULT_PORT).strip();
        String address = value(ADDRESS, DEFAULT_ADDRESS).strip();
        try {
            return Optional.of(
                    new Endpoint("LRWP", "--lrwp-port", address, Integer.parseInt(port)));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }

    /** The port of HTTPS, 0 for none, or empty when it is not a number, as with the agent's. */
    OptionalInt httpsPort() {
        try {
            return OptionalInt.of(Integer.parseInt(value(HTTPS_PORT, "0").strip()));
        } catch (NumberFormatException notANumber) {
            return OptionalInt.empty();
        }
    }

    private String value(String key, String ifAbsent) {
        String named = system.getProperty("lrwp." + key);
        if (named == null) {
            named = environment.get("LRWP_" + key.toUpperCase(Locale.ROOT).replace('.', '_'));
        }
        if (named == null) {
            named = file.getProperty(key);
        }
        return named == null ? ifAbsent : named;
    }
}
