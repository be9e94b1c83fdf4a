package org.lrwp.engine.cache;

import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.protocol.HeaderField;

import java.util.List;
import java.util.Set;

/** Which answers may be stored: RFC 9111 section 3. */
final class Storing {
    private static final Set<Integer> STATUSES =
            Set.of(200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 501);

    private Storing() {}

    /**
     * Says whether the answer to a GET may be stored for everybody.
     *
     * @return false also for one that would have to be validated and cannot be
     */
    static boolean isAllowed(RequestHead request, AnswerHead answer, Freshness freshness) {
        List<HeaderField> fields = answer.fields();
        Directives directives = Directives.ofAnswer(fields);
        if (!STATUSES.contains(answer.status())
                || directives.has("no-store")
                || directives.has("private")
                || Directives.ofRequest(request.fields()).has("no-store")
                || Fields.has(fields, "Set-Cookie")
                || Fields.list(Fields.all(fields, "Vary")).contains("*")) {
            return false;
        }
        if (request.first("Authorization") != null && !isShared(directives)) {
            return false;
        }
        boolean fresh = freshness.initialAge() < freshness.lifetime();
        boolean validated =
                (Fields.has(fields, "ETag") || Fields.has(fields, "Last-Modified"))
                        && (Freshness.HEURISTIC.contains(answer.status())
                                || directives.has("public")
                                || directives.has("max-age")
                                || directives.has("s-maxage")
                                || Fields.has(fields, "Expires"));
        boolean stale =
                directives.seconds("stale-while-revalidate") > 0
                        || directives.seconds("stale-if-error") > 0;
        return fresh || validated || stale;
    }

    /** RFC 9111 section 3.5. */
    static boolean isShared(Directives answer) {
        return answer.has("public") || answer.has("s-maxage") || answer.has("must-revalidate");
    }
}
