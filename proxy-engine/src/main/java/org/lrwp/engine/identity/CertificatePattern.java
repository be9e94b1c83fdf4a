package org.lrwp.engine.identity;

import org.jspecify.annotations.Nullable;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Which certificates an identity has: docs/protocol.md section 18. TLS has checked before that a
 * trusted authority has issued them.
 *
 * @param kind what is compared
 * @param value with which: a common name, a URI, or 64 hex digits in lower case
 */
public record CertificatePattern(Kind kind, String value) {
    /** What is compared of a certificate. */
    public enum Kind {
        /** The common name of its subject. */
        COMMON_NAME("CN="),
        /** One of the URIs among its alternative names, such as a SPIFFE ID. */
        URI(""),
        /** SHA-256 of the whole certificate (DER). */
        SHA256("sha256:");

        private final String head;

        Kind(String head) {
            this.head = head;
        }
    }

    /** What patterns look like, for the texts of faults. */
    public static final String ALLOWED = "CN=name, a URI such as spiffe://host/name, or sha256:hex";

    private static final Pattern ANY_URI = Pattern.compile("[a-z][a-z0-9+.-]*://.+");
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{64}");
    private static final int URI_NAME = 6;

    /** Checks the value. */
    public CertificatePattern {
        Objects.requireNonNull(kind, "kind");
        boolean right =
                switch (kind) {
                    case COMMON_NAME -> !value.isBlank();
                    case URI -> ANY_URI.matcher(value).matches();
                    case SHA256 -> DIGITS.matcher(value).matches();
                };
        if (!right) {
            throw new IllegalArgumentException(kind.head + value + " is none of: " + ALLOWED);
        }
    }

    /**
     * Reads a pattern.
     *
     * @param text for example {@code CN=billing}; colons between the digits of a hash are left out
     * @return the pattern
     * @throws IllegalArgumentException when it is none; the message says what is allowed
     */
    public static CertificatePattern parse(String text) {
        if (text.startsWith(Kind.COMMON_NAME.head)) {
            return new CertificatePattern(
                    Kind.COMMON_NAME, text.substring(Kind.COMMON_NAME.head.length()));
        }
        if (text.startsWith(Kind.SHA256.head)) {
            String digits = text.substring(Kind.SHA256.head.length()).replace(":", "");
            return new CertificatePattern(Kind.SHA256, digits.toLowerCase(Locale.ROOT));
        }
        return new CertificatePattern(Kind.URI, text);
    }

    /**
     * Says whether a certificate is one of these.
     *
     * @param certificate one that TLS trusts
     * @return whether it fits
     */
    public boolean matches(X509Certificate certificate) {
        return switch (kind) {
            case COMMON_NAME -> value.equals(commonName(certificate));
            case URI -> hasUri(certificate);
            case SHA256 -> value.equals(fingerprint(certificate));
        };
    }

    /** The most specific one; null for none. */
    private static @Nullable String commonName(X509Certificate certificate) {
        try {
            String name = certificate.getSubjectX500Principal().getName();
            for (Rdn part : new LdapName(name).getRdns().reversed()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    return String.valueOf(part.getValue());
                }
            }
        } catch (InvalidNameException unreadable) {
            return null;
        }
        return null;
    }

    private boolean hasUri(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names != null
                    && names.stream()
                            .anyMatch(
                                    name ->
                                            Integer.valueOf(URI_NAME).equals(name.get(0))
                                                    && value.equals(name.get(1)));
        } catch (CertificateParsingException unreadable) {
            return false;
        }
    }

    /**
     * Returns what a certificate is told from all others by.
     *
     * @param certificate any
     * @return SHA-256 of its DER form, 64 hex digits in lower case
     */
    public static String fingerprint(X509Certificate certificate) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that TLS has read", e);
        }
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return kind.head + value;
    }
}
