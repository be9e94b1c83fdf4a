package org.lrwp.download;

import org.jspecify.annotations.Nullable;
import org.lrwp.download.policy.DownloadKeys;
import org.lrwp.download.valkey.ValkeyServer;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.Neighbours;
import org.lrwp.runtime.operation.LoginFile;
import org.lrwp.sdk.tls.PemFile;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

import javax.net.ssl.TrustManagerFactory;

/**
 * With whom a module shares its limits.
 *
 * @param buckets the name of what is shared in the server
 * @param neighbours the modules at other nodes; null for none
 * @param valkey the server that keeps the limits; null for none
 */
record Sharing(String buckets, @Nullable Neighbours neighbours, @Nullable ValkeyServer valkey) {
    /** Reads what is set, and its files; blocks on them. */
    static Sharing of(ModuleSetup setup, Values values) throws BadConfigurationException {
        boolean shared = values.get(DownloadKeys.SHARED);
        Neighbours neighbours = shared ? setup.neighbours() : null;
        URI address = values.get(DownloadKeys.VALKEY).orElse(null);
        if (address == null) {
            return new Sharing("", neighbours, null);
        }
        if (!shared) {
            throw new BadConfigurationException(
                    DownloadKeys.VALKEY.name()
                            + " is for "
                            + DownloadKeys.SHARED.name()
                            + " = true");
        }
        var server =
                new ValkeyServer(
                        address,
                        values.get(DownloadKeys.VALKEY_TIMEOUT),
                        login(values),
                        trusted(address, values));
        String name = values.get(DownloadKeys.VALKEY_NAME);
        return new Sharing(name.isEmpty() ? setup.name() : name, neighbours, server);
    }

    private static LoginFile.@Nullable Login login(Values values) throws BadConfigurationException {
        Path file = file(values, DownloadKeys.VALKEY_LOGIN);
        return file == null ? null : LoginFile.read(DownloadKeys.VALKEY_LOGIN.name(), file);
    }

    private static @Nullable TrustManagerFactory trusted(URI address, Values values)
            throws BadConfigurationException {
        String name = DownloadKeys.VALKEY_TRUST.name();
        Path file = file(values, DownloadKeys.VALKEY_TRUST);
        if (file == null) {
            return null;
        }
        if (!address.getScheme().equals("rediss")) {
            throw new BadConfigurationException(name + " is for rediss://");
        }
        try {
            return PemFile.trust(file);
        } catch (IOException | GeneralSecurityException e) {
            throw new BadConfigurationException(name + ": " + e.getMessage());
        }
    }

    private static @Nullable Path file(Values values, Key<String> key) {
        String file = values.get(key);
        return file.isEmpty() ? null : Path.of(file);
    }
}
