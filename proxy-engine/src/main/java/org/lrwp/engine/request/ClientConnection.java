package org.lrwp.engine.request;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Objects;

/**
 * The connection that a request came by, as far as it is known: the client's own, or, where proxies
 * in front are believed, the one that the client has with the first of them. Made once for all
 * requests of a connection, and once for each request that a proxy has sent for somebody.
 * Immutable.
 */
public final class ClientConnection {
    private static final byte[] NO_CERTIFICATE = {};

    private final InetAddress remoteAddress;
    private final String remoteText;
    private final int remotePort;
    private final String localAddress;
    private final int localPort;
    private final boolean secure;
    private final int urlPort;
    private final String tlsVersion;
    private final String tlsCipher;
    private final ClientVariables variables;
    private final byte[] certificate;

    /** Whose forwarding fields name the client; null when that was none. */
    private final @Nullable ClientConnection sender;

    /** The one that has a socket; null for this one. */
    private final @Nullable ClientConnection carrier;

    private final boolean unknown;

    /**
     * Describes a connection.
     *
     * @param remoteAddress address of the client, or of the proxy in front
     * @param remotePort its port
     * @param localAddress the address it reached, as text: the host of a request that names none
     * @param localPort the port it reached
     * @param secure whether it is TLS
     */
    public ClientConnection(
            InetAddress remoteAddress,
            int remotePort,
            String localAddress,
            int localPort,
            boolean secure) {
        this.remoteAddress = Objects.requireNonNull(remoteAddress, "remoteAddress");
        this.remoteText = withoutZone(remoteAddress.getHostAddress());
        this.remotePort = remotePort;
        this.localAddress = Objects.requireNonNull(localAddress, "localAddress");
        this.localPort = localPort;
        this.secure = secure;
        this.urlPort = localPort;
        this.variables = ClientVariables.of(remoteText, remotePort, localPort, urlPort, secure);
        this.certificate = NO_CERTIFICATE;
        this.tlsVersion = "";
        this.tlsCipher = "";
        this.sender = null;
        this.carrier = null;
        this.unknown = false;
    }

    private ClientConnection(
            ClientConnection same, String tlsVersion, String tlsCipher, byte[] certificate) {
        this.remoteAddress = same.remoteAddress;
        this.remoteText = same.remoteText;
        this.remotePort = same.remotePort;
        this.localAddress = same.localAddress;
        this.localPort = same.localPort;
        this.secure = same.secure;
        this.urlPort = same.urlPort;
        this.certificate = certificate;
        this.variables = isCertified() ? same.variables.showing(certificate) : same.variables;
        this.tlsVersion = Objects.requireNonNull(tlsVersion, "tlsVersion");
        this.tlsCipher = Objects.requireNonNull(tlsCipher, "tlsCipher");
        this.sender = same.sender;
        this.carrier = same.carrier;
        this.unknown = same.unknown;
    }

    private ClientConnection(
            ClientConnection carrier,
            @Nullable ClientConnection sender,
            InetAddress remoteAddress,
            int remotePort,
            @Nullable Boolean secure,
            boolean unknown) {
        ClientConnection known = sender == null ? carrier : sender;
        this.remoteAddress = remoteAddress;
        this.remoteText = withoutZone(remoteAddress.getHostAddress());
        this.remotePort = remotePort;
        this.localAddress = known.localAddress;
        this.localPort = known.localPort;
        this.secure = secure == null ? known.secure : secure;
        this.urlPort = secure == null ? known.urlPort : secure ? 443 : 80;
        this.variables =
                ClientVariables.of(remoteText, remotePort, localPort, urlPort, this.secure);
        // A certificate that was shown is that of the proxy in front.
        this.certificate = NO_CERTIFICATE;
        this.tlsVersion = known.tlsVersion;
        this.tlsCipher = known.tlsCipher;
        this.sender = sender;
        this.carrier = carrier;
        this.unknown = unknown;
    }

    /**
     * Describes this connection when it is known what client and proxy have agreed on in TLS.
     *
     * @param version for example {@code TLSv1.3}
     * @param cipher for example {@code TLS_AES_256_GCM_SHA384}
     * @return the same otherwise
     */
    public ClientConnection inTls(String version, String cipher) {
        return new ClientConnection(this, version, cipher, NO_CERTIFICATE);
    }

