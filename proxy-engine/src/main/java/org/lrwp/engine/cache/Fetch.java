package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.spool.Spool;
import org.lrwp.protocol.HeaderField;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One answer on its way from the context to the cache and to all who asked for it meanwhile.
 *
 * <pre>
 *   ASKED --head--> FLOWING --end--> OVER
 *     |                                ^
 *     +---304, failure-----------------+
 * </pre>
 *
 * <p>The first who asked gets the bytes as they come; the others get the whole answer at the end,
 * or are sent on when it cannot be stored. The exchange is the cache's own: a client that leaves
 * takes nothing from the others. Any thread; never blocks.
 */
final class Fetch implements Client {
    private enum State {
        ASKED,
        FLOWING,
        OVER
    }

    private static final System.Logger LOG = System.getLogger(Fetch.class.getName());

    private static final List<String> CONDITIONS =
            List.of(
                    "If-None-Match",
                    "If-Modified-Since",
                    "If-Match",
                    "If-Unmodified-Since",
                    "If-Range",
                    "Range");

    private final ResponseCache cache;
    private final Place place;
    private final RequestHead request;
    private final @Nullable StoredAnswer stale;
    private final long asked;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<FrontRequest> waiting = new ArrayDeque<>();
    private @Nullable FrontRequest leader;
    private State state = State.ASKED;
    private boolean outdated;
    private FrontRequest.@Nullable Fetching exchange;
    private boolean ended;
    private boolean whole;

    /**
     * What a fetch is of.
     *
     * @param key what requests have in common that may share it
     * @param url what is asked for
     * @param owner whose context is asked
     * @param why the store does not answer: RFC 9211 section 2.2
     */
    record Place(String key, String url, String owner, String why) {}

    /**
     * Creates a fetch.
     *
     * @param place what it is of
     * @param request whose head goes out
     * @param stale what is to be validated; null when there is nothing
     * @param asked now, in milliseconds of the epoch
     */
    Fetch(
            ResponseCache cache,
            Place place,
            RequestHead request,
            @Nullable StoredAnswer stale,
            long asked) {
        this.cache = cache;
        this.place = place;
        this.request = request;
        this.stale = stale;
        this.asked = asked;
    }

    /**
     * Returns the fields of a request for all of an answer, or for what is newer than an old one.
     */
    static List<HeaderField> fields(RequestHead head, @Nullable StoredAnswer old) {
        List<HeaderField> fields = Fields.without(head.fields(), CONDITIONS);
        if (old != null) {
            String etag = old.etag();
            String changed = old.lastModified();
            if (etag != null) {
                fields.add(new HeaderField("If-None-Match", etag));
            }
            if (changed != null) {
                fields.add(new HeaderField("If-Modified-Since", changed));
            }
        }
        return fields;
    }

    String key() {
        return place.key();
    }

    String url() {
        return place.url();
    }

    /** Keeps the answer from all who ask from now on: its URL was changed or purged. */
    void outdate() {
        lock.lock();
        try {
            outdated = true;
        } finally {
            lock.unlock();
        }
    }

    /** Sets the one whose request it is; without one the answer is for the cache alone. */
    void lead(FrontRequest who) {
        leader = who;
    }

