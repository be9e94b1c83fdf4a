package org.lrwp.osp.enrolment;

import org.bouncycastle.cert.X509CertificateHolder;
import org.lrwp.runtime.caller.Caller;
import org.lrwp.runtime.operation.GuessLimit;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.RequestHandler;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Answers enrolment requests as the common client's {@code enroll} sends them: {@code
 * operation=getcacert} gives the authority's certificate, {@code operation=request} a certificate
 * for the gateway. Any thread may call it.
 */
public final class EnrolmentHandler implements RequestHandler {
    private static final int MOST_BYTES = 16_384;
    private static final int DONE = 0;
    private static final int FAILED = 2;
    private static final int HEXADECIMAL = 16;

    /** For how long a source that has guessed is not listened to. */
    public static final Duration GUESS_PAUSE = Duration.ofMinutes(1);

    private final CertificateAuthority authority;
    private final Accounts accounts;
    private final GuessLimit guesses;
    private final Consumer<String> log;

    /**
     * Creates a handler.
     *
     * @param authority issues the certificates
     * @param accounts who may enrol
     * @param guesses limits wrong passwords
     * @param log takes a line for each certificate and each refusal
     */
    public EnrolmentHandler(
            CertificateAuthority authority,
            Accounts accounts,
            GuessLimit guesses,
            Consumer<String> log) {
        this.authority = authority;
        this.accounts = accounts;
        this.guesses = guesses;
        this.log = log;
    }

    @Override
    public PeerResponse handle(PeerRequest request) throws IOException {
        if (!request.method().equals("POST")) {
            return PeerResponse.text(405, "enrolments are sent by POST\n").with("Allow", "POST");
        }
        byte[] body = request.body().readNBytes(MOST_BYTES + 1);
        if (body.length > MOST_BYTES) {
            return PeerResponse.text(
                    413, "the enrolment is longer than " + MOST_BYTES + " bytes\n");
        }
        String answer;
        try {
            EnrolmentForm form = EnrolmentForm.parse(new String(body, StandardCharsets.ISO_8859_1));
            String source = Caller.source(request);
            if (guesses.isReached(source)) {
                log.accept("enrolment-refused reason=\"too many wrong passwords\" from=" + source);
                return PeerResponse.text(429, "too many wrong passwords; wait a minute\n")
                        .with("Retry-After", Long.toString(GUESS_PAUSE.toSeconds()));
            }
            answer = answer(form, source);
        } catch (EnrolmentException refused) {
            log.accept("enrolment-refused reason=\"" + refused.getMessage() + "\"");
            answer = "status=" + FAILED;
        }
        // The common client drops the last byte of what it gets.
        return PeerResponse.of("text/html", (answer + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private String answer(EnrolmentForm form, String source) throws EnrolmentException {
        return switch (form.value("operation")) {
            case "getcacert" -> "status=" + DONE + "&certificate=" + authority.own();
            case "request" -> enrolled(form, source);
            default -> throw new EnrolmentException("the operation is not known");
        };
    }

    private String enrolled(EnrolmentForm form, String source) throws EnrolmentException {
        if (!accounts.know(form)) {
            guesses.addWrong(source);
            throw new EnrolmentException("no such account, or another password");
        }
        String customer = form.value("customer");
        String device = form.value("device");
        X509CertificateHolder certificate =
                authority.issue(form.value("request"), customer, device);
        log.accept(
                "enrolled customer="
                        + customer
                        + " device="
                        + device
                        + " serial="
                        + certificate.getSerialNumber().toString(HEXADECIMAL));
        String nonce = form.values().getOrDefault("nonce", "").replaceAll("[^0-9A-Za-z]", "");
        return "status="
                + DONE
                + "&nonce="
                + nonce
                + "&cert="
                + CertificateAuthority.base64(certificate);
    }
}
