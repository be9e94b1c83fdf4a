package org.lrwp.osp.token;

import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.BEROctetString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.cms.SignerIdentifier;
import org.bouncycastle.asn1.cms.SignerInfo;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Signs bytes as CMS SignedData in DER, the signature right over the content (no signed
 * attributes), which is the smallest that clients take. Any thread may call it.
 */
public final class TokenSigner {
    private static final AlgorithmIdentifier SHA_256 =
            new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha256);
    private static final AlgorithmIdentifier RSA =
            new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);
    private static final AlgorithmIdentifier ECDSA =
            new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);

    private final SigningIdentity identity;
    private final Provider provider;
    private final PrivateKey key;
    private final SignerIdentifier name;
    private final ASN1Set certificate;

    /** Set up with the key, which costs a part of a signature: as many as were made at once. */
    private final ConcurrentLinkedQueue<Signature> idle = new ConcurrentLinkedQueue<>();

    /**
     * Creates a signer.
     *
     * @param identity whose signature it is
     * @param provider whose code signs
     */
    public TokenSigner(SigningIdentity identity, Provider provider) {
        this.identity = identity;
        this.provider = provider;
        this.key = translated(identity, provider);
        this.name =
                new SignerIdentifier(
                        new IssuerAndSerialNumber(identity.certificate().toASN1Structure()));
        this.certificate = new DERSet(identity.certificate().toASN1Structure());
    }

    /** A key in the provider's own form, so that it is not translated for each signature. */
    private static PrivateKey translated(SigningIdentity identity, Provider provider) {
        try {
            return KeyFactory.getInstance(identity.isRsa() ? "RSA" : "EC", provider)
                    .generatePrivate(new PKCS8EncodedKeySpec(identity.key().getEncoded()));
        } catch (GeneralSecurityException noFactory) {
            return identity.key();
        }
    }

    SigningIdentity identity() {
        return identity;
    }

    /**
     * Signs.
     *
     * @param content what is signed
     * @param contentInside whether the content is part of the result
     * @param withCertificate whether the signer's certificate is part of the result
     * @return SignedData in DER
     */
    public byte[] sign(byte[] content, boolean contentInside, boolean withCertificate) {
        try {
            SignerInfo signer =
                    new SignerInfo(
                            name,
                            SHA_256,
                            (ASN1Set) null,
                            identity.isRsa() ? RSA : ECDSA,
                            new DEROctetString(signature(content)),
                            (ASN1Set) null);
            ContentInfo inside =
                    new ContentInfo(
                            CMSObjectIdentifiers.data,
                            contentInside ? new BEROctetString(content) : null);
            SignedData signed =
                    new SignedData(
                            new DERSet(SHA_256),
                            inside,
                            withCertificate ? certificate : null,
                            null,
                            new DERSet(signer));
            ASN1ObjectIdentifier form = CMSObjectIdentifiers.signedData;
            return new ContentInfo(form, signed).getEncoded(ASN1Encoding.DER);
        } catch (GeneralSecurityException | IOException failed) {
            throw new IllegalStateException("a token cannot be signed", failed);
        }
    }

    private byte[] signature(byte[] content) throws GeneralSecurityException {
        Signature kept = idle.poll();
        Signature signature = kept == null ? begun() : kept;
        signature.update(content);
        byte[] made = signature.sign();
        // It stands again where it stood before; one that failed is not used again.
        idle.add(signature);
        return made;
    }

    private Signature begun() throws GeneralSecurityException {
        Signature signature = Signature.getInstance(identity.algorithm(), provider(identity));
        signature.initSign(key);
        return signature;
    }

    /** The JDK has a provider for each kind of key, the other provider has both. */
    private Provider provider(SigningIdentity signer) throws GeneralSecurityException {
        return provider.getService("Signature", signer.algorithm()) == null
                ? Signature.getInstance(signer.algorithm()).getProvider()
                : provider;
    }
}
