package org.lrwp.bench.cache;

import one.nio.http.HttpServer;
import one.nio.http.HttpServerConfig;
import one.nio.http.HttpSession;
import one.nio.http.Request;
import one.nio.http.Response;
import one.nio.mem.SharedMemoryBlobMap;
import one.nio.server.AcceptorConfig;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** one-nio's server in front of one-nio's map in shared memory: what the seed's successors run. */
final class OneNioImages extends HttpServer {
    private static final String PREFIX = "/img/";
    private final SharedMemoryBlobMap images;

    private OneNioImages(HttpServerConfig config, SharedMemoryBlobMap images) throws IOException {
        super(config);
        this.images = images;
    }

    /**
     * Serves files that are named by number, until it is ended.
     *
     * @param file of the map
     * @param size bytes of that file
     */
    static void serve(int port, Path file, long size, Path folder) throws Exception {
        SharedMemoryBlobMap map = new SharedMemoryBlobMap(1 << 16, file.toString(), size);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path image : files) {
                map.put(
                        Long.parseLong(String.valueOf(image.getFileName())),
                        Files.readAllBytes(image));
            }
        }
        AcceptorConfig acceptor = new AcceptorConfig();
        acceptor.address = "127.0.0.1";
        acceptor.port = port;
        acceptor.backlog = 4096;
        HttpServerConfig config = new HttpServerConfig();
        config.acceptors = new AcceptorConfig[] {acceptor};
        new OneNioImages(config, map).start();
        System.out.println("listening");
        Thread.currentThread().join();
    }

    /** On the selector's thread: the map answers at once. */
    @Override
    public void handleDefault(Request request, HttpSession session) throws IOException {
        String path = request.getPath();
        byte[] image =
                path.startsWith(PREFIX)
                        ? images.get(Long.parseLong(path, PREFIX.length(), path.length(), 10))
                        : null;
        session.sendResponse(
                image == null
                        ? new Response(Response.NOT_FOUND, Response.EMPTY)
                        : Response.ok(image));
    }
}
