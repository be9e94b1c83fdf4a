package org.lrwp.webapp.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;

/**
 * An answer through the Servlet API.
 *
 * @param response the container's response
 */
record ServletAnswer(HttpServletResponse response) implements ClientAnswer {
    @Override
    public void status(int status) {
        response.setStatus(status);
    }

    @Override
    public void set(String name, String value) {
        response.setHeader(name, value);
    }

    @Override
    public void add(String name, String value) {
        response.addHeader(name, value);
    }

    @Override
    public boolean has(String name) {
        return response.containsHeader(name);
    }

    @Override
    public void contentType(String type) {
        response.setContentType(type);
    }

    @Override
    public void contentLength(long octets) {
        response.setContentLengthLong(octets);
    }

    @Override
    public void holdBack(int octets) {
        if (octets > response.getBufferSize()) {
            response.setBufferSize(octets);
        }
    }

    @Override
    public ServletOutputStream body() throws IOException {
        return response.getOutputStream();
    }

    @Override
    public void flush() throws IOException {
        response.flushBuffer();
    }

    /** The container does it. */
    @Override
    public void complete() {}
}
