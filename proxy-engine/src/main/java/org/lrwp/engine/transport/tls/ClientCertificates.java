package org.lrwp.engine.transport.tls;

/** Whether peers must show a certificate. */
public enum ClientCertificates {
    /** Without one that is trusted the TLS handshake fails. */
    REQUIRED,
    /** One may be shown; one that is not trusted fails the handshake. */
    OPTIONAL,
    /** None is asked for. */
    NONE
}
