package org.lrwp.osp;

import org.jspecify.annotations.Nullable;
import org.lrwp.osp.configuration.OspConfiguration.SignedForm;
import org.lrwp.osp.configuration.PlainSenders;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.ElementWriter;
import org.lrwp.osp.message.MalformedMessageException;
import org.lrwp.osp.message.Message;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.secure.SignedMessages;
import org.lrwp.osp.secure.SignedMessages.Opened;
import org.lrwp.osp.secure.SignedMessages.SignedMessage;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.usage.NotKeptException;
import org.lrwp.runtime.caller.Caller;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.RequestHandler;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * OSP over HTTP: a message is posted, its answer is the body of a 200, whatever status the answer
 * carries inside. What is no OSP message gets an HTTP error and a sentence. Any thread may call it.
 */
public final class OspHandler implements RequestHandler {
    /**
     * A certificate that the client has shown to the proxy, which has checked that it has its key.
     */
    private static final String SHOWN = "SSL_CLIENT_CERT";

    /** Clients take no other type. */
    private static final String CONTENT_TYPE = "text/plain";

    private final Reading reading;
    private final ComponentDispatcher dispatcher;
    private final AnswerMemory memory;
    private final SignedMessages signed;
    private final CallCounters counters;
    private final RandomGenerator random;

    /**
     * Which messages are read.
     *
     * @param reader reads them
     * @param longest the longest, in bytes; longer ones get 413
     * @param form what is done with signed ones
     * @param plainFrom from where plain ones are taken
     */
    record Reading(MessageReader reader, int longest, SignedForm form, PlainSenders plainFrom) {}

    /**
     * Creates a handler.
     *
     * @param reading which messages are read
     * @param dispatcher answers the components
     * @param memory remembers the answers
     * @param signed opens and signs messages
     * @param counters counts signatures
     * @param random source of the answers' filler against replay; any thread may call it
     */
    OspHandler(
            Reading reading,
            ComponentDispatcher dispatcher,
            AnswerMemory memory,
            SignedMessages signed,
            CallCounters counters,
            RandomGenerator random) {
        this.reading = reading;
        this.dispatcher = dispatcher;
        this.memory = memory;
        this.signed = signed;
        this.counters = counters;
        this.random = random;
    }

    @Override
    public PeerResponse handle(PeerRequest request) throws IOException {
        if (!request.method().equals("POST")) {
            return PeerResponse.text(405, "OSP messages are sent by POST\n").with("Allow", "POST");
        }
        @Nullable InetAddress address = Caller.address(request);
        String contentType =
                Optional.ofNullable(request.variable("CONTENT_TYPE")).orElse(CONTENT_TYPE);
        PeerResponse refusal = refusal(request, address, SignedMessages.isSigned(contentType));
        if (refusal != null) {
            return refusal;
        }
        byte[] body = body(request);
        if (body.length > reading.longest()) {
            return PeerResponse.text(
                    413, "the message is longer than " + reading.longest() + " bytes\n");
        }
        boolean local = address != null && address.isLoopbackAddress();
        try {
            Sender sender = shown(request, local ? Sender.LOCAL : Sender.REMOTE);
            return SignedMessages.isSigned(contentType)
                    ? signedAnswer(sender, contentType, body)
                    : PeerResponse.of(CONTENT_TYPE, answer(sender, body));
        } catch (MalformedMessageException malformed) {
            return PeerResponse.text(400, malformed.getMessage() + "\n");
        } catch (NotKeptException full) {
            return PeerResponse.text(503, full.getMessage() + "\n").with("Retry-After", "5");
        } catch (RefusedException notTrusted) {
            return PeerResponse.text(401, notTrusted.getMessage() + "\n");
        }
    }

    /** Says what is told to whom no message of this form is taken from; null when it is taken. */
    private @Nullable PeerResponse refusal(
            PeerRequest request, @Nullable InetAddress address, boolean inSignedForm) {
        if (inSignedForm) {
            return reading.form() == SignedForm.OFF
                    ? PeerResponse.text(415, "signed messages are not taken here\n")
                    : null;
        }
        if (reading.form() == SignedForm.REQUIRE) {
            return PeerResponse.text(401, "only signed messages are taken here\n");
        }
        return request.variable(SHOWN) != null || reading.plainFrom().takes(address)
                ? null
                : PeerResponse.text(401, "only signed messages are taken from this address\n");
    }

    /** A certificate that the client has shown says who sends, wherever it comes from. */
    private Sender shown(PeerRequest request, Sender sender) throws RefusedException {
        String shown = request.variable(SHOWN);
        return shown == null ? sender : sender.showing(signed.holder(shown));
    }

    private PeerResponse signedAnswer(Sender sender, String contentType, byte[] body)
            throws MalformedMessageException, NotKeptException, RefusedException {
        Opened opened = opened(contentType, body);
        if (!sender.proven().orElse(opened.device()).equals(opened.device())) {
            return PeerResponse.text(401, "signed by another device than has connected\n");
        }
        SignedMessage answer =
                signed.sign(answer(sender.proving(opened.device()), opened.message()));
        return PeerResponse.of(answer.contentType(), answer.body());
    }

    private Opened opened(String contentType, byte[] body)
            throws MalformedMessageException, RefusedException {
        try {
            Opened opened = signed.open(contentType, body);
            counters.checked("message", Status.SUCCESS);
            return opened;
        } catch (RefusedException refusal) {
            counters.checked("message", refusal.status());
            throw refusal;
        }
    }

    /** At most one byte more than is taken. A length that is known saves the reader's buffers. */
    private byte[] body(PeerRequest request) throws IOException {
        long said = request.bodyLength();
        if (said < 0 || said > reading.longest()) {
            return request.body().readNBytes(reading.longest() + 1);
        }
        byte[] body = new byte[(int) said];
        int length = request.body().readNBytes(body, 0, body.length);
        return length == body.length ? body : Arrays.copyOf(body, length);
    }

    private byte[] answer(Sender sender, byte[] bytes)
            throws MalformedMessageException, NotKeptException {
        return memory.answer(
                sender,
                bytes,
                () -> {
                    Message message = reading.reader().read(bytes);
                    ComponentDispatcher.Answers answers = dispatcher.answers(message, sender);
                    // What a device has signed counts once, so its refusal is final too.
                    boolean lasting = answers.granted() || sender.signed();
                    Element answer =
                            message.answer(random.nextInt(Integer.MAX_VALUE), answers.components());
                    return new AnswerMemory.Answer(ElementWriter.write(answer), lasting);
                });
    }
}
