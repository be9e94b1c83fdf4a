package org.lrwp.webapp.servlet;

import jakarta.servlet.ServletOutputStream;

import java.io.IOException;

/**
 * The answer to one request as the front that took the request lets it be written. One thread at a
 * time; not after its {@link ClientCall} is complete. Nothing blocks.
 */
public interface ClientAnswer {
    /**
     * Sets the status.
     *
     * @param status HTTP status
     */
    void status(int status);

    /**
     * Sets a field of the head, in place of what has its name.
     *
     * @param name the field's name
     * @param value its value
     */
    void set(String name, String value);

    /**
     * Adds a field to the head.
     *
     * @param name the field's name
     * @param value its value
     */
    void add(String name, String value);

    /**
     * Says whether the head has a field.
     *
     * @param name the field's name
     * @return whether it is set
     */
    boolean has(String name);

    /**
     * Sets the type of the body.
     *
     * @param type value of Content-Type
     */
    void contentType(String type);

    /**
     * Sets the length of the body.
     *
     * @param octets at least 0
     */
    void contentLength(long octets);

    /**
     * Has a body that is written at once go out in one piece.
     *
     * @param octets of the body
     */
    void holdBack(int octets);

    /**
     * Returns where the body goes.
     *
     * @return the stream, with the rules of the Servlet API
     * @throws IOException when the client is gone
     */
    ServletOutputStream body() throws IOException;

    /**
     * Sends the head, and what is held back of the body.
     *
     * @throws IOException when the client is gone
     */
    void flush() throws IOException;

    /** Sends what is not sent yet, where the front does not do so itself. The last call. */
    void complete();
}
