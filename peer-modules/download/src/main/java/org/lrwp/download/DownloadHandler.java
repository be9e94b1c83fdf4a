package org.lrwp.download;

import org.jspecify.annotations.Nullable;
import org.lrwp.download.file.FileStore;
import org.lrwp.download.file.Found;
import org.lrwp.download.file.Look;
import org.lrwp.download.file.OpenFile;
import org.lrwp.download.file.ReplacedException;
import org.lrwp.download.http.FileAnswer;
import org.lrwp.download.http.Listing;
import org.lrwp.download.http.Segment;
import org.lrwp.download.http.UsualAnswers;
import org.lrwp.download.policy.BanAction;
import org.lrwp.download.policy.DownloadPolicy;
import org.lrwp.download.policy.Placement;
import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.PeerExchange;
import org.lrwp.sdk.RequestHead;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Answers the requests: who is turned away, what is there, and how it gets on its way. Returns at
 * once on whatever thread; what may wait for the disk goes to the disk threads.
 */
final class DownloadHandler implements ExchangeHandler {
    private static final System.Logger LOG = System.getLogger(DownloadHandler.class.getName());
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final String ALLOWED = "GET, HEAD, OPTIONS";

    /**
     * What is set now.
     *
     * @param policy who gets what
     * @param store the files
     * @param answers what is said about them
     * @param lendFrom bytes from which on the system sends them, where it can
     */
    record Settings(DownloadPolicy policy, FileStore store, UsualAnswers answers, long lendFrom) {}

    private final Ground ground;
    private final Supplier<Settings> settings;
    private final Supplier<LocalTime> timeOfDay;
    private final Tarpit tarpit;
    private final SharedRates shares;
    private final Clients clients = new Clients();
    private final Set<Transfer> transfers = ConcurrentHashMap.newKeySet();

    DownloadHandler(
            Ground ground,
            Supplier<Settings> settings,
            Supplier<LocalTime> timeOfDay,
            Tarpit tarpit,
            SharedRates shares) {
        this.ground = ground;
        this.settings = settings;
        this.timeOfDay = timeOfDay;
        this.tarpit = tarpit;
        this.shares = shares;
    }

    /** One request with the settings of its beginning, and the client it counts for. */
    private record Call(PeerExchange exchange, Settings settings, @Nullable String client) {
        RequestHead request() {
            return exchange.request();
        }
    }

    int underWay() {
        return transfers.size();
    }

