package org.lrwp.bench.servlets;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;

/** A download that keeps a container thread from its beginning to its end. */
@WebServlet("/blocking/*")
public final class BlockingDownload extends HttpServlet {
    private static final long serialVersionUID = 1;

    /** For the container. */
    public BlockingDownload() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        byte[] part = new byte[TokenBucket.PART];
        try (TokenBucket bucket = new TokenBucket();
                InputStream file = Files.newInputStream(Folder.file(request))) {
            for (int count = file.read(part); count > 0; count = file.read(part)) {
                bucket.take();
                response.getOutputStream().write(part, 0, count);
                response.flushBuffer();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the server ends");
        }
    }
}
