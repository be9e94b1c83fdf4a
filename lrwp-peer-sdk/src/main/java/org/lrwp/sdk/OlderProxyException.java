package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;

import java.net.SocketTimeoutException;

/** A proxy has not understood a startup string; the message is what it said. */
final class OlderProxyException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ProtocolVersion version;
    private final String text;
    private final boolean silent;

    OlderProxyException(ProtocolVersion version, String text) {
        super(text);
        this.version = version;
        this.text = text;
        this.silent = false;
    }

    /** The proxy has said nothing, or nothing whole, within the registration time. */
    OlderProxyException(ProtocolVersion version, SocketTimeoutException silence) {
        super(silence);
        this.version = version;
        this.text = "silence";
        this.silent = true;
    }

    boolean isSilent() {
        return silent;
    }

    ProtocolVersion version() {
        return version;
    }

    String text() {
        return text;
    }
}
