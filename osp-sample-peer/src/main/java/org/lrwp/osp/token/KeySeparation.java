package org.lrwp.osp.token;

import org.bouncycastle.cert.X509CertificateHolder;

import java.util.List;

/**
 * Keeps the keys that sign tokens apart from those that issue certificates for devices. Gateways
 * that check tokens themselves take what an issuer they trust has certified; so a token's
 * certificate from the issuer of the devices' would make a signer of tokens of every device.
 *
 * @param authorities who issues certificates for devices; may be empty
 */
public record KeySeparation(List<X509CertificateHolder> authorities) {
    /** Copies the list. */
    public KeySeparation {
        authorities = List.copyOf(authorities);
    }

    /**
     * Checks a certificate whose key signs tokens.
     *
     * @param certificate the certificate
     * @throws IdentityException when an authority has the same key, or has issued it
     */
    public void check(X509CertificateHolder certificate) throws IdentityException {
        for (X509CertificateHolder each : authorities) {
            if (each.getSubjectPublicKeyInfo().equals(certificate.getSubjectPublicKeyInfo())) {
                throw new IdentityException(
                        "the key of the tokens is that of an authority for devices;"
                                + " each needs its own");
            }
            if (Certificates.isIssuedBy(certificate, each)) {
                throw new IdentityException(
                        "the certificate of the tokens is issued by an authority for devices:"
                                + " gateways would take tokens that a device has signed");
            }
        }
    }
}
