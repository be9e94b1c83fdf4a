package org.lrwp.sdk;

/**
 * Answers the requests of a context without a waiting thread: for programs that move data. {@link
 * RequestHandler} is simpler, and good for everything else.
 */
@FunctionalInterface
public interface ExchangeHandler {
    /**
     * Begins one exchange, and returns without waiting for anything. The answer may be given here
     * or at any later time, from any thread. Whoever wants the body, or wants to know when more can
     * be written, calls {@link PeerExchange#listen} here.
     *
     * @param exchange the request and its answer
     * @throws Exception for any failure; the client gets 500, or its connection is cut when the
     *     answer has begun. {@link RequestRefusedException} refuses
     */
    void handle(PeerExchange exchange) throws Exception;
}
