package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheFileException;
import org.lrwp.cachemap.CacheMap;
import org.lrwp.cachemap.CacheMapConfig;
import org.lrwp.cachemap.CacheStatistics;
import org.lrwp.cachemap.Eviction;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.spool.Handover;
import org.lrwp.engine.spool.NoSpaceException;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.protocol.HeaderField;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A shared cache of HTTP answers: RFC 9111, with RFC 5861 (stale answers), RFC 9211 ({@code
 * Cache-Status}) and RFC 9213 ({@code CDN-Cache-Control}).
 *
 * <p>Purpose: what is fresh never reaches a peer, and what many ask for at once reaches it once.
 * Design: a request is answered from the store, joins a {@link Fetch} under way, begins one, or
 * passes. Ordering promise: what was stored before an unsafe method was answered well, or before a
 * purge was answered, is never served after it; a fetch that was under way then is not stored.
 *
 * <p>Any thread; never blocks, but for a purge by prefix, which has a thread of its own.
 */
public final class ResponseCache implements Front, AutoCloseable {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private final CacheConfig config;
    private final CacheMap map;
    private final PeerFields fields;
    private final AnswerStore answers;
    private final SpoolStore spools;
    private final InstantSource clock;
    private final CacheFigures figures = new CacheFigures();
    private final PurgeRules purges;
    private final AuditTrail audit;
    private final ConcurrentHashMap<String, Fetch> fetches = new ConcurrentHashMap<>();
    private volatile Consumer<Forgotten> others = forgotten -> {};
    private volatile long distrustedMillis = Long.MIN_VALUE;

    private ResponseCache(
            CacheConfig config,
            CacheMap map,
            SpoolStore spools,
            PeerFields fields,
            InstantSource clock,
            AuditTrail audit) {
        this.config = config;
        this.fields = fields;
        this.audit = audit;
        this.map = map;
        this.spools = spools;
        this.clock = clock;
        this.answers = new AnswerStore(map, fields, clock.millis() * 1000);
        this.purges = new PurgeRules(config);
    }

    /**
     * Opens a cache; blocks on its file.
     *
     * @param config what it may do
     * @param spools where answers wait for their clients
     * @param believed whether the forwarding fields of a request are passed on to its peer
     * @param clock tells the time
     * @param audit takes down who purges
     * @return the cache; the caller closes it
     * @throws CacheFileException when the file cannot be used
     */
    public static ResponseCache open(
            CacheConfig config,
            SpoolStore spools,
            Predicate<RequestHead> believed,
            InstantSource clock,
            AuditTrail audit)
            throws CacheFileException {
        CacheMap map =
                CacheMap.open(
                        CacheMapConfig.of(config.file(), config.size())
                                .withLargestValue(config.largest())
                                .withEviction(Eviction.GHOST)
                                .withClock(clock));
        return new ResponseCache(config, map, spools, new PeerFields(believed), clock, audit);
    }

    /**
     * Says whether it stands in front of a context.
     *
     * @param context as users write it
     * @return whether its requests are to be given to {@link #take}
     */
    public boolean serves(String context) {
        return config.serves(context);
    }

    /**
     * Returns what there is to count.
     *
     * @return figures by name
     */
    public Map<String, Long> figures() {
        Map<String, Long> all = new LinkedHashMap<>(figures.read());
        CacheStatistics statistics = map.statistics();
        all.put("fetching", (long) fetches.size());
        all.put("capacity", statistics.capacity());
        all.put("live", statistics.live());
        all.put("entries", statistics.entries());
        all.put("evicted", statistics.evicted());
        all.put("damaged", statistics.damaged());
        return all;
    }

    @Override
    public void close() {
        map.close();
    }

    // ---- Requests.

    @Override
    public void take(FrontRequest request) {
        RequestHead head = request.head();
        String url = url(head);
        if (head.method().equals("PURGE")) {
            purge(request, url);
        } else if (!SAFE.contains(head.method())) {
            request.pass(client -> new PassingClient(client, "method", this::invalidate, url));
        } else if ((head.method().equals("GET") || head.method().equals("HEAD"))
                && head.bodyLength() == 0) {
            read(request, url);
        } else {
            passOn(request, "method");
        }
    }

