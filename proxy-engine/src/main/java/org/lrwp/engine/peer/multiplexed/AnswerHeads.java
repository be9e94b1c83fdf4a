package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.CgiHeadParser;

/** Lends the streams of a connection what reads their heads. The link's loop only. */
final class AnswerHeads {
    private @Nullable CgiHeadParser parser;

    /** A parser at its start, which remembers the last head; until the next call. */
    CgiHeadParser parser(int limit) {
        CgiHeadParser known = parser;
        if (known == null || known.limit() != limit) {
            known = new CgiHeadParser(limit, true);
            parser = known;
        }
        known.reset();
        return known;
    }
}
