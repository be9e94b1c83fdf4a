package org.lrwp.engine.transport.tls;

import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.net.ssl.SSLException;
import javax.security.auth.x500.X500Principal;

/**
 * How long certificates prove something. Java checks a chain when a session begins, and not when it
 * is resumed, which may be a day later: so the times are looked at after every handshake. Java also
 * takes a list of revoked certificates for a quarter of an hour more than it says. Immutable.
 *
 * @param authorities the names of those that are trusted
 * @param lists when each authority's list of revoked certificates ends, by the authority's name
 */
public record ProofTimes(Set<X500Principal> authorities, Map<X500Principal, Instant> lists) {
    /** Copies both. */
    public ProofTimes {
        authorities = Set.copyOf(authorities);
        lists = Map.copyOf(lists);
    }

    /**
     * Reads the times of what is trusted.
     *
     * @param authorities whose certificates are taken
     * @param revoked their lists; of several of one authority the last that ends counts
     * @return the times
     */
    public static ProofTimes of(
            Collection<X509Certificate> authorities, Collection<X509CRL> revoked) {
        Set<X500Principal> names = new HashSet<>();
        authorities.forEach(authority -> names.add(authority.getSubjectX500Principal()));
        Map<X500Principal, Instant> ends = new HashMap<>();
        for (X509CRL list : revoked) {
            Date next = list.getNextUpdate();
            ends.merge(
                    list.getIssuerX500Principal(),
                    next == null ? Instant.MAX : next.toInstant(),
                    (one, other) -> one.isAfter(other) ? one : other);
        }
        return new ProofTimes(names, ends);
    }

    /**
     * Looks at a chain that was checked once.
     *
     * @param chain the peer's own certificate first, then its issuers, maybe others behind them;
     *     empty when it has shown none
     * @param now the time
     * @throws SSLException when a certificate is not in force, or a list has ended
     */
    public void check(List<X509Certificate> chain, Instant now) throws SSLException {
        for (int i = 0; i < chain.size(); i++) {
            X509Certificate one = chain.get(i);
            X500Principal issuer = one.getIssuerX500Principal();
            try {
                one.checkValidity(Date.from(now));
            } catch (CertificateExpiredException | CertificateNotYetValidException e) {
                throw new SSLException(
                        "the certificate of " + one.getSubjectX500Principal() + " is not in force",
                        e);
            }
            Instant end = lists.get(issuer);
            if (end != null && now.isAfter(end)) {
                throw new SSLException("the list of what " + issuer + " has revoked has ended");
            }
            boolean more =
                    i + 1 < chain.size()
                            && issuer.equals(chain.get(i + 1).getSubjectX500Principal());
            if (!more || authorities.contains(issuer)) {
                // What follows proves nothing, and may be an authority of another time.
                return;
            }
        }
    }
}
