package org.lrwp.webapp.edge;

/** Whose TLS the clients of a test speak. */
enum Encryption {
    NONE,
    /** The container's, on its listener. */
    OF_CONTAINER,
    /** The proxy's, on its HTTPS port. */
    OF_PROXY
}
