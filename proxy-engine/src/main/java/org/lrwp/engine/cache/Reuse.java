package org.lrwp.engine.cache;

import org.lrwp.engine.request.RequestHead;

/** Says when a stored answer may be used: RFC 9111 section 4.2, RFC 5861. */
final class Reuse {
    private Reuse() {}

    /** Whether it may be served without asking anybody. */
    static boolean isGoodEnough(StoredAnswer stored, Directives wanted, long now) {
        if (wanted.has("no-cache") || stored.directives().has("no-cache")) {
            return false;
        }
        long age = stored.ageMillis(now);
        long most = wanted.seconds("max-age");
        if (most == 0 || (most > 0 && age > most * 1000)) {
            return false;
        }
        long left = stored.lifetime() - age;
        if (left > 0) {
            return left >= wanted.seconds("min-fresh") * 1000;
        }
        boolean staleEnough =
                wanted.isBare("max-stale") || -left < wanted.seconds("max-stale") * 1000;
        return staleEnough && !wanted.has("min-fresh") && mayBeStale(stored);
    }

    private static boolean mayBeStale(StoredAnswer stored) {
        return !isStrict(stored.directives()) && !stored.directives().has("s-maxage");
    }

    /** The windows of RFC 5861 are the origin's own word, and go with s-maxage; not with these. */
    private static boolean isStrict(Directives said) {
        return said.has("must-revalidate") || said.has("proxy-revalidate") || said.has("no-cache");
    }

    /** Whether it may be served while it is fetched again: RFC 5861 section 3. */
    static boolean mayServeMeanwhile(StoredAnswer stored, Directives wanted, long now) {
        long window = stored.directives().seconds("stale-while-revalidate") * 1000;
        return !refusesStale(wanted)
                && !isStrict(stored.directives())
                && stored.staleness(now) >= 0
                && stored.staleness(now) < window;
    }

    /** Whether it may be served instead of an error: RFC 5861 section 4. */
    static boolean mayServeOnError(StoredAnswer stored, long now) {
        long window = stored.directives().seconds("stale-if-error") * 1000;
        return window > 0 && !isStrict(stored.directives()) && stored.staleness(now) < window;
    }

    /** Whether a client takes nothing stale, whatever the origin allows. */
    static boolean refusesStale(RequestHead request) {
        return refusesStale(Directives.ofRequest(request.fields()));
    }

    private static boolean refusesStale(Directives wanted) {
        return wanted.has("no-cache") || wanted.has("max-age") || wanted.has("min-fresh");
    }
}
