package org.lrwp.osp;

import org.lrwp.osp.configuration.OspConfiguration.SignedForm;
import org.lrwp.osp.message.ElementWriter;
import org.lrwp.osp.message.MalformedMessageException;
import org.lrwp.osp.message.Message;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.secure.SignedMessages;
import org.lrwp.osp.secure.SignedMessages.SignedMessage;
import org.lrwp.osp.usage.NotKeptException;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.RequestHandler;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * OSP over HTTP: a message is posted, its answer is the body of a 200, whatever status the answer
 * carries inside. What is no OSP message gets an HTTP error and a sentence. Any thread may call it.
 */
public final class OspHandler implements RequestHandler {
    /** Clients take no other type. */
    private static final String CONTENT_TYPE = "text/plain";

    private final MessageReader reader;
    private final int longest;
    private final ComponentDispatcher dispatcher;
    private final SignedForm form;
    private final SignedMessages signed;
    private final RandomGenerator random;

    /**
     * Creates a handler.
     *
     * @param reader reads the messages
     * @param longest the longest message that is read, in bytes; longer ones get 413
     * @param dispatcher answers the components
     * @param form what is done with signed messages
     * @param signed opens and signs them
     * @param random source of the answers' filler against replay; any thread may call it
     */
    public OspHandler(
            MessageReader reader,
            int longest,
            ComponentDispatcher dispatcher,
            SignedForm form,
            SignedMessages signed,
            RandomGenerator random) {
        this.reader = reader;
        this.longest = longest;
        this.dispatcher = dispatcher;
        this.form = form;
        this.signed = signed;
        this.random = random;
    }

    @Override
    public PeerResponse handle(PeerRequest request) throws IOException {
        if (!request.method().equals("POST")) {
            return PeerResponse.text(405, "OSP messages are sent by POST\n").with("Allow", "POST");
        }
        byte[] body = body(request);
        if (body.length > longest) {
            return PeerResponse.text(413, "the message is longer than " + longest + " octets\n");
        }
        String contentType =
                Optional.ofNullable(request.variable("CONTENT_TYPE")).orElse(CONTENT_TYPE);
        boolean inSignedForm = SignedMessages.isSigned(contentType);
        if (inSignedForm && form == SignedForm.OFF) {
            return PeerResponse.text(415, "signed messages are not taken here\n");
        }
        if (!inSignedForm && form == SignedForm.REQUIRE) {
            return PeerResponse.text(401, "only signed messages are taken here\n");
        }
        try {
            if (!inSignedForm) {
                return PeerResponse.of(CONTENT_TYPE, answer(body));
            }
            SignedMessage answer = signed.sign(answer(signed.open(contentType, body)));
            return PeerResponse.of(answer.contentType(), answer.body());
        } catch (MalformedMessageException malformed) {
            return PeerResponse.text(400, malformed.getMessage() + "\n");
        } catch (NotKeptException full) {
            return PeerResponse.text(503, full.getMessage() + "\n").with("Retry-After", "5");
        } catch (RefusedException notTrusted) {
            return PeerResponse.text(401, notTrusted.getMessage() + "\n");
        }
    }

    /** At most one byte more than is taken. A length that is known saves the reader's buffers. */
    private byte[] body(PeerRequest request) throws IOException {
        long said = request.bodyLength();
        if (said < 0 || said > longest) {
            return request.body().readNBytes(longest + 1);
        }
        byte[] body = new byte[(int) said];
        int length = request.body().readNBytes(body, 0, body.length);
        return length == body.length ? body : Arrays.copyOf(body, length);
    }

    private byte[] answer(byte[] bytes) throws MalformedMessageException, NotKeptException {
        Message message = reader.read(bytes);
        return ElementWriter.write(
                message.answer(random.nextInt(Integer.MAX_VALUE), dispatcher.answers(message)));
    }
}
