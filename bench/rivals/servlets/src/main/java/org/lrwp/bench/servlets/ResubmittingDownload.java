package org.lrwp.bench.servlets;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A download in steps of a pool: one that may not send yet is submitted again, at once. */
@WebServlet(urlPatterns = "/resubmitting/*", asyncSupported = true)
public final class ResubmittingDownload extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final System.Logger LOG = System.getLogger(ResubmittingDownload.class.getName());
    private static final int THREADS = 10;
    private static final ExecutorService POOL =
            Executors.newFixedThreadPool(
                    THREADS, Thread.ofPlatform().daemon().name("download-", 0).factory());

    /** For the container. */
    public ResubmittingDownload() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        InputStream file = Files.newInputStream(Folder.file(request));
        AsyncContext context = request.startAsync();
        context.setTimeout(0);
        POOL.execute(new Step(context, file, new TokenBucket()));
    }

    private record Step(AsyncContext context, InputStream file, TokenBucket bucket)
            implements Runnable {
        @Override
        public void run() {
            try {
                if (!bucket.tryTake() || sends()) {
                    POOL.execute(this);
                } else {
                    end();
                }
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "download-cut", e);
                end();
            }
        }

        private boolean sends() throws IOException {
            byte[] part = new byte[TokenBucket.PART];
            int count = file.read(part);
            if (count > 0) {
                context.getResponse().getOutputStream().write(part, 0, count);
                context.getResponse().flushBuffer();
            }
            return count > 0;
        }

        private void end() {
            bucket.close();
            try (file) {
                context.complete();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "file-not-closed", e);
            }
        }
    }
}