    /**
     * Describes this connection when the client has shown a certificate, too.
     *
     * @param version as above
     * @param cipher as above
     * @param certificate one whose key it has proved and whose authority is trusted, in DER
     * @return the same otherwise
     */
    public ClientConnection inTls(String version, String cipher, byte[] certificate) {
        return new ClientConnection(this, version, cipher, certificate);
    }

    /**
     * Says whether the client has shown a certificate: answers to it are for it alone.
     *
     * @return never when the request was forwarded
     */
    public boolean isCertified() {
        return certificate.length > 0;
    }

    /**
     * Returns the certificate that the client has shown.
     *
     * @return one whose key it has proved and whose authority is trusted; null for none, and when
     *     the request was forwarded
     */
    public @Nullable X509Certificate certificate() {
        if (!isCertified()) {
            return null;
        }
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            return (X509Certificate)
                    factory.generateCertificate(new ByteArrayInputStream(certificate));
        } catch (CertificateException e) {
            throw new IllegalStateException("a certificate that TLS has read", e);
        }
    }

    /**
     * Describes this connection when a PROXY header came first.
     *
     * @param client whose bytes it carries; null when that is not known: then the address stays
     * @return the client's connection, known to have been forwarded
     */
    public ClientConnection relayedFor(@Nullable InetSocketAddress client) {
        return client == null
                ? new ClientConnection(this, null, remoteAddress, remotePort, null, true)
                : new ClientConnection(
                        this, null, client.getAddress(), client.getPort(), null, false);
    }

    /**
     * Describes the connection of a client that this one sends a request for, as its forwarding
     * fields say.
     *
     * @param address of the client
     * @param port its port; 0 when it is not known
     * @param tls whether the client came by TLS; null = as this connection
     */
    ClientConnection sentFor(InetAddress address, int port, @Nullable Boolean tls) {
        return new ClientConnection(carrier(), this, address, port, tls, false);
    }

    /**
     * Says whether it is known without looking at a request that somebody stands between.
     *
     * @return whether a proxy has named the client
     */
    public boolean isForwarded() {
        return carrier != null;
    }

    /**
     * Says whether a proxy carries it for a client that it does not name: the address is the
     * proxy's, but what is said by the connection is not.
     *
     * @return whether nobody knows whose it is
     */
    public boolean isUnknown() {
        return unknown;
    }

    /**
     * Returns the connection whose forwarding fields tell of the client.
     *
     * @return the one of the proxy that was believed; this one when none was
     */
    public ClientConnection sender() {
        return sender == null ? this : sender;
    }

    /**
     * Returns the port that the connection reached.
     *
     * @return that of this machine, whoever sent the request
     */
    public int localPort() {
        return localPort;
    }

    /**
     * Returns the connection that has the socket.
     *
     * @return with the addresses that the system knows
     */
    public ClientConnection carrier() {
        return carrier == null ? this : carrier;
    }

    private static String withoutZone(String address) {
        int zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }

    /**
     * Returns who asks.
     *
     * @return address of the client, or of the proxy in front
     */
    public InetAddress remoteAddress() {
        return remoteAddress;
    }

    /**
     * Returns {@link #remoteAddress} as peers and logs have it.
     *
     * @return the address, without the zone of a link-local one
     */
    public String remoteText() {
        return remoteText;
    }

    /**
     * Returns the client's port.
     *
     * @return its port; 0 when a proxy has named the client and not its port
     */
    public int remotePort() {
        return remotePort;
    }

    /**
     * Returns the address that was reached.
     *
     * @return as text: the host of a request that names none
     */
    public String localAddress() {
        return localAddress;
    }

    /**
     * Says whether nobody between can read along.
     *
     * @return whether it is TLS
     */
    public boolean secure() {
        return secure;
    }

    /**
     * Returns the version of TLS on the connection that has the socket.
     *
     * @return for example {@code TLSv1.3}; empty when there is none, or it is not known
     */
    public String tlsVersion() {
        return tlsVersion;
    }

    /**
     * Returns the cipher suite on the connection that has the socket.
     *
     * @return for example {@code TLS_AES_256_GCM_SHA384}; empty when there is none, or it is not
     *     known
     */
    public String tlsCipher() {
        return tlsCipher;
    }

    /** The port of a URL whose host names none. */
    int urlPort() {
        return urlPort;
    }

    ClientVariables variables() {
        return variables;
    }
}