    /** Adds who waits; returns false when it comes too late, or too many wait. */
    boolean join(FrontRequest who, int most) {
        lock.lock();
        try {
            if (state == State.OVER || outdated || waiting.size() >= most) {
                return false;
            }
            waiting.add(who);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Asks the context, in the name of a request. */
    void start(FrontRequest who) {
        StoredAnswer old = validated();
        FrontRequest.Fetching fetching;
        try {
            fetching = who.fetch(fields(request, old), this);
        } catch (RuntimeException e) {
            // Or all who want the same would wait for ever.
            fail(Failure.INTERNAL);
            throw e;
        }
        has(fetching);
    }

    private @Nullable StoredAnswer validated() {
        return stale != null && stale.hasValidator() ? stale : null;
    }

    /** Gets the exchange that fetches, which may have ended already. */
    private void has(FrontRequest.Fetching fetching) {
        boolean now;
        lock.lock();
        try {
            exchange = fetching;
            now = ended;
        } finally {
            lock.unlock();
        }
        if (now) {
            fetching.end(whole);
        }
    }

    private void endExchange(boolean all) {
        FrontRequest.Fetching fetching;
        lock.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            whole = all;
            fetching = exchange;
        } finally {
            lock.unlock();
        }
        if (fetching != null) {
            fetching.end(all);
        }
    }

    /** Lets nobody join any more. */
    private void over() {
        cache.forget(this);
        lock.lock();
        try {
            state = State.OVER;
        } finally {
            lock.unlock();
        }
    }

    // ---- Clients: whoever is told something is taken out first, so that each gets one answer.

    /** Tells the first who asked, if he has heard nothing yet. */
    private void tellFirst(Consumer<FrontRequest> what) {
        FrontRequest first = leader;
        leader = null;
        if (first != null) {
            tell(first, what);
        }
    }

    /** Tells all who wait, once it is over. */
    private void tellWaiting(Consumer<FrontRequest> what) {
        for (FrontRequest who = nextWaiting(); who != null; who = nextWaiting()) {
            tell(who, what);
        }
    }

    private @Nullable FrontRequest nextWaiting() {
        lock.lock();
        try {
            return waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    /** What fails for one is no reason to keep it from the others. */
    private static void tell(FrontRequest who, Consumer<FrontRequest> what) {
        try {
            what.accept(who);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "cache-answer-failed", e);
            who.fail(Failure.INTERNAL);
        }
    }

    /** Something failed that never should: or all who want this would wait for ever. */
    private void broken(RuntimeException why) {
        LOG.log(System.Logger.Level.ERROR, "cache-fetch-failed", why);
        over();
        tellFirst(who -> who.fail(Failure.INTERNAL));
        tellWaiting(this::passOn);
        endExchange(false);
    }

    /** Stores an answer, unless its URL was changed meanwhile. */
    private boolean keep(StoredAnswer made) {
        lock.lock();
        try {
            return !outdated && cache.keep(place, request, made);
        } finally {
            lock.unlock();
        }
    }

    private boolean isOutdated() {
        lock.lock();
        try {
            return outdated;
        } finally {
            lock.unlock();
        }
    }

    // ---- The answer.

    @Override
    public void answer(AnswerHead answer, Spool bytes) {
        try {
            take(answer, bytes);
        } catch (RuntimeException e) {
            broken(e);
        }
    }

    private void take(AnswerHead answer, Spool bytes) {
        StoredAnswer old = stale;
        Freshness times = cache.freshness(answer, asked);
        if (old != null && old.hasValidator() && answer.status() == 304) {
            bytes.close();
            if (isOfAnother(answer, old)) {
                passAllOn();
            } else {
                validate(old, answer, times);
            }
        } else if (old != null && answer.status() >= 500 && mayUse(old)) {
            useOldInstead(old, answer, bytes, times);
        } else {
            flow(answer, bytes, times);
        }
    }

    /** Whether a 304 tells of an answer that is not stored: RFC 9111 section 4.3.4. */
    private static boolean isOfAnother(AnswerHead answer, StoredAnswer old) {
        String told = Fields.all(answer.fields(), "ETag");
        String kept = old.etag();
        if (told == null) {
            return false;
        }
        boolean same =
                told.startsWith("W/")
                        ? kept != null && Serving.opaque(told).equals(Serving.opaque(kept))
                        : told.equals(kept);
        return !same;
    }

    private void passAllOn() {
        cache.cannotStore(place.url(), request, true);
        over();
        endExchange(true);
        tellFirst(this::passOn);
        tellWaiting(this::passOn);
    }

    private void validate(StoredAnswer old, AnswerHead answer, Freshness times) {
        StoredAnswer again = cache.refreshed(old, answer, times);
        boolean storable = Storing.isAllowed(request, again.head(), times);
        boolean stored = storable && keep(again);
        if (!storable) {
            cache.cannotStore(place.url(), request, true);
        }
        over();
        endExchange(true);
        cache.count(CacheFigures.Event.VALIDATED, true);
        tellFirst(who -> cache.serve(who, again, Use.validated(place.why())));
        tellWaiting(
                who -> {
                    if (storable) {
                        share(who, again, stored, Use.shared(place.why(), 304));
                    } else {
                        passOn(who);
                    }
                });
    }

    /** Whether the old answer may be used instead of an error, by those who take it. */
    private boolean mayUse(StoredAnswer old) {
        return !isOutdated() && cache.mayServeOnError(old);
    }

    /** Of the error itself nobody needs the bytes but a first one who takes nothing stale. */
    private void useOldInstead(StoredAnswer old, AnswerHead answer, Spool bytes, Freshness times) {
        over();
        boolean wanted = leader != null && Reuse.refusesStale(request);
        if (!wanted) {
            bytes.close();
            endExchange(false);
            tellFirst(who -> cache.serve(who, old, onError(answer.status(), false)));
        }
        Use use = onError(answer.status(), true);
        tellWaiting(who -> useOld(who, old, use, this::passOn));
        if (wanted) {
            flow(answer, bytes, times);
        }
    }

    /** Each client says for itself whether it takes what is stale. */
    private void useOld(
            FrontRequest who, StoredAnswer old, Use use, Consumer<FrontRequest> otherwise) {
        if (Reuse.refusesStale(who.head())) {
            otherwise.accept(who);
        } else {
            share(who, old, false, use);
        }
    }

    private Use onError(int status, boolean waited) {
        return Use.onError(place.why(), status, waited);
    }

    private void share(FrontRequest who, StoredAnswer answer, boolean stored, Use use) {
        if (!cache.serveShared(who, request, answer, stored, use)) {
            passOn(who);
        }
    }

    private void passOn(FrontRequest who) {
        cache.passOn(who, place.why());
    }

    @Override
    public void fail(Failure failure) {
        StoredAnswer old = stale;
        over();
        int status = failure.status();
        Consumer<FrontRequest> refused = who -> who.fail(failure);
        if (old != null && status >= 500 && mayUse(old)) {
            tellFirst(who -> useOld(who, old, onError(status, false), refused));
            tellWaiting(who -> useOld(who, old, onError(status, true), refused));
        } else {
            tellFirst(refused);
            tellWaiting(refused);
        }
    }

    private void flow(AnswerHead answer, Spool bytes, Freshness times) {
        boolean storable =
                !isOutdated()
                        && answer.contentLength() <= cache.largest()
                        && Storing.isAllowed(request, answer, times);
        lock.lock();
        try {
            // Or those who waited have gone their own ways already.
            state = state == State.ASKED ? State.FLOWING : state;
        } finally {
            lock.unlock();
        }
        if (!storable) {
            giveUp(answer);
        }
        boolean told = storable && isSureOfRoom(answer, times);
        Spool to = leader == null ? null : cache.begin(leader, answer, place.why(), told);
        leader = null;
        int most = storable ? cache.largest() : 0;
        new Flow(bytes, to, answer.contentLength(), most, new Coming(answer, times, to)).start();
    }

    /**
     * Whether the client may be told that the answer is stored when it has no more than its head:
     * what has no length may yet prove too long, and the head and the key need room as well.
     */
    private boolean isSureOfRoom(AnswerHead answer, Freshness times) {
        long length = answer.bodyless() ? 0 : answer.contentLength();
        return length >= 0
                && cache.hasRoom(place, request, stored(answer, times, new byte[0]), length);
    }

    /** What becomes of the bytes of the answer. */
    private final class Coming implements Flow.Events {
        private final AnswerHead answer;
        private final Freshness times;
        private final @Nullable Spool to;
        private @Nullable StoredAnswer made;
        private boolean stored;

        Coming(AnswerHead answer, Freshness times, @Nullable Spool to) {
            this.answer = answer;
            this.times = times;
            this.to = to;
        }

        @Override
        public void tooLarge() {
            giveUp(answer);
        }

        @Override
        public void whole(byte @Nullable [] bytes) {
            made = bytes == null ? null : made(answer, times, bytes);
            stored = made != null && keep(made);
            if (made != null && !stored && !isOutdated()) {
                cache.cannotStore(place.url(), request, isNewer(answer));
            }
            over();
        }

        @Override
        public void ended(boolean complete) {
            StoredAnswer shared = made;
            over();
            // Before the first has all: his line in the log tells of the exchange.
            endExchange(complete);
            if (to != null && complete) {
                to.complete();
            } else if (to != null) {
                to.breakOff();
            }
            tellWaiting(
                    who -> {
                        if (shared == null) {
                            passOn(who);
                        } else {
                            share(who, shared, stored, Use.shared(place.why(), shared.status()));
                        }
                    });
        }

        @Override
        public void broken(RuntimeException why) {
            Fetch.this.broken(why);
            if (to != null) {
                to.breakOff();
            }
        }
    }

    /** The answer will not be stored: who waits for it is sent on. */
    private void giveUp(AnswerHead answer) {
        over();
        if (answer.status() < 500 && !isOutdated()) {
            cache.cannotStore(place.url(), request, isNewer(answer));
        }
        tellWaiting(this::passOn);
    }

    /** Whether what may be stored is not what the origin has any more. */
    private boolean isNewer(AnswerHead answer) {
        int status = answer.status();
        boolean told = status < 300 || status == 404 || status == 410;
        return told && stale != null && request.first("Authorization") == null;
    }

    /** Returns an answer to store; null when it is not as long as it says. */
    private static @Nullable StoredAnswer made(AnswerHead head, Freshness times, byte[] bytes) {
        long told = head.contentLength();
        if (told >= 0 && told != bytes.length && !head.bodyless()) {
            return null;
        }
        return stored(head, times, bytes);
    }

    private static StoredAnswer stored(AnswerHead head, Freshness times, byte[] bytes) {
        return new StoredAnswer(
                head.status(),
                head.reason(),
                head.fields(),
                times.received(),
                times.initialAge(),
                times.lifetime(),
                ByteBuffer.wrap(bytes));
    }
}
