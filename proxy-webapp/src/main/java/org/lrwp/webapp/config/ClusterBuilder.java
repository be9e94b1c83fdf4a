package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.ClusterConfig;
import org.lrwp.cluster.NatsTls;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.operation.LoginFile;
import org.lrwp.runtime.operation.SecretFile;
import org.lrwp.sdk.tls.OwnCertificate;

import java.io.IOException;
import java.nio.file.Path;

import javax.net.ssl.SSLContext;

/**
 * Makes of checked values what a node of a cluster is given.
 *
 * @param values the values
 */
record ClusterBuilder(Values values) {
    private static final int LEAST_SECRET = 16;

    /** What a node needs; null for a proxy that is none. */
    @Nullable ClusterConfig build() {
        return values.get(ClusterKeys.NATS).isEmpty()
                ? null
                : new ClusterConfig(
                        values.get(ClusterKeys.NATS),
                        values.get(ClusterKeys.CLUSTER),
                        values.get(ClusterKeys.NODE),
                        access(),
                        values.get(ClusterKeys.HEARTBEAT),
                        values.get(ClusterKeys.PACK_INTERVAL),
                        values.get(ClusterKeys.MOST_AWAY),
                        values.get(ClusterKeys.MOST_BODY).intValue(),
                        direct());
    }

    private ClusterConfig.Access access() {
        try {
            return access(values);
        } catch (BadConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private ClusterConfig.@Nullable Direct direct() {
        try {
            return direct(values);
        } catch (BadConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Reads the secret of the nodes.
     *
     * @throws BadConfigurationException when it cannot be used
     */
    static ClusterConfig.@Nullable Direct direct(Values values) throws BadConfigurationException {
        String file = values.get(ClusterKeys.SECRET_FILE);
        if (file.isEmpty()) {
            return null;
        }
        String name = ClusterKeys.SECRET_FILE.name();
        byte[] secret = SecretFile.read(name, Path.of(file));
        if (secret.length < LEAST_SECRET) {
            throw new BadConfigurationException(
                    name + ": " + file + " has less than " + LEAST_SECRET + " bytes");
        }
        return new ClusterConfig.Direct(
                values.get(ClusterKeys.ADDRESS), values.get(ClusterKeys.PORT), secret);
    }

    /**
     * Reads all files.
     *
     * @throws BadConfigurationException when one cannot be used
     */
    static ClusterConfig.Access access(Values values) throws BadConfigurationException {
        return new ClusterConfig.Access(login(values), tls(values));
    }

    /**
     * Reads what connections to NATS need.
     *
     * @throws BadConfigurationException when it cannot be used
     */
    static @Nullable SSLContext tls(Values values) throws BadConfigurationException {
        String trust = values.get(ClusterKeys.TLS_TRUST);
        String certificate = values.get(ClusterKeys.TLS_CERTIFICATE);
        String key = values.get(ClusterKeys.TLS_KEY);
        boolean asked =
                values.get(ClusterKeys.NATS).stream()
                        .anyMatch(server -> "tls".equals(server.getScheme()));
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new BadConfigurationException(
                    ClusterKeys.TLS_CERTIFICATE.name()
                            + " and "
                            + ClusterKeys.TLS_KEY.name()
                            + " belong together");
        }
        if (!asked) {
            if (!(trust + certificate).isEmpty()) {
                throw new BadConfigurationException(
                        "cluster.tls.* is for servers with tls:// in " + ClusterKeys.NATS.name());
            }
            return null;
        }
        try {
            return NatsTls.context(
                    trust.isEmpty() ? null : Path.of(trust),
                    certificate.isEmpty()
                            ? null
                            : OwnCertificate.read(Path.of(certificate), Path.of(key)));
        } catch (IOException e) {
            throw new BadConfigurationException("cluster.tls: " + e.getMessage());
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
        LoginFile.Login login = LoginFile.read(ClusterKeys.LOGIN_FILE.name(), Path.of(file));
        return new ClusterConfig.Login(login.user(), login.password());
    }
}
