package org.lrwp.osp.routing;

import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.token.TokenClass;

import java.util.stream.IntStream;

/**
 * The rule of the public OSP test server: the first digit of the called number is the number of
 * destinations, {@code 1.1.1.1} to {@code 8.8.8.8}; 0 is blocked, and to 9 there is no route.
 */
public final class SampleRouting implements Routing {
    private static final int MOST = 8;

    private final TokenClass tokens;

    /** Creates the rule for devices that take the usual tokens. */
    public SampleRouting() {
        this(TokenClass.USUAL);
    }

    /**
     * Creates the rule.
     *
     * @param tokens which tokens all devices take
     */
    public SampleRouting(TokenClass tokens) {
        this.tokens = tokens;
    }

    @Override
    public Decision route(CallToRoute call) throws RefusedException {
        String number = call.number();
        int count = number.isEmpty() ? -1 : Character.digit(number.charAt(0), 10);
        if (count == 0) {
            throw new RefusedException(Status.ROUTE_BLOCKED);
        }
        if (count < 0 || count > MOST) {
            throw new RefusedException(Status.ROUTE_NOT_FOUND);
        }
        return new Decision(
                "",
                tokens,
                IntStream.rangeClosed(1, count)
                        .mapToObj(
                                each ->
                                        new Route(
                                                "d" + each,
                                                "[%1$d.%1$d.%1$d.%1$d]:5060".formatted(each),
                                                call.caller(),
                                                call.called(),
                                                "",
                                                "",
                                                true))
                        .toList());
    }
}
