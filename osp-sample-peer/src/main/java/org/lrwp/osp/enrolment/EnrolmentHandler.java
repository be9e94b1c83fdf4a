package org.lrwp.osp.enrolment;

import org.bouncycastle.cert.X509CertificateHolder;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.RequestHandler;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

    private final CertificateAuthority authority;
    private final Accounts accounts;
    private final Consumer<String> log;

    /**
     * Creates a handler.
     *
     * @param authority issues the certificates
     * @param accounts who may enrol
     * @param log takes a line for each certificate and each refusal
     */
    public EnrolmentHandler(
            CertificateAuthority authority, Accounts accounts, Consumer<String> log) {
        this.authority = authority;
        this.accounts = accounts;
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
            answer = answer(EnrolmentForm.parse(new String(body, StandardCharsets.ISO_8859_1)));
        } catch (EnrolmentException refused) {
            log.accept("enrolment-refused reason=\"" + refused.getMessage() + "\"");
            answer = "status=" + FAILED;
        }
        // The common client drops the last byte of what it gets.
        return PeerResponse.of("text/html", (answer + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private String answer(EnrolmentForm form) throws EnrolmentException {
        return switch (form.value("operation")) {
            case "getcacert" -> "status=" + DONE + "&certificate=" + authority.own();
            case "request" -> enrolled(form);
            default -> throw new EnrolmentException("the operation is not known");
        };
    }

    private String enrolled(EnrolmentForm form) throws EnrolmentException {
        accounts.check(form);
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
