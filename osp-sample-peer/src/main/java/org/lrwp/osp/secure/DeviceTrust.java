package org.lrwp.osp.secure;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.token.Certificates;
import org.lrwp.osp.token.Revocations;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Finds out which device has signed. Its certificate comes along and names it; it is from one of
 * the authorities, in its time, not revoked, and neither its key nor a signature can be forged. Any
 * thread may call it.
 */
public final class DeviceTrust {
    private final List<X509CertificateHolder> authorities;
    private final Revocations revoked;

    /**
     * Creates the check.
     *
     * @param authorities whose certificates are those of devices; empty: no device can sign
     * @param revoked which certificates do not count any more
     */
    public DeviceTrust(List<X509CertificateHolder> authorities, Revocations revoked) {
        this.authorities = List.copyOf(authorities);
        this.revoked = revoked;
    }

    /**
     * Checks a signature that came apart from what it signs.
     *
     * @param content what was signed
     * @param signature the signature, as CMS SignedData with the signer's certificate
     * @param now the time at which the certificate has to count
     * @return who has signed
     * @throws RefusedException when no device that counts has signed that content
     */
    Sender.Device signer(byte[] content, byte[] signature, Instant now) throws RefusedException {
        try {
            CMSSignedData signed =
                    new CMSSignedData(new CMSProcessableByteArray(content), signature);
            Collection<SignerInformation> signers = signed.getSignerInfos().getSigners();
            if (signers.size() != 1) {
                throw new RefusedException(Status.SIGNATURE_INVALID, "not one signer");
            }
            SignerInformation signer = signers.iterator().next();
            if (!Certificates.isStrongDigest(signer.getDigestAlgorithmID())) {
                throw new RefusedException(
                        Status.SIGNATURE_INVALID, "the digest is not SHA-256, SHA-384 or SHA-512");
            }
            X509CertificateHolder certificate = certificate(signer, signed);
            check(certificate, now);
            if (signer.verify(new JcaSimpleSignerInfoVerifierBuilder().build(certificate))) {
                return device(certificate);
            }
        } catch (CMSException | OperatorCreationException | GeneralSecurityException unusable) {
            throw new RefusedException(Status.SIGNATURE_INVALID);
        }
        throw new RefusedException(Status.SIGNATURE_INVALID);
    }

    /**
     * Checks a certificate whose key the other end of a connection has proved.
     *
     * @param encoded the certificate in DER
     * @param now the time at which it has to count
     * @return whose it is
     * @throws RefusedException when it is not that of a device that counts
     */
    Sender.Device holder(byte[] encoded, Instant now) throws RefusedException {
        try {
            X509CertificateHolder certificate = new X509CertificateHolder(encoded);
            check(certificate, now);
            return device(certificate);
        } catch (IOException unreadable) {
            throw new RefusedException(Status.CERTIFICATE_INVALID);
        }
    }

    private static X509CertificateHolder certificate(SignerInformation signer, CMSSignedData signed)
            throws RefusedException {
        for (X509CertificateHolder each : signed.getCertificates().getMatches(null)) {
            if (signer.getSID().match(each)) {
                return each;
            }
        }
        throw new RefusedException(
                Status.CERTIFICATE_INVALID, "the signer's certificate did not come along");
    }

    private void check(X509CertificateHolder certificate, Instant now) throws RefusedException {
        if (!Certificates.isStrongSignature(certificate.getSignatureAlgorithm())
                || !Certificates.isLongEnough(certificate.getSubjectPublicKeyInfo())) {
            throw new RefusedException(
                    Status.CERTIFICATE_INVALID, "the signer's certificate or key is weak");
        }
        if (authorities.stream().noneMatch(each -> Certificates.isIssuedBy(certificate, each))) {
            throw new RefusedException(
                    Status.CERTIFICATE_INVALID, "nobody trusted has issued the certificate");
        }
        if (!Certificates.isInTime(certificate, now)) {
            throw new RefusedException(
                    Status.CERTIFICATE_INVALID, "the signer's certificate is out of its time");
        }
        if (revoked.has(certificate)) {
            throw new RefusedException(Status.CERTIFICATE_REVOKED);
        }
    }

    private static Sender.Device device(X509CertificateHolder certificate) throws RefusedException {
        return new Sender.Device(name(certificate, BCStyle.O), name(certificate, BCStyle.CN));
    }

    /** One value: of two, one could be read here and the other somewhere else. */
    private static String name(X509CertificateHolder certificate, ASN1ObjectIdentifier which)
            throws RefusedException {
        RDN[] names = certificate.getSubject().getRDNs(which);
        String text =
                names.length == 1 && !names[0].isMultiValued()
                        ? IETFUtils.valueToString(names[0].getFirst().getValue())
                        : "";
        if (text.isEmpty()) {
            throw new RefusedException(
                    Status.CERTIFICATE_INVALID, "the certificate does not have one CN and one O");
        }
        return text;
    }
}
