package org.lrwp.osp.token;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;

import java.security.Provider;
import java.security.Security;
import java.util.Locale;

/** Whose signatures are used: those of the JDK, or faster ones where they are to be had. */
public enum CryptoProvider {
    /** Amazon Corretto Crypto Provider where it runs, else the JDK. */
    AUTO,
    /** The JDK's own. */
    JDK,
    /** Amazon Corretto Crypto Provider, or no start. */
    CORRETTO;

    /**
     * Finds the provider that signs.
     *
     * @return the provider of signatures and key factories
     * @throws IllegalStateException for {@link #CORRETTO} where it does not run
     */
    public Provider provider() {
        if (this != JDK && isCorrettoThere()) {
            return AmazonCorrettoCryptoProvider.INSTANCE;
        }
        if (this == CORRETTO) {
            throw new IllegalStateException(
                    "the Corretto provider does not run on this machine: token.provider=jdk");
        }
        return Security.getProviders("Signature.SHA256withRSA")[0];
    }

    /**
     * Reads a configured value.
     *
     * @param text {@code auto}, {@code jdk} or {@code corretto}
     * @return the choice
     * @throws IllegalArgumentException for another text
     */
    public static CryptoProvider parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static boolean isCorrettoThere() {
        try {
            return AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError() == null;
        } catch (LinkageError notForThisMachine) {
            return false;
        }
    }
}
