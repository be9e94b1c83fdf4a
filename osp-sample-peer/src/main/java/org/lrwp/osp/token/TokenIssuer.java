package org.lrwp.osp.token;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.RefusedException;

import java.security.Provider;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * Issues tokens of every class. RSA signatures, the dearest thing this server does, are made by the
 * pool; others where they are asked for. Any thread may call it; it waits for the signatures.
 */
public final class TokenIssuer {
    private final Keys keys;
    private final Provider provider;
    private final SigningPool pool;
    private final RandomGenerator random;
    private final AtomicReference<TokenSigner> signer;

    /**
     * Creates an issuer.
     *
     * @param keys whom the tokens come from
     * @param provider whose code signs
     * @param pool does the RSA signatures
     * @param random source of the tokens' filler against replay; any thread may call it
     */
    public TokenIssuer(Keys keys, Provider provider, SigningPool pool, RandomGenerator random) {
        this.keys = keys;
        this.provider = provider;
        this.pool = pool;
        this.random = random;
        this.signer = new AtomicReference<>(new TokenSigner(keys.ring().signer(), provider));
    }

    /**
     * Issues a token for each of several terms.
     *
     * @param terms what the tokens allow
     * @param kind which class of tokens
     * @return the tokens in base64, one line each, in the order of the terms
     * @throws RefusedException when the terms do not fit the class, or too many signatures wait
     */
    public List<String> issue(List<TokenTerms> terms, TokenClass kind) throws RefusedException {
        List<byte[]> contents = new ArrayList<>(terms.size());
        for (TokenTerms each : terms) {
            contents.add(TokenText.write(each, kind.form(), random.nextInt(Integer.MAX_VALUE)));
        }
        if (kind.signed()) {
            contents = signed(contents, kind.withCertificate());
        }
        return contents.stream().map(Base64.getEncoder()::encodeToString).toList();
    }

    /**
     * Writes how long a call may last.
     *
     * @param seconds the time, 0 or more
     * @return a UsageDetail
     */
    public static Element allowance(int seconds) {
        return Element.of("UsageDetail", TokenText.allowance(seconds));
    }

    private List<byte[]> signed(List<byte[]> contents, boolean withCertificate)
            throws RefusedException {
        TokenSigner now = signer();
        if (now.identity().isRsa()) {
            List<Callable<byte[]>> tasks = new ArrayList<>(contents.size());
            for (byte[] content : contents) {
                tasks.add(() -> now.sign(content, true, withCertificate));
            }
            return pool.all(tasks);
        }
        return contents.stream().map(each -> now.sign(each, true, withCertificate)).toList();
    }

    private TokenSigner signer() {
        TokenSigner now = signer.get();
        SigningIdentity wanted = keys.ring().signer();
        if (now.identity().equals(wanted)) {
            return now;
        }
        TokenSigner next = new TokenSigner(wanted, provider);
        signer.set(next);
        return next;
    }
}
