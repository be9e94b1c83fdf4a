package org.lrwp.osp.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.junit.jupiter.api.Test;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.testkit.Tokens;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;

final class TokenIssuerTest {
    private static final List<Element> TERMS = List.of(Element.leaf("TransactionId", "4711"));

    private final TokenIssuer issuer = new TokenIssuer(Tokens.identity(), new Random(1));

    @Test
    void aTokenIsTheSmallestFormThatClientsTake() throws Exception {
        String token = issuer.issue(TERMS);

        CMSSignedData signed = Tokens.signedData(token);
        assertTrue(signed.getCertificates().getMatches(null).isEmpty());
        assertEquals(1, signed.getSignerInfos().size());
        SignerInformation signer = signed.getSignerInfos().getSigners().iterator().next();
        assertNull(signer.getSignedAttributes());
        assertEquals("2.16.840.1.101.3.4.2.1", signer.getDigestAlgOID());
        byte[] octets = Base64.getDecoder().decode(token);
        assertTrue(
                Arrays.equals(
                        octets, ASN1Primitive.fromByteArray(octets).getEncoded(ASN1Encoding.DER)));
    }

    @Test
    void aTokenThatWasChangedIsNotSigned() throws Exception {
        byte[] octets = Base64.getDecoder().decode(issuer.issue(TERMS));
        String content = new String(octets, StandardCharsets.ISO_8859_1);
        octets[content.indexOf("4711")] = '5';

        String changed = Base64.getEncoder().encodeToString(octets);

        assertFalse(verifies(changed));
        assertTrue(verifies(issuer.issue(TERMS)));
    }

    @Test
    void aTokenOfAnotherIdentityIsNotOurs() throws Exception {
        SigningIdentity other = new IdentityGenerator(Tokens.CLOCK).generate();

        String token = new TokenIssuer(other, new Random(1)).issue(TERMS);

        assertTrue(Tokens.isSignedBy(other, token));
        assertFalse(Tokens.isSignedBy(Tokens.identity(), token));
    }

    @Test
    void tokensOfTheSameTermsDiffer() {
        assertNotEquals(issuer.issue(TERMS), issuer.issue(TERMS));
    }

    private static boolean verifies(String token) throws Exception {
        try {
            return Tokens.isSignedBy(Tokens.identity(), token);
        } catch (CMSException changed) {
            return false;
        }
    }
}
