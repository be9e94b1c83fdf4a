package org.lrwp.webapp.steering;

import org.jspecify.annotations.Nullable;

/**
 * A command of the API, by method and path.
 *
 * @param kind which one
 * @param subject what it is about, by its name in the path; empty when the body says it
 */
record Call(Kind kind, String subject) {
    /** Path of all values. */
    static final String VALUES = "configuration";

    /** Path of a value; its name follows. */
    static final String VALUE = "configuration/";

    /** Path of what the inspector keeps; the id of a request follows. */
    static final String INSPECTOR = "inspector";

    private static final String REPEAT = "/repeat";
    private static final String PEER = "peers/";
    private static final String DRAIN = "/drain";
    private static final String WEIGHT = "/weight";
    private static final String REQUEST = "requests/";

    /** What can be done. */
    enum Kind {
        DRAIN,
        WEIGH,
        DISCONNECT,
        CANCEL,
        REPEAT,
        PAUSE,
        RESUME,
        SET,
        SET_ALL,
        UNSET,
        PURGE,
        DRAIN_NODE,
        RESUME_NODE,
        DRAIN_PEERS,
        RESUME_PEERS
    }

    /** Finds a command; null when there is none. */
    static @Nullable Call of(String method, String path) {
        return switch (method) {
            case "POST" -> posted(path);
            case "PUT" -> put(path);
            case "DELETE" -> deleted(path);
            default -> null;
        };
    }

    private static @Nullable Call put(String path) {
        if (path.equals(VALUES)) {
            return new Call(Kind.SET_ALL, "");
        }
        Call call = about(Kind.WEIGH, path, PEER, WEIGHT);
        return call == null ? about(Kind.SET, path, VALUE, "") : call;
    }

    private static @Nullable Call posted(String path) {
        return switch (path) {
            case "contexts/pause" -> new Call(Kind.PAUSE, "");
            case "contexts/resume" -> new Call(Kind.RESUME, "");
            case "caches/purge" -> new Call(Kind.PURGE, "");
            case "cluster/drain" -> new Call(Kind.DRAIN_NODE, "");
            case "cluster/resume" -> new Call(Kind.RESUME_NODE, "");
            case "cluster/peers/drain" -> new Call(Kind.DRAIN_PEERS, "");
            case "cluster/peers/resume" -> new Call(Kind.RESUME_PEERS, "");
            default -> {
                Call call = about(Kind.DRAIN, path, PEER, DRAIN);
                yield call == null ? about(Kind.REPEAT, path, INSPECTOR + "/", REPEAT) : call;
            }
        };
    }

    private static @Nullable Call deleted(String path) {
        Call call = about(Kind.DISCONNECT, path, PEER, "");
        call = call == null ? about(Kind.CANCEL, path, REQUEST, "") : call;
        return call == null ? about(Kind.UNSET, path, VALUE, "") : call;
    }

    private static @Nullable Call about(Kind kind, String path, String head, String tail) {
        boolean fits =
                path.startsWith(head)
                        && path.endsWith(tail)
                        && path.length() > head.length() + tail.length();
        return fits
                ? new Call(kind, path.substring(head.length(), path.length() - tail.length()))
                : null;
    }

    /** Whether there is a command at a path by some method. */
    static boolean isPath(String path) {
        return posted(path) != null || deleted(path) != null;
    }
}
