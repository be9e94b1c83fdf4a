package org.lrwp.webapp.steering;

import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.runtime.operation.Operators;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Says who may act: whoever shows a token, or comes with a certificate that TLS trusts and that is
 * an operator's. Any thread; nothing blocks.
 */
public final class OperatorAccess {
    /** What a browser says of a request for which its user, and no page, has asked. */
    private static final String OF_THE_USER = "none";

    private final Operators tokens;
    private final Supplier<Map<String, List<CertificatePattern>>> certificates;
    private final InstantSource clock;

    /**
     * What becomes of somebody, and who it is.
     *
     * @param verdict whether he may act
     * @param actor for the audit log; anonymous when he may not
     */
    public record Judgement(Operators.Verdict verdict, AuditActor actor) {
        /**
         * Says whether he may act.
         *
         * @return whether he may
         */
        public boolean isAllowed() {
            return verdict == Operators.Verdict.ALLOWED;
        }
    }

    /**
     * Creates the judge.
     *
     * @param tokens who judges tokens
     * @param certificates which ones are whose, by names of operators, as it is now
     * @param clock says whether a certificate has ended
     */
    public OperatorAccess(
            Operators tokens,
            Supplier<Map<String, List<CertificatePattern>>> certificates,
            InstantSource clock) {
        this.tokens = tokens;
        this.certificates = certificates;
        this.clock = clock;
    }

    /**
     * Says whether anybody may act by a token.
     *
     * @return whether there is one
     */
    public boolean hasTokens() {
        return tokens.areKnown();
    }

    /**
     * Says why somebody may act, or not.
     *
     * @param verdict the judgement
     * @return a sentence for people
     */
    public String sentence(Operators.Verdict verdict) {
        return verdict == Operators.Verdict.CLOSED && !certificates.get().isEmpty()
                ? "This needs the certificate of an operator."
                : tokens.sentence(verdict);
    }

    /**
     * Judges a token.
     *
     * @param shown what is shown
     * @param from the connection it came by
     * @return the judgement
     */
    public Judgement judgeToken(String shown, ClientConnection from) {
        return of(tokens.judgeToken(shown, from.remoteAddress()), from);
    }

    /**
     * Judges a request: by its field {@code Authorization}, else by the certificate of its
     * connection. A browser shows a certificate for every page that wants it to, so what a page has
     * it send counts for nothing: pages of peers may be of the same origin.
     *
     * @param head of the request
     * @return the judgement
     */
    public Judgement judge(RequestHead head) {
        String authorization = head.first("Authorization");
        ClientConnection from = head.connection();
        String site = head.first("Sec-Fetch-Site");
        if (authorization == null && (site == null || site.equals(OF_THE_USER))) {
            Judgement judged = judgeCertificate(from);
            if (judged.isAllowed()) {
                return judged;
            }
        }
        return of(tokens.judge(authorization, from.remoteAddress()), from);
    }

    private static Judgement of(Operators.Judgement judged, ClientConnection from) {
        return new Judgement(
                judged.verdict(),
                judged.verdict() == Operators.Verdict.ALLOWED
                        ? new AuditActor(judged.name(), from.remoteText(), "")
                        : AuditActor.anonymous(from.remoteText()));
    }

    /**
     * Judges the certificate of a connection, which may have ended since then. One that two
     * operators have is the first one's by name; one that a proxy in front has shown is nobody's.
     *
     * @param from the connection
     * @return the judgement, with the certificate's fingerprint
     */
    public Judgement judgeCertificate(ClientConnection from) {
        X509Certificate certificate = certificates.get().isEmpty() ? null : from.certificate();
        if (certificate != null && isInForce(certificate)) {
            for (Map.Entry<String, List<CertificatePattern>> one : certificates.get().entrySet()) {
                if (one.getValue().stream().anyMatch(pattern -> pattern.matches(certificate))) {
                    String fingerprint = CertificatePattern.fingerprint(certificate);
                    return new Judgement(
                            Operators.Verdict.ALLOWED,
                            new AuditActor(one.getKey(), from.remoteText(), fingerprint));
                }
            }
        }
        return new Judgement(Operators.Verdict.MISSING, AuditActor.anonymous(from.remoteText()));
    }

    private boolean isInForce(X509Certificate certificate) {
        try {
            certificate.checkValidity(Date.from(clock.instant()));
            return true;
        } catch (CertificateException out) {
            return false;
        }
    }
}
