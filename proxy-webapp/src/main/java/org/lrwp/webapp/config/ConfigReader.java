package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.Schema;

import java.nio.file.Path;
import java.util.Map;

/**
 * Reads the proxy's configuration as a whole: docs/configuration.md. Either everything in it is
 * right, or one exception lists all that is not.
 */
public final class ConfigReader {
    /**
     * The proxy's configuration while it runs.
     *
     * @param configuration its values, now and later
     * @param live what the proxy's parts make of them
     * @param peers the identities of peers; null when there is no file of them
     */
    public record Opened(
            Configuration configuration, Live<WebappConfig> live, @Nullable PeersFile peers) {}

    private ConfigReader() {}

    /**
     * Opens the configuration; blocks while its file is read.
     *
     * @param environment the environment, with {@code LRWP_*}
     * @param system system properties, with {@code lrwp.*}; {@code lrwp.config} names the file
     * @param folder where {@code lrwp.properties} is looked for when no file is named; null =
     *     nowhere
     * @param version version of the proxy, told to peers
     * @return the configuration
     * @throws BadConfigurationException when anything is wrong with it
     */
    public static Opened open(
            Map<String, String> environment,
            Map<String, String> system,
            @Nullable Path folder,
            String version)
            throws BadConfigurationException {
        ProxySources places = ProxySources.of(environment, system, folder);
        String secrets = environment.get(ProxySources.SECRETS_VARIABLE);
        Configuration configuration =
                Configuration.open(
                        new Schema(Keys.all(), ProxyRules.all(secrets)), places.sources());
        Live<WebappConfig> live =
                configuration.bind(
                        values ->
                                new ConfigBuilder(values, version, secrets)
                                        .build(places.unknownVariables()));
        return new Opened(configuration, live, PeersFile.named(configuration.values()));
    }

    /**
     * Reads the configuration once.
     *
     * @param environment the environment, with {@code LRWP_*}
     * @param system system properties, with {@code lrwp.*}; {@code lrwp.config} names the file
     * @param folder where {@code lrwp.properties} is looked for when no file is named; null =
     *     nowhere
     * @param version version of the proxy, told to peers
     * @return the configuration as it is now
     * @throws BadConfigurationException when anything is wrong with it
     */
    public static WebappConfig read(
            Map<String, String> environment,
            Map<String, String> system,
            @Nullable Path folder,
            String version)
            throws BadConfigurationException {
        return open(environment, system, folder, version).live().get();
    }
}
