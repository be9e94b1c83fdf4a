package org.lrwp.osp.token;

import org.bouncycastle.cert.X509CertificateHolder;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys of this server at one time: one signs, the certificates of all verify. Immutable; a
 * rotation makes a new ring.
 *
 * @param signer whom new tokens come from
 * @param trusted certificates whose tokens count, the signer's first
 */
public record KeyRing(SigningIdentity signer, List<X509CertificateHolder> trusted) {
    /** How many certificates a ring holds; the oldest falls out. */
    private static final int MOST = 16;

    /** Copies the list. */
    public KeyRing {
        trusted = List.copyOf(trusted);
    }

    /**
     * Creates a ring.
     *
     * @param signer whom new tokens come from
     * @param others further certificates whose tokens count
     * @return the ring
     */
    public static KeyRing of(SigningIdentity signer, List<X509CertificateHolder> others) {
        List<X509CertificateHolder> all = new ArrayList<>(List.of(signer.certificate()));
        others.stream()
                .filter(each -> !each.equals(signer.certificate()))
                .limit(MOST - 1L)
                .forEach(all::add);
        return new KeyRing(signer, all);
    }

    /**
     * Returns the ring after a rotation.
     *
     * @param next whom new tokens come from
     * @return a ring in which the certificates of this one still verify
     */
    public KeyRing rotatedTo(SigningIdentity next) {
        return of(next, trusted);
    }
}
