package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.TestAuthority;
import org.lrwp.testkit.wire.TestAuthority.Issued;

import java.nio.file.Path;

/** A server that knows identities, with a port for peers inside TLS beside the usual one. */
public final class TlsProxy implements AutoCloseable {
    private final TestAuthority authority;
    private final int tlsPort;
    private final ProxyProcess process;

    /**
     * Starts one.
     *
     * @param name of its files
     * @param folder for them
     * @param peers the identities, as lines of the file of peers
     */
    public TlsProxy(String name, Path folder, String peers) throws Exception {
        authority = new TestAuthority(folder.resolve("ours"), "ours");
        Issued own = authority.issue("proxy");
        tlsPort = FreePorts.one();
        String settings =
                """
                agent.peers-file = %s
                agent.tls.certificate = %s
                agent.tls.key = %s
                agent.tls.trust = %s
                agent.tls.port = %d
                agent.tls.client-certificates = optional
                """
                        .formatted(
                                Configuration.write(folder.resolve("peers"), peers),
                                own.certificate(),
                                own.key(),
                                authority.certificate(),
                                tlsPort);
        Path file = Configuration.write(folder.resolve(name + ".properties"), settings);
        process = ProxyProcess.start(name, file);
    }

    /** Who has issued its certificate, and those that it trusts. */
    public TestAuthority authority() {
        return authority;
    }

    /** The port for peers inside TLS. */
    public int tlsPort() {
        return tlsPort;
    }

    /** The server itself. */
    public ProxyProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
