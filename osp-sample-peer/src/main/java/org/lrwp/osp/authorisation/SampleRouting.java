package org.lrwp.osp.authorisation;

import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The rule of the public OSP test server: the first digit of the called number is the number of
 * destinations, {@code 1.1.1.1} to {@code 8.8.8.8}; 0 is blocked, and to 9 there is no route.
 */
public final class SampleRouting implements Routing {
    private static final int MOST = 8;

    private static final List<String> ADDRESSES =
            IntStream.rangeClosed(1, MOST)
                    .mapToObj("[%1$d.%1$d.%1$d.%1$d]:5060"::formatted)
                    .toList();

    /** Creates the rule. */
    public SampleRouting() {}

    @Override
    public List<String> destinations(Party called) throws RefusedException {
        String number = called.number();
        int count = number.isEmpty() ? -1 : Character.digit(number.charAt(0), 10);
        if (count == 0) {
            throw new RefusedException(Status.ROUTE_BLOCKED);
        }
        if (count < 0 || count > MOST) {
            throw new RefusedException(Status.ROUTE_NOT_FOUND);
        }
        return ADDRESSES.subList(0, count);
    }
}
