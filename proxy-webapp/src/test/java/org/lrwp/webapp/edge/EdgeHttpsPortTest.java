package org.lrwp.webapp.edge;

import org.junit.jupiter.api.Nested;

/** What holds for clients holds for those that come by the HTTPS port too. */
class EdgeHttpsPortTest {
    @Nested
    class Requests extends EdgeConnectionTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_PROXY;
        }
    }

    @Nested
    class Departures extends EdgeDeparturesTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_PROXY;
        }
    }

    @Nested
    class Pieces extends EdgePiecesTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_PROXY;
        }
    }

    @Nested
    class Tunnels extends EdgeTunnelTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_PROXY;
        }
    }

    @Nested
    class Limits extends ClientLimitsTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_PROXY;
        }
    }
}
