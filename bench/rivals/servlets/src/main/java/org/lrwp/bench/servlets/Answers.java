package org.lrwp.bench.servlets;

import jakarta.servlet.ServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** How an event is answered. */
final class Answers {
    private Answers() {}

    static void send(ServletResponse response, String event) throws IOException {
        byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
        response.setContentType("application/json");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
