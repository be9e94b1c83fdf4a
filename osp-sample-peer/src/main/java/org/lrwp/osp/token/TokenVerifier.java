package org.lrwp.osp.token;

import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSTypedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;

import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * Checks tokens and signed messages against the keys of this server: signed by one of them, or by a
 * certificate that one of them issued and that came along. Any thread may call it.
 */
public final class TokenVerifier {
    private static final int MOST_OCTETS = 16_384;

    private final Keys keys;
    private final boolean unsignedCounts;

    /**
     * Creates a verifier.
     *
     * @param keys whose signatures count
     * @param unsignedCounts whether tokens without a signature count too
     */
    public TokenVerifier(Keys keys, boolean unsignedCounts) {
        this.keys = keys;
        this.unsignedCounts = unsignedCounts;
    }

    /**
     * Reads a token after checking who signed it.
     *
     * @param token the token's bytes
     * @param now the time at which certificates have to count
     * @return what the token allows; its time is not looked at
     * @throws RefusedException when nobody trusted signed it, or it cannot be read
     */
    public TokenTerms verified(byte[] token, Instant now) throws RefusedException {
        if (token.length > MOST_OCTETS) {
            throw new RefusedException(Status.SIGNATURE_INVALID, "the token is too long");
        }
        if (isText(token)) {
            if (unsignedCounts) {
                return TokenText.read(token);
            }
            throw new RefusedException(Status.SIGNATURE_INVALID, "the token is not signed");
        }
        try {
            CMSSignedData signed = new CMSSignedData(token);
            check(signed, now);
            CMSTypedData content = signed.getSignedContent();
            if (content != null && content.getContent() instanceof byte[] terms) {
                return TokenText.read(terms);
            }
        } catch (CMSException changed) {
            throw new RefusedException(Status.SIGNATURE_INVALID);
        }
        throw new RefusedException(Status.SIGNATURE_INVALID, "the token has no content");
    }

    /**
     * Checks a signature that came apart from what it signs.
     *
     * @param content what was signed
     * @param signature the signature, as CMS SignedData
     * @param now the time at which certificates have to count
     * @throws RefusedException when nobody trusted signed that content
     */
    public void check(byte[] content, byte[] signature, Instant now) throws RefusedException {
        try {
            check(new CMSSignedData(new CMSProcessableByteArray(content), signature), now);
        } catch (CMSException unreadable) {
            throw new RefusedException(Status.SIGNATURE_INVALID);
        }
    }

    private static boolean isText(byte[] token) {
        return token.length > 2 && (token[0] == '<' || (token[0] == 'V' && token[1] == '='));
    }

    private void check(CMSSignedData signed, Instant now) throws RefusedException, CMSException {
        Collection<SignerInformation> signers = signed.getSignerInfos().getSigners();
        if (signers.size() != 1) {
            throw new RefusedException(Status.SIGNATURE_INVALID, "not one signer");
        }
        SignerInformation signer = signers.iterator().next();
        X509CertificateHolder certificate = certificateOf(signer, signed, now);
        try {
            if (signer.verify(new JcaSimpleSignerInfoVerifierBuilder().build(certificate))) {
                return;
            }
        } catch (OperatorCreationException | GeneralSecurityException unusable) {
            throw new RefusedException(Status.CERTIFICATE_INVALID);
        }
        throw new RefusedException(Status.SIGNATURE_INVALID);
    }

    private X509CertificateHolder certificateOf(
            SignerInformation signer, CMSSignedData signed, Instant now) throws RefusedException {
        Optional<X509CertificateHolder> ours =
                keys.ring().trusted().stream().filter(signer.getSID()::match).findFirst();
        if (ours.isPresent()) {
            return ours.get();
        }
        for (X509CertificateHolder certificate : signed.getCertificates().getMatches(null)) {
            if (signer.getSID().match(certificate)
                    && isIssuedByUs(certificate)
                    && isInTime(certificate, now)) {
                return certificate;
            }
        }
        throw new RefusedException(Status.CERTIFICATE_INVALID, "nobody trusted has signed");
    }

    private boolean isIssuedByUs(X509CertificateHolder certificate) {
        return keys.ring().trusted().stream()
                .filter(issuer -> issuer.getSubject().equals(certificate.getIssuer()))
                .anyMatch(issuer -> isSignedBy(certificate, issuer));
    }

    private static boolean isSignedBy(
            X509CertificateHolder certificate, X509CertificateHolder issuer) {
        try {
            return certificate.isSignatureValid(
                    new JcaContentVerifierProviderBuilder().build(issuer));
        } catch (Exception unusable) {
            // The library declares several; each means that this issuer did not sign it.
            return false;
        }
    }

    @SuppressWarnings("JavaUtilDate") // The library has nothing newer.
    private static boolean isInTime(X509CertificateHolder certificate, Instant now) {
        return !now.isBefore(certificate.getNotBefore().toInstant())
                && !now.isAfter(certificate.getNotAfter().toInstant());
    }
}
