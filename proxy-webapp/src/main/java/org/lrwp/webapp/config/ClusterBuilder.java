package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.ClusterConfig;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.operation.SecretFile;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Makes of checked values what a node of a cluster is given.
 *
 * @param values the values
 */
record ClusterBuilder(Values values) {
    /** What a node needs; null for a proxy that is none. */
    @Nullable ClusterConfig build() {
        return values.get(ClusterKeys.NATS).isEmpty()
                ? null
                : new ClusterConfig(
                        values.get(ClusterKeys.NATS),
                        values.get(ClusterKeys.CLUSTER),
                        values.get(ClusterKeys.NODE),
                        login(),
                        values.get(ClusterKeys.HEARTBEAT),
                        values.get(ClusterKeys.MOST_AWAY),
                        values.get(ClusterKeys.MOST_BODY).intValue());
    }

    private ClusterConfig.@Nullable Login login() {
        try {
            return login(values);
        } catch (BadConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Reads the file that proves who this node is.
     *
     * @throws BadConfigurationException when it cannot be used
     */
    static ClusterConfig.@Nullable Login login(Values values) throws BadConfigurationException {
        String file = values.get(ClusterKeys.LOGIN_FILE);
        if (file.isEmpty()) {
            return null;
        }
        String name = ClusterKeys.LOGIN_FILE.name();
        String text = new String(SecretFile.read(name, Path.of(file)), StandardCharsets.UTF_8);
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new BadConfigurationException(name + ": " + file + " is not USER:PASSWORD");
        }
        return new ClusterConfig.Login(text.substring(0, colon), text.substring(colon + 1));
    }
}
