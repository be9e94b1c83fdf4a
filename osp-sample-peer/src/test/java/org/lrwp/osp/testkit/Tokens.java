package org.lrwp.osp.testkit;

import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessable;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.osp.token.SigningIdentity;

import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Objects;

/** The key tokens are signed with in tests, and the view a gateway has of a token. */
public final class Tokens {
    /** The time in all tests. */
    public static final Instant NOW = Instant.parse("2026-11-20T07:28:35.25Z");

    /** Stands at {@link #NOW}. */
    public static final InstantSource CLOCK = InstantSource.fixed(NOW);

    private static final SigningIdentity IDENTITY = new IdentityGenerator(CLOCK).generate();

    private static final SigningIdentity CURVE =
            new IdentityGenerator(CLOCK).generate(KeyKind.ECDSA);

    private Tokens() {}

    /** Returns the identity of the tests. */
    public static SigningIdentity identity() {
        return IDENTITY;
    }

    /** Tells whether a token was signed by an identity and nothing was changed in it. */
    public static boolean isSignedBy(SigningIdentity identity, String token)
            throws CMSException, GeneralSecurityException, OperatorCreationException {
        CMSSignedData signed = signedData(token);
        SignerInformation signer = signed.getSignerInfos().getSigners().iterator().next();
        return signer.getSID().match(identity.certificate())
                && signer.verify(
                        new JcaSimpleSignerInfoVerifierBuilder().build(identity.certificate()));
    }

    /** Another identity, with a key on a curve. */
    public static SigningIdentity curve() {
        return CURVE;
    }

    /** Returns the bytes that were signed. */
    public static byte[] content(String token) throws CMSException {
        CMSProcessable content = Objects.requireNonNull(signedData(token).getSignedContent());
        return (byte[]) Objects.requireNonNull(content.getContent());
    }

    /** Reads a token as CMS. */
    public static CMSSignedData signedData(String token) throws CMSException {
        return new CMSSignedData(Base64.getDecoder().decode(token));
    }
}