    private void read(FrontRequest request, String url) {
        RequestHead head = request.head();
        Directives wanted = Directives.ofRequest(head.fields());
        long now = clock.millis();
        // An answer to a client that has shown a certificate may be for it alone.
        boolean own = head.connection().isCertified();
        boolean alone =
                own
                        || wanted.has("no-store")
                        || isForOrigin(head)
                        || KeylessFields.areIn(head, fields);
        StoredAnswer stored = alone ? null : usable(request, url);
        boolean trusted = stored != null && isTrusted(stored);
        if (stored != null && trusted && Reuse.isGoodEnough(stored, wanted, now)) {
            serve(request, stored, Use.hit(stored.isFresh(now)));
        } else if (wanted.has("only-if-cached")) {
            text(request, 504, "Gateway Timeout", "Not in the cache.");
        } else if (alone || head.method().equals("HEAD")) {
            passOn(request, alone ? "request" : why(request, url, stored));
        } else if (stored != null && trusted && Reuse.mayServeMeanwhile(stored, wanted, now)) {
            serve(request, stored, Use.meanwhile());
            fetch(request, url, stored, null);
        } else if (stored == null && (answers.passes(url, head) || head.first("Range") != null)) {
            passOn(request, why(request, url, null));
        } else {
            fetch(request, url, stored, why(request, url, stored));
        }
    }

    /** Why the store does not answer a request: RFC 9211 section 2.2. */
    private String why(FrontRequest request, String url, @Nullable StoredAnswer stored) {
        RequestHead head = request.head();
        // Also what is there and not for one with credentials.
        StoredAnswer found =
                stored == null && head.first("Authorization") != null
                        ? answers.find(url, request.owner(), head)
                        : stored;
        if (found != null) {
            return found.isFresh(clock.millis()) && isTrusted(found) ? "request" : "stale";
        }
        return answers.varies(url, request.owner()) ? "vary-miss" : "uri-miss";
    }

    /** Conditions that a cache does not evaluate: RFC 9111 section 4.3.2. */
    private static boolean isForOrigin(RequestHead head) {
        return head.first("If-Match") != null || head.first("If-Unmodified-Since") != null;
    }

    private @Nullable StoredAnswer usable(FrontRequest request, String url) {
        RequestHead head = request.head();
        StoredAnswer stored = answers.find(url, request.owner(), head);
        boolean own = head.first("Authorization") != null;
        return stored != null && own && !Storing.isShared(stored.directives()) ? null : stored;
    }

    /**
     * Joins a fetch, or begins one.
     *
     * @param why the store does not answer; null when it has, and the fetch is for the next ones
     */
    private void fetch(
            FrontRequest request, String url, @Nullable StoredAnswer stored, @Nullable String why) {
        String credentials = request.head().first("Authorization");
        String owner = request.owner();
        String variant = answers.variant(url, owner, request.head());
        // Who shows who he is waits for nobody else's answer.
        String key = credentials == null ? variant : variant + "\n" + credentials;
        var place = new Fetch.Place(key, url, owner, why == null ? "stale" : why);
        Fetch mine = new Fetch(this, place, request.head(), stored, clock.millis());
        if (why != null) {
            mine.lead(request);
        }
        Fetch other = fetches.putIfAbsent(key, mine);
        if (other == null) {
            figures.count(CacheFigures.Event.MISSES);
            mine.start(request);
        } else if (why != null && other.join(request, config.limits().waiting())) {
            figures.count(CacheFigures.Event.COLLAPSED);
        } else if (why != null) {
            passOn(request, why);
        }
    }

    /** The URL of a request as this cache names it: what stood in Host, and the target's path. */
    private static String url(RequestHead head) {
        return head.authority().virtualHost() + ":" + head.authority().port() + target(head);
    }

    /** The target without the authority that an absolute one begins with. */
    private static String target(RequestHead head) {
        String raw = head.target().raw();
        int scheme = raw.startsWith("/") ? -1 : raw.indexOf("://");
        if (scheme < 0) {
            return raw;
        }
        int query = raw.indexOf('?');
        int path = raw.indexOf('/', scheme + 3);
        if (path >= 0 && (query < 0 || path < query)) {
            return raw.substring(path);
        }
        return "/" + (query < 0 ? "" : raw.substring(query));
    }

