package org.lrwp.download.valkey;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.operation.LoginFile;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;

import javax.net.ssl.TrustManagerFactory;

/**
 * How a Valkey server is reached, or Redis from 5 on, which speaks the same.
 *
 * @param address {@code redis://HOST[:PORT][/DATABASE]}, or {@code rediss://} for TLS
 * @param patience how long it may take to connect or to answer, above 0
 * @param login what proves who we are; null where the server asks for nothing
 * @param trust the authorities of its certificate; null for those of the JVM
 */
public record ValkeyServer(
        URI address,
        Duration patience,
        LoginFile.@Nullable Login login,
        @Nullable TrustManagerFactory trust) {
    private static final int USUAL_PORT = 6379;

    /** Checks. */
    public ValkeyServer {
        if (!isAddress(address)) {
            throw new IllegalArgumentException(
                    address + " is not redis://HOST[:PORT][/DATABASE] or rediss://...");
        }
    }

    /**
     * Says whether this can be dialled. Who we are has no place in it, as addresses are shown.
     *
     * @param address any
     * @return whether it is as {@link #address} has to be
     */
    public static boolean isAddress(URI address) {
        boolean known = "redis".equals(address.getScheme()) || "rediss".equals(address.getScheme());
        String path = Objects.requireNonNullElse(address.getPath(), "");
        return known
                && address.getHost() != null
                && address.getUserInfo() == null
                && address.getQuery() == null
                && path.matches("(/\\d{0,4})?");
    }

    RedisURI uri() {
        int port = address.getPort() < 0 ? USUAL_PORT : address.getPort();
        RedisURI.Builder uri =
                RedisURI.builder()
                        .withHost(address.getHost())
                        .withPort(port)
                        .withSsl("rediss".equals(address.getScheme()))
                        .withTimeout(patience);
        String path = Objects.requireNonNullElse(address.getPath(), "");
        if (path.length() > 1) {
            uri.withDatabase(Integer.parseInt(path.substring(1)));
        }
        if (login != null) {
            uri.withAuthentication(login.user(), login.password().toCharArray());
        }
        return uri.build();
    }

    /** What is sent while there is no connection fails at once; whoever asks has another way. */
    ClientOptions options() {
        ClientOptions.Builder options =
                ClientOptions.builder()
                        .autoReconnect(false)
                        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                        .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                        .timeoutOptions(TimeoutOptions.enabled(patience));
        if (trust != null) {
            options.sslOptions(SslOptions.builder().jdkSslProvider().trustManager(trust).build());
        }
        return options.build();
    }
}
