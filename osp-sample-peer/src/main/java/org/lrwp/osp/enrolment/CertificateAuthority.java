package org.lrwp.osp.enrolment;

import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v1CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.lrwp.osp.enrolment.CertificateTerms.Digest;
import org.lrwp.osp.token.Certificates;
import org.lrwp.osp.token.SigningIdentity;

import java.io.IOException;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import java.util.function.Supplier;

/**
 * Issues certificates for gateways, with a key that signs nothing else: X.509 version 1 with
 * printable names, which the common client reads. Any thread may call it.
 */
public final class CertificateAuthority {
    private static final int SERIAL_BITS = 63;

    private final SigningIdentity issuer;
    private final Supplier<CertificateTerms> terms;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /**
     * Creates the authority.
     *
     * @param issuer whose signature the certificates have; its key signs no tokens
     * @param terms how certificates are issued now; called for each
     * @param clock the time from which they count
     */
    public CertificateAuthority(
            SigningIdentity issuer, Supplier<CertificateTerms> terms, InstantSource clock) {
        this.issuer = issuer;
        this.terms = terms;
        this.clock = clock;
    }

    /** The certificate clients trust, in base64. */
    String own() throws EnrolmentException {
        X509CertificateHolder own = issuer.certificate();
        boolean itself = own.getIssuer().equals(own.getSubject());
        return base64(terms.get().digest() == Digest.MD5 && itself ? again(own) : own);
    }

    /** The same with the digest of these terms: who knows no other refuses the one it has. */
    private X509CertificateHolder again(X509CertificateHolder own) throws EnrolmentException {
        return signed(
                new X509v1CertificateBuilder(
                        own.getIssuer(),
                        own.getSerialNumber(),
                        own.getNotBefore(),
                        own.getNotAfter(),
                        own.getSubject(),
                        own.getSubjectPublicKeyInfo()));
    }

    /** Issues a certificate for the key of a request, in the name of a customer's device. */
    @SuppressWarnings("JavaUtilDate") // The certificate builder takes nothing newer.
    X509CertificateHolder issue(String request, String customer, String device)
            throws EnrolmentException {
        PKCS10CertificationRequest wanted = wanted(request);
        Instant from = clock.instant().minus(1, ChronoUnit.HOURS);
        return signed(
                new X509v1CertificateBuilder(
                        issuer.certificate().getSubject(),
                        new BigInteger(SERIAL_BITS, random).setBit(0),
                        Date.from(from),
                        Date.from(from.plus(terms.get().valid())),
                        name(customer, device),
                        wanted.getSubjectPublicKeyInfo()));
    }

    private static PKCS10CertificationRequest wanted(String request) throws EnrolmentException {
        try {
            PKCS10CertificationRequest wanted =
                    new PKCS10CertificationRequest(Base64.getMimeDecoder().decode(bare(request)));
            check(wanted);
            if (wanted.isSignatureValid(
                    new JcaContentVerifierProviderBuilder()
                            .build(wanted.getSubjectPublicKeyInfo()))) {
                return wanted;
            }
        } catch (IOException
                | IllegalArgumentException
                | PKCSException
                | OperatorCreationException unusable) {
            throw new EnrolmentException("the request is no PKCS #10 request");
        }
        throw new EnrolmentException("the request is not signed by its own key");
    }

    private static void check(PKCS10CertificationRequest wanted) throws EnrolmentException {
        if (!Certificates.isLongEnough(wanted.getSubjectPublicKeyInfo())) {
            throw new EnrolmentException(
                    "the key is neither RSA of "
                            + Certificates.LEAST_RSA_BITS
                            + " bits or more nor ECDSA of "
                            + Certificates.LEAST_CURVE_BITS
                            + " or more");
        }
        if (!Certificates.isStrongSignature(wanted.getSignatureAlgorithm())) {
            throw new EnrolmentException(
                    "the request is not signed with SHA-256, SHA-384 or SHA-512");
        }
    }

    private X509CertificateHolder signed(X509v1CertificateBuilder certificate)
            throws EnrolmentException {
        try {
            return certificate.build(new JcaContentSignerBuilder(algorithm()).build(issuer.key()));
        } catch (OperatorCreationException impossible) {
            throw new EnrolmentException("the certificate cannot be signed");
        }
    }

    static String base64(X509CertificateHolder certificate) throws EnrolmentException {
        try {
            return Base64.getEncoder().encodeToString(certificate.getEncoded());
        } catch (IOException impossible) {
            throw new EnrolmentException("the certificate cannot be written");
        }
    }

    private String algorithm() throws EnrolmentException {
        if (terms.get().digest() == Digest.SHA256) {
            return issuer.algorithm();
        }
        if (!issuer.isRsa()) {
            throw new EnrolmentException("enrolment.digest = md5 needs an RSA key");
        }
        return "MD5withRSA";
    }

    private static String bare(String request) {
        return request.replaceAll("-----[A-Z ]+-----", "");
    }

    private static X500Name name(String customer, String device) throws EnrolmentException {
        if (!(customer + device).matches("[0-9A-Za-z.-]{1,64}")) {
            throw new EnrolmentException("customer or device is no name for a certificate");
        }
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, new DERPrintableString(device))
                .addRDN(BCStyle.O, new DERPrintableString(customer))
                .build();
    }
}
