package org.lrwp.webapp.servlet;

import jakarta.servlet.ServletException;

/** Has the container end a connection whose answer has broken off. */
final class CutException extends ServletException {
    private static final long serialVersionUID = 1L;

    CutException() {
        super("the answer has broken off");
    }

    /** It says where nothing went wrong, and containers log it. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
