package org.lrwp.webapp.glassfish;

import jakarta.servlet.ServletOutputStream;

import org.glassfish.grizzly.http.server.Response;
import org.lrwp.webapp.servlet.ClientAnswer;

import java.io.IOException;

/** An answer that goes to Grizzly without the servlet container. */
final class GrizzlyAnswer implements ClientAnswer {
    private final Response response;
    private final GrizzlyOutput body;

    GrizzlyAnswer(Response response) {
        this.response = response;
        this.body = new GrizzlyOutput(response.getNIOOutputStream());
    }

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
        response.setBufferSize(octets);
    }

    @Override
    public ServletOutputStream body() {
        return body;
    }

    @Override
    public void flush() throws IOException {
        body.flush();
    }
}
