package org.lrwp.osp.enrolment;

import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.cert.X509v1CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.lrwp.osp.token.Keys;
import org.lrwp.osp.token.SigningIdentity;

import java.io.IOException;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;

/**
 * Issues certificates for gateways with the key that signs the tokens: X.509 version 1 with
 * printable names, which the common client reads. Any thread may call it.
 */
public final class CertificateAuthority {
    private static final int SERIAL_BITS = 63;

    private final Keys keys;
    private final Duration valid;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /**
     * Creates the authority.
     *
     * @param keys whose signature the certificates have
     * @param valid how long certificates count
     * @param clock the time from which they count
     */
    public CertificateAuthority(Keys keys, Duration valid, InstantSource clock) {
        this.keys = keys;
        this.valid = valid;
        this.clock = clock;
    }

    /** The certificate clients trust, in base64. */
    String own() throws EnrolmentException {
        try {
            return Base64.getEncoder()
                    .encodeToString(keys.ring().signer().certificate().getEncoded());
        } catch (IOException impossible) {
            throw new EnrolmentException("the certificate cannot be written");
        }
    }

    /** Issues a certificate for the key of a request, in the name of a customer's device. */
    @SuppressWarnings("JavaUtilDate") // The certificate builder takes nothing newer.
    String issue(String request, String customer, String device) throws EnrolmentException {
        try {
            PKCS10CertificationRequest wanted =
                    new PKCS10CertificationRequest(Base64.getMimeDecoder().decode(bare(request)));
            if (!wanted.isSignatureValid(
                    new JcaContentVerifierProviderBuilder()
                            .build(wanted.getSubjectPublicKeyInfo()))) {
                throw new EnrolmentException("the request is not signed by its own key");
            }
            SigningIdentity issuer = keys.ring().signer();
            Instant from = clock.instant().minus(1, ChronoUnit.HOURS);
            X509v1CertificateBuilder certificate =
                    new X509v1CertificateBuilder(
                            issuer.certificate().getSubject(),
                            new BigInteger(SERIAL_BITS, random).setBit(0),
                            Date.from(from),
                            Date.from(from.plus(valid)),
                            name(customer, device),
                            wanted.getSubjectPublicKeyInfo());
            return Base64.getEncoder()
                    .encodeToString(
                            certificate
                                    .build(
                                            new JcaContentSignerBuilder(issuer.algorithm())
                                                    .build(issuer.key()))
                                    .getEncoded());
        } catch (IOException
                | IllegalArgumentException
                | PKCSException
                | OperatorCreationException unusable) {
            throw new EnrolmentException("the request is no PKCS #10 request");
        }
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