    // ---- What fetches ask.

    void forget(Fetch fetch) {
        fetches.remove(fetch.key(), fetch);
    }

    int largest() {
        return config.largest();
    }

    Freshness freshness(AnswerHead answer, long asked) {
        return Freshness.of(answer, asked, clock.millis(), config.heuristic());
    }

    StoredAnswer refreshed(StoredAnswer stored, AnswerHead validation, Freshness times) {
        return stored.refreshed(validation, times, config.heuristic());
    }

    boolean keep(Fetch.Place place, RequestHead request, StoredAnswer answer) {
        boolean stored = answers.store(place.url(), place.owner(), request, answer);
        count(CacheFigures.Event.STORED, stored);
        return stored;
    }

    /** Whether an answer will have room: its head, without bytes, and how many there will be. */
    boolean hasRoom(Fetch.Place place, RequestHead request, StoredAnswer head, long length) {
        return answers.hasRoom(place.url(), place.owner(), request, head, length);
    }

    void count(CacheFigures.Event event, boolean happened) {
        if (happened) {
            figures.count(event);
        }
    }

    boolean mayServeOnError(StoredAnswer stored) {
        return isTrusted(stored) && Reuse.mayServeOnError(stored, clock.millis());
    }

    /** The answer to a request cannot be stored, and is newer than what may be there. */
    void cannotStore(String url, RequestHead request, boolean newer) {
        answers.pass(url, request, config.limits().passTime());
        if (newer) {
            answers.remove(url);
        }
    }

    /** Leaves a request to the context; tells why the store does not answer it. */
    void passOn(FrontRequest request, String why) {
        figures.count(CacheFigures.Event.PASSED);
        request.pass(client -> new PassingClient(client, why, null, ""));
    }

    /** Begins to answer the first who asked; returns where the bytes go, null for nowhere. */
    @Nullable Spool begin(FrontRequest request, AnswerHead answer, String why, boolean stored) {
        List<HeaderField> fields = new ArrayList<>(answer.fields());
        String status = Use.forwarded(why, answer.status());
        fields.add(CacheStatus.of(stored ? status + "; stored" : status));
        Spool spool = spools.forAnswer();
        if (answer.status() == 200
                && Serving.isNotModified(request.head(), fields, clock.millis())) {
            spool.complete();
            request.answer(Serving.notModified(fields), spool, "cache-miss");
            return null;
        }
        request.answer(
                new AnswerHead(
                        answer.status(),
                        answer.reason(),
                        fields,
                        answer.contentLength(),
                        answer.bodyless()),
                spool,
                "cache-miss");
        return spool;
    }

    /**
     * Answers one who waited for somebody else's answer, if it is his as well.
     *
     * @param stored whether it can be found in the cache from now on
     * @return false, and nothing has been done, when it is not his
     */
    boolean serveShared(
            FrontRequest who, RequestHead asked, StoredAnswer answer, boolean stored, Use use) {
        boolean same =
                Fields.list(Fields.all(answer.fields(), "Vary")).stream()
                        .allMatch(
                                name ->
                                        Objects.equals(
                                                fields.value(who.head(), name),
                                                fields.value(asked, name)));
        boolean own = who.head().first("Authorization") != null;
        if (same && (!own || Storing.isShared(answer.directives()))) {
            serve(who, answer, use);
        } else if (stored) {
            take(who);
        } else {
            return false;
        }
        return true;
    }

    void serve(FrontRequest request, StoredAnswer stored, Use use) {
        long now = clock.millis();
        CacheFigures.Event event = use.event();
        if (event != null) {
            figures.count(event);
        }
        long left = Math.floorDiv(stored.lifetime() - stored.ageMillis(now), 1000);
        String told = use.status() + "; ttl=" + left;
        answer(request, Serving.of(request.head(), stored, now, told), use.word());
    }

    private void answer(FrontRequest request, Serving.Served served, String word) {
        Spool spool = spools.forAnswer();
        try {
            spool.append(served.bytes(), Handover.GIVEN);
            spool.complete();
        } catch (NoSpaceException e) {
            spool.breakOff();
        }
        request.answer(served.head(), spool, word);
    }

