package org.lrwp.server;

import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Answers in place of the container when the application is about to go: what it would say itself
 * while it drains. The container would say 404.
 */
final class Farewell extends HttpHandler {
    private static final byte[] BODY =
            "503 draining: The proxy goes down.\n".getBytes(StandardCharsets.US_ASCII);

    Farewell() {
        setDecodeUrl(false);
    }

    @Override
    public void service(Request request, Response response) throws IOException {
        response.setStatus(503);
        response.setHeader("Retry-After", "1");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Connection", "close");
        response.setContentType("text/plain;charset=utf-8");
        response.setContentLength(BODY.length);
        response.getOutputStream().write(BODY);
    }
}
