package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.client.OwnPages;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Makes answers whose fields keep other sites and foreign scripts away. */
final class Answers {
    static final String HTML = "text/html;charset=utf-8";

    private static final List<HeaderField> GUARDS =
            List.of(
                    new HeaderField(
                            "Content-Security-Policy",
                            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src"
                                    + " 'self'; img-src data:; form-action 'self'; base-uri 'none';"
                                    + " frame-ancestors 'none'"),
                    new HeaderField("X-Content-Type-Options", "nosniff"),
                    new HeaderField("Referrer-Policy", "same-origin"),
                    new HeaderField("Cross-Origin-Opener-Policy", "same-origin"));

    private Answers() {}

    static OwnPages.Answer of(int status, String type, byte[] body) {
        return answer(status, fields(type), body, null);
    }

    /** Events that are sent for as long as the client wants them. */
    static OwnPages.Answer events(Supplier<byte[]> events) {
        return answer(200, fields("text/event-stream"), new byte[0], events);
    }

    /** Leads to another page. */
    static OwnPages.Answer to(String place, HeaderField... more) {
        List<HeaderField> fields = fields(HTML);
        fields.add(new HeaderField("Location", place));
        fields.addAll(List.of(more));
        return answer(303, fields, new byte[0], null);
    }

    private static OwnPages.Answer answer(
            int status, List<HeaderField> fields, byte[] body, @Nullable Supplier<byte[]> events) {
        return new OwnPages.Answer(status, fields, body, Duration.ZERO, events);
    }

    private static List<HeaderField> fields(String type) {
        List<HeaderField> fields = new ArrayList<>(GUARDS);
        fields.add(new HeaderField("Content-Type", type));
        return fields;
    }
}