    @Override
    public void handle(PeerExchange exchange) {
        Settings now = settings.get();
        RequestHead request = exchange.request();
        String method = request.method();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            int status = method.equals("OPTIONS") ? 204 : 405;
            exchange.answer(status, List.of(new HeaderField("Allow", ALLOWED)), NOTHING);
            return;
        }
        if (now.policy.ban().holds(request)) {
            ground.counters().banned.increment();
            turnAway(exchange, now.policy.ban());
            return;
        }
        Call call = new Call(exchange, now, null);
        if (now.policy.connections() > 0) {
            String client = now.policy.client(request);
            if (!clients.enter(client, now.policy.connections())) {
                ground.counters().tooMany.increment();
                text(
                        exchange,
                        429,
                        "too many downloads at once",
                        new HeaderField("Retry-After", "1"));
                return;
            }
            call = new Call(exchange, now, client);
        }
        find(call);
    }

    private void turnAway(PeerExchange exchange, DownloadPolicy.Ban ban) {
        boolean waits =
                ban.action() == BanAction.TARPIT
                        && tarpit.hold(exchange, ban.tarpit(), () -> refuse(exchange));
        if (!waits) {
            refuse(exchange);
        }
    }

    private static void refuse(PeerExchange exchange) {
        text(exchange, 403, "not for you");
    }

    private void find(Call call) {
        Found.File recent = call.settings.store.recent(call.request().pathInfo());
        if (recent == null || !isAnswered(call, recent, null)) {
            if (!ground.disk().execute(() -> open(call, recent))) {
                finish(call, 503, "the module ends");
            }
        }
    }

    /** Whether the system sends it: one part of a file, for nobody who has a limit. */
    private boolean isLent(Call call, FileAnswer answer) {
        return answer.body().size() == 1
                && answer.body().getFirst() instanceof Segment.Part(var range)
                && range.length() >= call.settings.lendFrom
                && call.exchange.takesFiles()
                && isUnlimited(call);
    }

    private boolean isUnlimited(Call call) {
        return !call.settings.policy.limits(call.request(), timeOfDay.get());
    }

    /** On a disk thread, which finds out whether a file is still what it was a moment ago. */
    private void open(Call call, Found.@Nullable File recent) {
        if (recent != null) {
            FileAnswer answer = call.settings.answers.of(call.request(), recent);
            if (isLent(call, answer) && lend(call, answer)) {
                return;
            }
        }
        look(call);
    }

    /** Lends a file that others read at this moment, so that it takes no disk. */
    private boolean isLentAgain(Call call, FileAnswer answer) {
        OpenFile file = call.settings.store.joinOpen(answer.version());
        if (file != null) {
            count(answer);
            send(call, answer, new BodySource(answer, file, true));
        }
        return file != null;
    }

    private boolean lend(Call call, FileAnswer answer) {
        OpenFile file;
        try {
            file = call.settings.store.open(answer.version());
        } catch (IOException replaced) {
            return false;
        }
        count(answer);
        send(call, answer, new BodySource(answer, file, true));
        return true;
    }

    /** A file that is read from the disk is looked at anew: it may have been replaced. */
    private void look(Call call) {
        try (Look look = call.settings.store.look(call.request().pathInfo())) {
            switch (look.found()) {
                case Found.Nothing() -> {
                    ground.counters().missing.increment();
                    finish(call, 404, "not found");
                }
                case Found.Folder folder -> folder(call, folder);
                case Found.File file -> isAnswered(call, file, look);
            }
        } catch (ReplacedException e) {
            LOG.log(Level.DEBUG, "download-not-opened", e);
            ground.counters().failed.increment();
            finish(call, 503, "try again", new HeaderField("Retry-After", "1"));
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "download-not-read", e);
            ground.counters().failed.increment();
            finish(call, 500, "the file cannot be read");
        }
    }

    private void folder(Call call, Found.Folder folder) {
        String path = call.request().pathInfo();
        if (!path.endsWith("/")) {
            finish(call, 301, "", new HeaderField("Location", location(call.request())));
        } else if (folder.listed()) {
            byte[] page =
                    Listing.page(folder, call.request().query()).getBytes(StandardCharsets.UTF_8);
            List<HeaderField> headers =
                    List.of(
                            new HeaderField("Content-Type", "text/html; charset=utf-8"),
                            new HeaderField("X-Content-Type-Options", "nosniff"),
                            new HeaderField("Content-Security-Policy", "default-src 'none'"));
            whole(call, 200, headers, ByteBuffer.wrap(page));
        } else {
            ground.counters().missing.increment();
            finish(call, 404, "not found");
        }
    }

    /** The same path with a slash, as the client wrote it; relative, so no other host. */
    private static String location(RequestHead request) {
        String uri = String.valueOf(request.variable("REQUEST_URI"));
        int query = uri.indexOf('?');
        String path = query < 0 ? uri : uri.substring(0, query);
        String last = path.substring(path.lastIndexOf('/') + 1);
        return "./" + last + "/" + (query < 0 ? "" : uri.substring(query));
    }

    /** Answers, unless that takes the disk and there is no look, whose thread may wait for it. */
    private boolean isAnswered(Call call, Found.File file, @Nullable Look look) {
        FileAnswer answer = call.settings.answers.of(call.request(), file);
        boolean lent = isLent(call, answer);
        boolean takesDisk =
                lent || (!answer.body().isEmpty() && answer.version().content() == null);
        if (takesDisk && look == null) {
            return lent && isLentAgain(call, answer);
        }
        OpenFile open = takesDisk && look != null ? open(look, answer) : null;
        if (look != null) {
            // Nothing may be left open when the answer is over.
            look.close();
        }
        count(answer);
        if (open != null) {
            send(call, answer, new BodySource(answer, open, lent));
        } else if (answer.body().isEmpty()) {
            whole(call, answer.status(), answer.headers(), NOTHING);
        } else {
            fromMemory(call, answer);
        }
        return true;
    }

    /** The file itself; null when it is in memory and has been replaced on the disk. */
    private static @Nullable OpenFile open(Look look, FileAnswer answer) {
        try {
            return look.open(answer.version());
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "download-not-opened", e);
            return null;
        }
    }

    private void count(FileAnswer answer) {
        ground.counters().answers.increment();
        if (answer.status() == 304) {
            ground.counters().unchanged.increment();
        }
    }

    private void fromMemory(Call call, FileAnswer answer) {
        ByteBuffer content = answer.version().content();
        boolean simple = answer.body().size() == 1;
        if (simple
                && content != null
                && isUnlimited(call)
                && answer.body().getFirst() instanceof Segment.Part(var range)) {
            ByteBuffer bytes = content.slice((int) range.first(), (int) range.length());
            ground.counters().bytes.add(bytes.remaining());
            whole(call, answer.status(), answer.headers(), bytes);
        } else {
            send(call, answer, new BodySource(answer, null, false));
        }
    }

    private void send(Call call, FileAnswer answer, BodySource source) {
        PeerExchange exchange = call.exchange;
        Transfer transfer =
                new Transfer(
                        exchange,
                        ground,
                        source,
                        over -> {
                            transfers.remove(over);
                            leave(call);
                        });
        RequestHead request = exchange.request();
        transfers.add(transfer);
        exchange.listen(transfer);
        exchange.respond(answer.status(), answer.headers());
        if (place(request).limited()) {
            ground.loop().hurry(tree -> transfer.place(tree, place(request), shares));
        } else {
            transfer.run();
        }
    }

    private Placement place(RequestHead request) {
        return settings.get().policy.place(request, timeOfDay.get());
    }

    /** What counts where limits are shared with other nodes. */
    List<SharedRates.Download> counted() {
        return transfers.stream().map(Transfer::counted).filter(Objects::nonNull).toList();
    }

    /** Lets what is under way feel what has changed. */
    void settingsChanged() {
        ground.loop()
                .hurry(
                        tree -> {
                            tree.limit(tree.root(), shares.all(settings.get().policy.global()));
                            for (Transfer transfer : transfers) {
                                Placement place = place(transfer.exchange().request());
                                transfer.place(tree, place, shares);
                            }
                        });
    }

    private void finish(Call call, int status, String text, HeaderField... more) {
        whole(call, status, headers(more), line(text));
    }

    private void whole(Call call, int status, List<HeaderField> headers, ByteBuffer bytes) {
        if (call.client != null) {
            call.exchange.listen(
                    new ExchangeListener() {
                        @Override
                        public void onDone() {
                            leave(call);
                        }
                    });
        }
        call.exchange.answer(status, headers, bytes);
    }

    private void leave(Call call) {
        if (call.client != null) {
            clients.leave(call.client);
        }
    }

    private static void text(PeerExchange exchange, int status, String text, HeaderField... more) {
        exchange.answer(status, headers(more), line(text));
    }

    private static List<HeaderField> headers(HeaderField... more) {
        List<HeaderField> headers = new ArrayList<>(List.of(more));
        headers.add(new HeaderField("Content-Type", "text/plain; charset=utf-8"));
        return headers;
    }

    private static ByteBuffer line(String text) {
        byte[] bytes = (text.isEmpty() ? "" : text + "\n").getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(bytes);
    }
}
