package org.lrwp.osp;

import org.lrwp.osp.authorisation.AuthorisationService;
import org.lrwp.osp.authorisation.SampleRouting;
import org.lrwp.osp.authorisation.TransactionIds;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.ElementWriter;
import org.lrwp.osp.message.MalformedMessageException;
import org.lrwp.osp.message.Message;
import org.lrwp.osp.message.MessageReader;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.token.SigningIdentity;
import org.lrwp.osp.token.TokenIssuer;
import org.lrwp.osp.usage.UsageService;
import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;
import org.lrwp.sdk.RequestHandler;

import java.io.IOException;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * OSP over HTTP: a message is posted, its answer is the body of a 200, whatever status the answer
 * carries inside. What is no OSP message gets an HTTP error and a sentence. Any thread may call it.
 */
public final class OspHandler implements RequestHandler {
    /** The longest message that is read, in octets; longer ones get 413. */
    static final int MAX_MESSAGE = 256 * 1024;

    /** Clients take no other type. */
    private static final String CONTENT_TYPE = "text/plain";

    private final MessageReader reader = new MessageReader();
    private final ComponentDispatcher dispatcher;
    private final RandomGenerator random;

    /**
     * Creates a handler.
     *
     * @param dispatcher answers the components
     * @param random source of the answers' filler against replay; any thread may call it
     */
    public OspHandler(ComponentDispatcher dispatcher, RandomGenerator random) {
        this.dispatcher = dispatcher;
        this.random = random;
    }

    /**
     * Puts a whole server together, with the sample's routing.
     *
     * @param identity signs the tokens
     * @param counters counts what is answered
     * @param clock tells the time
     * @param random source of transaction ids and fillers; any thread may call it
     * @return the handler
     */
    public static OspHandler of(
            SigningIdentity identity,
            CallCounters counters,
            InstantSource clock,
            RandomGenerator random) {
        AuthorisationService authorisation =
                new AuthorisationService(
                        new SampleRouting(),
                        new TokenIssuer(identity, random),
                        new TransactionIds(random),
                        clock);
        UsageService usage = new UsageService(counters, clock);
        return new OspHandler(
                new ComponentDispatcher(authorisation, usage, counters, clock), random);
    }

    @Override
    public PeerResponse handle(PeerRequest request) throws IOException {
        if (!request.method().equals("POST")) {
            return PeerResponse.text(405, "OSP messages are sent by POST\n").with("Allow", "POST");
        }
        byte[] body = request.body().readNBytes(MAX_MESSAGE + 1);
        if (body.length > MAX_MESSAGE) {
            return PeerResponse.text(
                    413, "the message is longer than " + MAX_MESSAGE + " octets\n");
        }
        try {
            Message message = reader.read(body);
            Element answer =
                    message.answer(random.nextInt(Integer.MAX_VALUE), dispatcher.answers(message));
            return PeerResponse.of(CONTENT_TYPE, ElementWriter.write(answer));
        } catch (MalformedMessageException malformed) {
            return PeerResponse.text(400, malformed.getMessage() + "\n");
        }
    }
}
