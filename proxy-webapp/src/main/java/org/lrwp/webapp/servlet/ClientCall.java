package org.lrwp.webapp.servlet;

import jakarta.servlet.ServletInputStream;

import java.io.IOException;

/**
 * One request in the hands of the proxy, whatever front took it: the servlet, or the one before the
 * container's filters.
 */
public interface ClientCall {
    /**
     * Returns the answer.
     *
     * @return always the same
     */
    ClientAnswer answer();

    /**
     * Returns the body of the request.
     *
     * @return its stream, with the rules of the Servlet API
     * @throws IOException when it cannot be had
     */
    ServletInputStream body() throws IOException;

    /** Ends the request: what was written goes out. Any thread, once; never blocks. */
    void complete();

    /**
     * Ends the request when the front's thread, which calls it, has come back from where it handed
     * the request over.
     */
    void completeOnReturn();
}
