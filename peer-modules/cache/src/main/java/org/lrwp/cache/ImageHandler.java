package org.lrwp.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheMap;
import org.lrwp.cachemap.PutResult;
import org.lrwp.protocol.HeaderField;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Answers the requests of the store. Waits for nothing: what the cache has comes from memory, what
 * the origin has is fetched by another thread.
 */
final class ImageHandler implements ExchangeHandler {
    private static final HeaderField ALLOW = new HeaderField("Allow", "GET, HEAD, PUT, DELETE");
    private static final HeaderField BEARER = new HeaderField("WWW-Authenticate", "Bearer");
    private static final HeaderField SOON = new HeaderField("Retry-After", "1");

    /** Above this a checksum takes longer than a thread that serves others may be held. */
    private static final int LARGE = 32 << 10;

    /** A power of two. */
    private static final int WRITERS = 64;

    private final CacheMap map;
    private final int largest;
    private final WriteRules rules;
    private final Live<StoreConfig> config;
    private final @Nullable OriginLoads loads;

    /** One of these is held by who changes an image: nobody else does between look and change. */
    private final Object[] writers = new Object[WRITERS];

    ImageHandler(
            CacheMap map,
            int largest,
            WriteRules rules,
            Live<StoreConfig> config,
            @Nullable OriginLoads loads) {
        this.map = map;
        this.largest = largest;
        this.rules = rules;
        this.config = config;
        this.loads = loads;
        Arrays.setAll(writers, _ -> new Object());
    }

    @Override
    public void handle(PeerExchange exchange) {
        String method = exchange.request().method();
        OptionalLong id = ImageId.of(exchange.request().pathInfo());
        switch (method) {
            case "GET", "HEAD" -> {
                if (id.isPresent()) {
                    read(exchange, id.getAsLong());
                } else {
                    Answers.text(exchange, 404, "Images have decimal 64-bit ids.");
                }
            }
            case "PUT", "DELETE" -> {
                if (id.isEmpty()) {
                    Answers.text(exchange, 400, "Images have decimal 64-bit ids.");
                } else if (mayWrite(exchange)) {
                    change(exchange, method, id.getAsLong());
                }
            }
            default -> Answers.text(exchange, 405, "There is no " + method + " here.", ALLOW);
        }
    }

    private void read(PeerExchange exchange, long id) {
        byte[] bytes = map.get(id);
        if (bytes != null) {
            answer(exchange, StoredImage.decode(bytes));
        } else if (loads == null) {
            Answers.text(exchange, 404, "There is no image " + id + ".");
        } else {
            StoreConfig now = config.get();
            loads.load(
                    id,
                    now.originTimeout(),
                    now.originRequests(),
                    loaded -> answer(exchange, id, loaded));
        }
    }

    private void answer(PeerExchange exchange, long id, OriginLoads.Loaded loaded) {
        StoredImage image = loaded.image();
        if (image != null) {
            answer(
                    exchange,
                    // Whoever shares a fetch has a position of his own.
                    new StoredImage(image.type(), image.etag(), image.body().duplicate()));
            return;
        }
        switch (loaded.status()) {
            case 404 -> Answers.text(exchange, 404, "There is no image " + id + ".");
            case 503 -> Answers.text(exchange, 503, "The origin is asked too much.", SOON);
            default -> Answers.text(exchange, loaded.status(), "The origin did not answer well.");
        }
    }

    private void answer(PeerExchange exchange, StoredImage image) {
        Answers.image(exchange, image, config.get().maxAge().toSeconds());
    }

    private boolean mayWrite(PeerExchange exchange) {
        StoreConfig now = config.get();
        switch (rules.judge(exchange.request(), now.writeNetworks(), now.writeHosts())) {
            case ALLOWED -> {
                return true;
            }
            case UNKNOWN -> Answers.text(exchange, 401, "Writing needs the token.", BEARER);
            case FORBIDDEN -> Answers.text(exchange, 403, "Images are not written from there.");
        }
        return false;
    }

    private void change(PeerExchange exchange, String method, long id) {
        if (method.equals("DELETE")) {
            switch (removed(exchange.request(), id)) {
                case 204 -> Answers.empty(exchange, 204);
                case 412 -> refuseChange(exchange, id);
                default -> Answers.text(exchange, 404, "There is no image " + id + ".");
            }
        } else if (exchange.request().bodyLength() > largest) {
            Upload.refuse(exchange, largest);
        } else if (exchange.request().bodyLength() == 0) {
            refuseEmpty(exchange);
        } else {
            exchange.listen(
                    new Upload(
                            exchange,
                            largest,
                            body -> {
                                if (body.remaining() > LARGE) {
                                    Thread.ofVirtual().start(() -> store(exchange, id, body));
                                } else {
                                    store(exchange, id, body);
                                }
                            }));
        }
    }

    private static void refuseEmpty(PeerExchange exchange) {
        Answers.text(exchange, 400, "An image has at least one byte.");
    }

    private void store(PeerExchange exchange, long id, ByteBuffer body) {
        if (!body.hasRemaining()) {
            refuseEmpty(exchange);
            return;
        }
        String declared = exchange.request().header("Content-Type");
        byte[] bytes = new byte[Math.min(body.remaining(), ContentKind.LOOKS_AT)];
        body.duplicate().get(bytes);
        String type = ContentKind.agreed(declared, bytes);
        if (type == null) {
            Answers.text(
                    exchange,
                    415,
                    "Content-Type and bytes do not agree: these bytes are "
                            + ContentKind.sniff(bytes)
                            + ".");
            return;
        }
        ByteBuffer image = StoredImage.encode(type, body);
        switch (put(exchange.request(), id, image)) {
            case ADDED -> Answers.empty(exchange, 201);
            case REPLACED -> Answers.empty(exchange, 204);
            case REFUSED -> refuseChange(exchange, id);
        }
    }

    private static void refuseChange(PeerExchange exchange, long id) {
        Answers.text(exchange, 412, "A condition does not hold for image " + id + ".");
    }

    private PutResult put(RequestHead request, long id, ByteBuffer image) {
        synchronized (writer(id)) {
            // First, so that no fetch puts an image there behind the look at the conditions.
            forget(id);
            return mayChange(request, id)
                    ? map.put(id, image, config.get().timeToLive())
                    : PutResult.REFUSED;
        }
    }

    /** Removes an image, and returns the status to answer. */
    private int removed(RequestHead request, long id) {
        synchronized (writer(id)) {
            forget(id);
            // Where there is nothing to delete, no condition counts: RFC 9110 section 13.2.1.
            if (map.contains(id) && !mayChange(request, id)) {
                return 412;
            }
            return map.remove(id) ? 204 : 404;
        }
    }

    private boolean mayChange(RequestHead request, long id) {
        if (!Conditions.areIn(request)) {
            return true;
        }
        byte[] bytes = map.get(id);
        String etag = bytes == null ? null : StoredImage.decode(bytes).etag();
        return Conditions.allowChange(request, etag);
    }

    private Object writer(long id) {
        return writers[Long.hashCode(id) & (WRITERS - 1)];
    }

    private void forget(long id) {
        if (loads != null) {
            loads.forget(id);
        }
    }
}
