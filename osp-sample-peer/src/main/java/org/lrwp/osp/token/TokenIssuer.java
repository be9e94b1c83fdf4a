package org.lrwp.osp.token;

import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.DigestCalculatorProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.ElementWriter;

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Issues tokens: the terms of a call as XML, signed. The form is CMS SignedData in DER with the
 * content inside, the signature right over the content (no signed attributes) and no certificates,
 * which is the smallest that clients take. One RSA signature each, the dearest thing this server
 * does. Any thread may call it.
 */
public final class TokenIssuer {
    private static final String ALGORITHM = "SHA256withRSA";

    private final SigningIdentity identity;
    private final RandomGenerator random;
    private final DigestCalculatorProvider digests;

    /**
     * Creates an issuer.
     *
     * @param identity whom the tokens come from
     * @param random source of the tokens' filler against replay; any thread may call it
     */
    public TokenIssuer(SigningIdentity identity, RandomGenerator random) {
        this.identity = identity;
        this.random = random;
        try {
            this.digests = new JcaDigestCalculatorProviderBuilder().build();
        } catch (OperatorCreationException noProvider) {
            throw new IllegalStateException("this JDK has no digests", noProvider);
        }
    }

    /**
     * Issues a token.
     *
     * @param terms the elements of the token's information
     * @return the signed token in base64, one line
     */
    public String issue(List<Element> terms) {
        Element info =
                Element.of("TokenInfo", terms)
                        .with("random", Integer.toString(random.nextInt(Integer.MAX_VALUE)));
        return Base64.getEncoder().encodeToString(sign(ElementWriter.write(info)));
    }

    private byte[] sign(byte[] content) {
        try {
            CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
            generator.addSignerInfoGenerator(
                    new JcaSignerInfoGeneratorBuilder(digests)
                            .setDirectSignature(true)
                            .build(
                                    new JcaContentSignerBuilder(ALGORITHM).build(identity.key()),
                                    identity.certificate()));
            return generator
                    .generate(new CMSProcessableByteArray(content), true)
                    .getEncoded(ASN1Encoding.DER);
        } catch (OperatorCreationException | CMSException | IOException failed) {
            throw new IllegalStateException("a token cannot be signed", failed);
        }
    }
}
