package org.lrwp.osp.token;

import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSTypedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;

import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Collection;

/**
 * Checks tokens against the keys of this server: only what one of them has signed itself is a
 * token. A certificate that comes along counts for nothing, whoever issued it, because a device
 * could sign its own terms with its own certificate. Any thread may call it.
 */
public final class TokenVerifier {
    private static final int MOST_BYTES = 16_384;

    private final Keys keys;
    private final Revocations revoked;
    private final boolean unsignedCounts;

    /**
     * Creates a verifier.
     *
     * @param keys whose signatures count
     * @param revoked which of their certificates do not count any more
     * @param unsignedCounts whether tokens without a signature count too
     */
    public TokenVerifier(Keys keys, Revocations revoked, boolean unsignedCounts) {
        this.keys = keys;
        this.revoked = revoked;
        this.unsignedCounts = unsignedCounts;
    }

    /**
     * A token that counts.
     *
     * @param terms what it allows
     * @param content its terms as they were signed; without a signature, the whole token
     * @param signed whether a key of this server has signed it
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
    public record Verified(TokenTerms terms, byte[] content, boolean signed) {}

    /**
     * Reads a token after checking who signed it.
     *
     * @param token the token's bytes
     * @param now the time at which certificates have to count
     * @return what the token allows; its time is not looked at
     * @throws RefusedException when nobody trusted signed it, or it cannot be read
     */
    public Verified verified(byte[] token, Instant now) throws RefusedException {
        if (token.length > MOST_BYTES) {
            throw new RefusedException(Status.SIGNATURE_INVALID, "the token is too long");
        }
        if (isText(token)) {
            if (unsignedCounts) {
                return new Verified(TokenText.read(token), token, false);
            }
            throw new RefusedException(Status.SIGNATURE_INVALID, "the token is not signed");
        }
        try {
            CMSSignedData signed = new CMSSignedData(token);
            check(signed, now);
            CMSTypedData content = signed.getSignedContent();
            if (content != null && content.getContent() instanceof byte[] terms) {
                return new Verified(TokenText.read(terms), terms, true);
            }
        } catch (CMSException changed) {
            throw new RefusedException(Status.SIGNATURE_INVALID);
        }
        throw new RefusedException(Status.SIGNATURE_INVALID, "the token has no content");
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
        X509CertificateHolder certificate = certificateOf(signer, now);
        try {
            if (signer.verify(new JcaSimpleSignerInfoVerifierBuilder().build(certificate))) {
                return;
            }
        } catch (OperatorCreationException | GeneralSecurityException unusable) {
            throw new RefusedException(Status.CERTIFICATE_INVALID);
        }
        throw new RefusedException(Status.SIGNATURE_INVALID);
    }

    private X509CertificateHolder certificateOf(SignerInformation signer, Instant now)
            throws RefusedException {
        for (X509CertificateHolder certificate : keys.ring().trusted()) {
            if (signer.getSID().match(certificate)) {
                if (revoked.has(certificate)) {
                    throw new RefusedException(Status.CERTIFICATE_REVOKED);
                }
                if (Certificates.isInTime(certificate, now)) {
                    return certificate;
                }
                throw new RefusedException(
                        Status.CERTIFICATE_INVALID, "the signer's certificate is out of its time");
            }
        }
        throw new RefusedException(Status.CERTIFICATE_INVALID, "not signed by a key for tokens");
    }
}
