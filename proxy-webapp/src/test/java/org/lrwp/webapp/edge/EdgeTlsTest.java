package org.lrwp.webapp.edge;

import org.junit.jupiter.api.Nested;

/** What holds for clients holds for those that come by TLS too. */
class EdgeTlsTest {
    @Nested
    class Requests extends EdgeConnectionTest {
        @Override
        boolean isSecure() {
            return true;
        }
    }

    @Nested
    class Departures extends EdgeDeparturesTest {
        @Override
        boolean isSecure() {
            return true;
        }
    }

    @Nested
    class Pieces extends EdgePiecesTest {
        @Override
        boolean isSecure() {
            return true;
        }
    }

    @Nested
    class Tunnels extends EdgeTunnelTest {
        @Override
        boolean isSecure() {
            return true;
        }
    }

    @Nested
    class Limits extends ClientLimitsTest {
        @Override
        boolean isSecure() {
            return true;
        }
    }
}
