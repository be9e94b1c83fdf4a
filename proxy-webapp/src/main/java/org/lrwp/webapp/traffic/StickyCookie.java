package org.lrwp.webapp.traffic;

import org.lrwp.engine.context.ContextAssistant;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.config.StickyRules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The cookie of one request by which its client comes back to the process that has answered it. Its
 * value is a tag of that process and context: docs/operations.md, "Sticky sessions". Immutable.
 */
public final class StickyCookie {
    /** Characters of a tag; whatever is longer or shorter is none. */
    private static final int TAG = 22;

    /** Paths that are the same in a URL and here. */
    private static final Pattern PLAIN = Pattern.compile("/[A-Za-z0-9/._~!$&'()*+,=:@-]*");

    private static final Pattern SECURE = Pattern.compile("(?i)(.*;)?\\s*secure\\s*(;.*)?");
    private static final Pattern PRIVATE =
            Pattern.compile("(?i)(.*,)?\\s*(private|no-store)\\s*(,.*)?");

    private final String name;
    private final String attributes;
    private final String shown;

    private StickyCookie(String name, String attributes, String shown) {
        this.name = name;
        this.attributes = attributes;
        this.shown = shown;
    }

    /**
     * Reads the cookie of a request.
     *
     * @param rules of its context
     * @param context knows the tags
     * @param root the application's context root; empty for {@code /}
     * @param head the request
     * @return what it shows, and how a new one is set
     */
    public static StickyCookie of(
            StickyRules rules, ContextAssistant context, String root, RequestHead head) {
        String shown = Cookies.find(head, rules.cookie(), context::knowsTag);
        if (shown == null) {
            shown = Cookies.find(head, rules.cookie(), value -> value.length() == TAG);
        }
        boolean secure = head.connection().secure();
        return new StickyCookie(
                rules.cookie(),
                attributes(rules.attributes(), path(context.contextName(), root), secure),
                shown == null ? "" : shown);
    }

    private static String path(String context, String root) {
        // The paths of an extension have nothing in common; others may be written in several ways.
        return root + (PLAIN.matcher(context).matches() ? context : "/");
    }

    private static String attributes(String set, String path, boolean secure) {
        boolean says = SECURE.matcher(set).matches();
        return "; Path="
                + path
                + (set.isEmpty() ? "" : "; " + set)
                + (secure && !says ? "; Secure" : "");
    }

    /**
     * Returns the tag that the client shows.
     *
     * @return the one that is known, else any; empty for none
     */
    public String shown() {
        return shown;
    }

    /**
     * Sets the cookie. The answer is this client's alone from then on.
     *
     * @param head an answer
     * @param tag of the process that has made it
     * @return the same with the cookie
     */
    public AnswerHead applyTo(AnswerHead head, String tag) {
        List<HeaderField> fields = new ArrayList<>(head.fields());
        fields.removeIf(StickyCookie::isForSharedCaches);
        if (!isPrivate(fields)) {
            fields.add(new HeaderField("Cache-Control", "private"));
        }
        fields.add(new HeaderField("Set-Cookie", name + "=" + tag + attributes));
        return new AnswerHead(
                head.status(), head.reason(), fields, head.contentLength(), head.bodyless());
    }

    /** Where it stands such a cache looks at no Cache-Control: RFC 9213 section 2.1. */
    private static boolean isForSharedCaches(HeaderField field) {
        String name = field.name().toLowerCase(Locale.ROOT);
        return name.endsWith("-cache-control") || name.equals("surrogate-control");
    }

    private static boolean isPrivate(List<HeaderField> fields) {
        for (HeaderField field : fields) {
            if (field.name().equalsIgnoreCase("Cache-Control")
                    && PRIVATE.matcher(field.value()).matches()) {
                return true;
            }
        }
        return false;
    }
}
