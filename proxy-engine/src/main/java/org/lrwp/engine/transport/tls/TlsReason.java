package org.lrwp.engine.transport.tls;

import org.jspecify.annotations.Nullable;

/** Why a handshake has failed, in words for a log. Any thread. */
public final class TlsReason {
    /** What the JDK says of a fault of its own that it carries on. */
    private static final String UNSPECIFIC = "Unexpected exception";

    private static final int MOST_CAUSES = 20;

    private TlsReason() {}

    /**
     * Says why; of a fault that says nothing its deepest cause speaks.
     *
     * @param fault of the handshake
     * @return printable, and never empty
     */
    public static String of(Throwable fault) {
        String said = specific(fault);
        return printable(said == null ? deepest(fault) : said);
    }

    private static @Nullable String specific(Throwable fault) {
        String said = fault.getMessage();
        return said == null || said.isBlank() || said.equals(UNSPECIFIC) ? null : said;
    }

    private static String deepest(Throwable fault) {
        Throwable last = fault;
        Throwable next = fault.getCause();
        for (int i = 0; next != null && i < MOST_CAUSES; i++) {
            last = next;
            next = next.getCause();
        }
        String said = specific(last);
        return said == null ? last.getClass().getSimpleName() : said;
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]|[\"\\\\]", "?");
    }
}
