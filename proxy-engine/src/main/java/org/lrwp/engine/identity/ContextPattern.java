package org.lrwp.engine.identity;

import org.lrwp.protocol.Registration;

/**
 * Contexts that are given to an identity: {@code /osp} is exactly that one, {@code /tep/**} that
 * one and those below it, {@code .ext} an extension.
 *
 * @param context as users write it; {@code /} is the root context
 * @param below whether those below it are meant too; with {@code /} all paths
 */
public record ContextPattern(String context, boolean below) {
    private static final String BELOW = "/**";

    /** Checks the form. */
    public ContextPattern {
        if (!canonical(context).equals(context)) {
            throw new IllegalArgumentException(
                    "not a context as /osp, /osp/** or .ext: " + context);
        }
        if (below && isExtension(context)) {
            throw new IllegalArgumentException("nothing is below the extension " + context);
        }
    }

    /**
     * Reads a pattern.
     *
     * @param text {@code /osp}, {@code /osp/**}, {@code /**} or {@code .ext}
     * @return the pattern
     * @throws IllegalArgumentException when it is not of that form
     */
    public static ContextPattern parse(String text) {
        boolean below = text.endsWith(BELOW);
        String context = below ? text.substring(0, text.length() - BELOW.length()) : text;
        if (text.contains("*") && (!below || context.contains("*"))) {
            throw new IllegalArgumentException("* stands only in /** at the end: " + text);
        }
        return new ContextPattern(below && context.isEmpty() ? "/" : context, below);
    }

    /**
     * Names one context.
     *
     * @param context as users write it; slashes that mean nothing are left out
     * @return the pattern of that context alone
     */
    public static ContextPattern exactly(String context) {
        return new ContextPattern(canonical(context), false);
    }

    /** The one way to write a context. */
    private static String canonical(String context) {
        return Registration.contextOf(context.startsWith("/") ? context.substring(1) : context);
    }

    /**
     * Says whether a context is meant.
     *
     * @param other as users write it
     * @return whether whoever is given this pattern may register it
     */
    public boolean covers(String other) {
        return other.equals(context) || (below && isBelow(other));
    }

    /**
     * Says whether the registration of a context would take requests that belong to this pattern:
     * docs/protocol.md section 7.
     *
     * @param other as users write it
     * @return true for the context itself and those below it; for an extension also any path, as
     *     paths go first; for the root context only itself
     */
    public boolean losesTo(String other) {
        if (other.equals(context)) {
            return true;
        }
        if (isExtension(context)) {
            return !isExtension(other) && !other.equals("/");
        }
        boolean root = context.equals("/");
        return root ? below : isBelow(other);
    }

    private boolean isBelow(String other) {
        return !isExtension(other) && (context.equals("/") || other.startsWith(context + "/"));
    }

    private static boolean isExtension(String context) {
        return context.startsWith(".");
    }
}
