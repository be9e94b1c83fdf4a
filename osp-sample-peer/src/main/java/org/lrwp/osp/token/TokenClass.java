package org.lrwp.osp.token;

import java.util.Locale;
import java.util.Set;

/**
 * What tokens a kind of device takes.
 *
 * @param form how the terms are written
 * @param signed whether the token is signed; an unsigned one is its terms alone
 * @param withCertificate whether the signer's certificate is inside; only when signed
 */
public record TokenClass(Form form, boolean signed, boolean withCertificate) {
    /** How the terms of a token are written. */
    public enum Form {
        /** As an XML document. */
        XML,
        /** As lines of a letter, an equals sign and a value: short, for SIP and IAX. */
        ASCII
    }

    /** XML, signed, without certificate: what every client takes. */
    public static final TokenClass USUAL = new TokenClass(Form.XML, true, false);

    private static final Set<String> WORDS =
            Set.of("xml", "ascii", "signed", "unsigned", "certificate");

    /** Checks that only a signed token has a certificate. */
    public TokenClass {
        if (withCertificate && !signed) {
            throw new IllegalArgumentException("an unsigned token has no certificate");
        }
    }

    /**
     * Reads a class as configuration names it: words joined by hyphens.
     *
     * @param text {@code xml} or {@code ascii}, {@code signed} or {@code unsigned}, {@code
     *     certificate}; what is left out is as usual
     * @return the class
     * @throws IllegalArgumentException for another word, or a certificate in an unsigned token
     */
    public static TokenClass parse(String text) {
        Set<String> words = Set.of(text.toLowerCase(Locale.ROOT).split("-", -1));
        if (!WORDS.containsAll(words)) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no kind of token: xml-signed, ascii-unsigned and the like");
        }
        return new TokenClass(
                words.contains("ascii") ? Form.ASCII : Form.XML,
                !words.contains("unsigned"),
                words.contains("certificate"));
    }
}
