package org.lrwp.engine.exchange;

import org.jspecify.annotations.Nullable;

/**
 * What a log may want to know of a request beside its line. Each is looked up when somebody asks:
 * whoever does not pays nothing. Immutable.
 */
public interface RequestDetails {
    /** Of a request of which nothing more is known. */
    RequestDetails NONE =
            new RequestDetails() {
                @Override
                public String protocol() {
                    return "";
                }

                @Override
                public boolean secure() {
                    return false;
                }

                @Override
                public String tlsVersion() {
                    return "";
                }

                @Override
                public String tlsCipher() {
                    return "";
                }

                @Override
                public @Nullable String referer() {
                    return null;
                }

                @Override
                public @Nullable String userAgent() {
                    return null;
                }
            };

    /**
     * Returns the protocol of the request.
     *
     * @return for example {@code HTTP/1.1}; empty when it is not known
     */
    String protocol();

    /**
     * Says whether the client came by TLS.
     *
     * @return whether it did, as far as it is known
     */
    boolean secure();

    /**
     * Returns the version of TLS on the connection that reached the proxy.
     *
     * @return for example {@code TLSv1.3}; empty when there is none, or it is not known
     */
    String tlsVersion();

    /**
     * Returns the cipher suite of that connection.
     *
     * @return for example {@code TLS_AES_256_GCM_SHA384}; empty when there is none, or it is not
     *     known
     */
    String tlsCipher();

    /**
     * Returns who follows the request.
     *
     * @return {@link RequestTrace#NONE} when nobody does
     */
    default RequestTrace trace() {
        return RequestTrace.NONE;
    }

    /**
     * Returns the field Referer.
     *
     * @return its value as it was sent; null when it is not there
     */
    @Nullable String referer();

    /**
     * Returns the field User-Agent.
     *
     * @return its value as it was sent; null when it is not there
     */
    @Nullable String userAgent();
}
