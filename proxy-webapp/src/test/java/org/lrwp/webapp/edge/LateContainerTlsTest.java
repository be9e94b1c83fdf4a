package org.lrwp.webapp.edge;

/** The same inside TLS of the proxy. */
final class LateContainerTlsTest extends LateContainerTest {
    @Override
    Encryption encryption() {
        return Encryption.OF_PROXY;
    }
}