    // ---- Changes.

    /**
     * Sets who is told of what this cache forgets because of a change or a purge here.
     *
     * @param told must not block
     */
    public void share(Consumer<Forgotten> told) {
        others = told;
    }

    /**
     * Forgets what the cache of another proxy has forgotten.
     *
     * @param what its URL
     */
    public void forget(Forgotten what) {
        outdate(what.url(), what.prefix());
        if (what.prefix()) {
            Thread.ofVirtual()
                    .name("purge")
                    .start(() -> countInvalidated(answers.removeAll(what.url())));
        } else {
            countInvalidated(answers.remove(what.url()) ? 1 : 0);
        }
    }

    private void countInvalidated(int number) {
        figures.add(CacheFigures.Event.INVALIDATED, number);
    }

    /**
     * Trusts nothing that is stored now: it is not served before its peer has said that it is still
     * good. For a cache that may have missed what others have forgotten.
     */
    public void distrust() {
        distrustedMillis = clock.millis();
        outdate("", true);
    }

    /** What seems to come from the future was stored before the clock was set back. */
    private boolean isTrusted(StoredAnswer stored) {
        long since = distrustedMillis;
        return since == Long.MIN_VALUE
                || (stored.received() > since && stored.received() <= clock.millis());
    }

    /** An unsafe method was answered well: RFC 9111 section 4.4. */
    void invalidate(String url) {
        Forgotten what = new Forgotten(url, false);
        forget(what);
        others.accept(what);
    }

    private void outdate(String url, boolean prefix) {
        for (Fetch fetch : fetches.values()) {
            if (prefix ? fetch.url().startsWith(url) : fetch.url().equals(url)) {
                fetch.outdate();
                forget(fetch);
            }
        }
    }

    private void purge(FrontRequest request, String url) {
        switch (purges.judge(request)) {
            case UNKNOWN ->
                    notPurged(request, url, 401, "Unauthorized", "Purging needs the token.");
            case FORBIDDEN ->
                    notPurged(request, url, 403, "Forbidden", "Nothing is purged from there.");
            case ALLOWED -> {
                if ("prefix".equals(request.head().first("Purge"))) {
                    Thread.ofVirtual().name("purge").start(() -> purgeAll(request, url));
                } else {
                    outdate(url, false);
                    int number = answers.remove(url) ? 1 : 0;
                    others.accept(new Forgotten(url, false));
                    purged(request, url, number);
                }
            }
        }
    }

    private void purgeAll(FrontRequest request, String prefix) {
        outdate(prefix, true);
        int number = answers.removeAll(prefix);
        others.accept(new Forgotten(prefix, true));
        purged(request, prefix + "*", number);
    }

    /**
     * Begins to remove answers, on a thread of its own.
     *
     * @param prefix {@code host:port/path}; empty for all
     * @param actor who wants it
     */
    public void purge(String prefix, AuditActor actor) {
        outdate(prefix, true);
        others.accept(new Forgotten(prefix, true));
        Thread.ofVirtual().name("purge").start(() -> removeAll(prefix, actor));
    }

    private void removeAll(String prefix, AuditActor actor) {
        int number = answers.removeAll(prefix);
        purged(actor, prefix + "*", number);
    }

    private void purged(AuditActor actor, String what, int number) {
        figures.add(CacheFigures.Event.PURGED, number);
        audit.record(AuditEvent.done(AuditEvent.Action.PURGE, actor, what, "answers=" + number));
    }

    private void purged(FrontRequest request, String what, int number) {
        purged(AuditActor.anonymous(request.client()), what, number);
        text(request, 200, "OK", "purged " + number);
    }

    private void notPurged(
            FrontRequest request, String what, int status, String reason, String sentence) {
        AuditActor actor = AuditActor.anonymous(request.client());
        audit.record(AuditEvent.refused(AuditEvent.Action.PURGE, actor, what, sentence));
        text(request, status, reason, sentence);
    }

    private void text(FrontRequest request, int status, String reason, String sentence) {
        answer(request, Serving.text(status, reason, sentence), "cache");
    }
}
