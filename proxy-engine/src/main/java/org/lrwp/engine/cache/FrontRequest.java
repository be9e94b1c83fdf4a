package org.lrwp.engine.cache;

import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.spool.Spool;
import org.lrwp.protocol.HeaderField;

import java.util.List;
import java.util.function.UnaryOperator;

/** A request on its way to a context, as a front sees it. Methods may be called by any thread. */
public interface FrontRequest {
    /**
     * Returns what is asked.
     *
     * @return the checked head
     */
    RequestHead head();

    /**
     * Returns who asks.
     *
     * @return address of the client
     */
    String client();

    /**
     * Returns whose context it is asked of.
     *
     * @return the name of the identity that serves the context; answers of another one are nobody's
     */
    String owner();

    /**
     * Passes the request to the context, as it would go without a front.
     *
     * @param changed wraps the client that gets the answer, or returns it as it is
     */
    void pass(UnaryOperator<Client> changed);

    /**
     * Asks the context for something like this request, for the front itself.
     *
     * @param fields header fields of that request instead of those of this one
     * @param client gets the answer
     * @return the exchange, to be ended once
     */
    Fetching fetch(List<HeaderField> fields, Client client);

    /**
     * Answers the request without the context. Once, and never after {@link #pass}.
     *
     * @param head the head
     * @param body its bytes, this request's from now on
     * @param word how it was answered, for the access log
     */
    void answer(AnswerHead head, Spool body, String word);

    /**
     * Refuses the request without the context. Once, and never after {@link #pass}.
     *
     * @param failure as it came from the fetch
     */
    void fail(Failure failure);

    /** An exchange of the front itself. */
    interface Fetching {
        /**
         * Ends the exchange.
         *
         * @param whole whether all of the answer was taken
         */
        void end(boolean whole);
    }
}
