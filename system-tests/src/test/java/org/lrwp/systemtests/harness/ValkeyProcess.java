package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.TestAuthority;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A Valkey server, or Debian's Redis 7, which speaks the same: on a port of 127.0.0.1, inside TLS,
 * for one user with a password, who may touch the buckets of rates alone.
 */
public final class ValkeyProcess implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Path folder;
    private final int port = FreePorts.one();
    private final Path authority;
    private final Path login;
    private Process process;

    private ValkeyProcess(Path folder) throws Exception {
        this.folder = folder;
        var issuer = new TestAuthority(folder.resolve("authority"), "Valkey's authority");
        authority = issuer.certificate();
        TestAuthority.Issued own = issuer.issue("valkey");
        login = Configuration.write(folder.resolve("valkey.login"), "proxy:word");
        Configuration.write(
                folder.resolve("valkey.conf"),
                """
                bind 127.0.0.1
                port 0
                tls-port %d
                tls-cert-file %s
                tls-key-file %s
                tls-auth-clients no
                save ""
                user default off
                user proxy on >word ~lrwp:rate:* +@connection +@read +@write +@scripting +time
                """
                        .formatted(port, own.certificate(), own.key()));
        start();
    }

    /** Starts it; skipped where there is none. */
    public static ValkeyProcess start(Path folder) throws Exception {
        Tools.require("redis-server");
        Tools.require("openssl");
        return new ValkeyProcess(folder);
    }

    /** Starts it again after {@link #kill}; at the same port. */
    public void start() throws Exception {
        process =
                new ProcessBuilder("redis-server", folder.resolve("valkey.conf").toString())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(
                                Project.target().resolve("valkey-" + port + ".log").toFile())
                        .start();
        Wait.require("Valkey listens", SOON, this::listens);
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** How a module reaches it: names and values of its keys. */
    public List<String> settings() {
        return List.of(
                "valkey=rediss://127.0.0.1:" + port,
                // So long that a busy machine is no loss.
                "valkey-timeout=5s",
                "valkey-login-file=" + login,
                "valkey-trust=" + authority);
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGSTOP: connections stay open, and nothing is answered. */
    public void freeze() throws Exception {
        signal("STOP");
    }

    /** It goes on after {@link #freeze}. */
    public void goOn() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        Tools.run(folder, SOON, "", List.of("kill", "-" + name, Long.toString(process.pid())));
    }

    @Override
    public void close() {
        kill();
    }
}
