package org.lrwp.webapp.edge;

import org.junit.jupiter.api.Nested;

/** What holds for clients holds for those that come by TLS too. */
class EdgeTlsTest {
    @Nested
    class Requests extends EdgeConnectionTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }
    }

    @Nested
    class Departures extends EdgeDeparturesTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }
    }

    @Nested
    class Pieces extends EdgePiecesTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }
    }

    @Nested
    class Tunnels extends EdgeTunnelTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }
    }

    @Nested
    class Limits extends ClientLimitsTest {
        @Override
        Encryption encryption() {
            return Encryption.OF_CONTAINER;
        }
    }
}
