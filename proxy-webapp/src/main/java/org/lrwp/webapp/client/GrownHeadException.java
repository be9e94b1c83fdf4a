package org.lrwp.webapp.client;

import org.lrwp.engine.request.BadRequestException;

import java.io.Serial;

/** A head does not fit any more with the fields that the proxy puts into it. */
final class GrownHeadException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    GrownHeadException(BadRequestException why) {
        super(why);
    }
}
