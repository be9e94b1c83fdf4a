package org.lrwp.http1;

import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Jetty's parser of requests, in its mode for RFC 9110. */
final class JettyReader implements OtherReader {
    @Override
    public String name() {
        return "Jetty";
    }

    @Override
    public Reading read(byte[] bytes) {
        var all = new Collector();
        var parser = new HttpParser(all, Requests.MOST_BYTES, HttpCompliance.RFC9110);
        ByteBuffer source = ByteBuffer.wrap(bytes);
        boolean moving = true;
        while (moving && !all.refused) {
            int before = source.remaining();
            HttpParser.State state = parser.getState();
            parser.parseNext(source);
            moving = source.remaining() < before || parser.getState() != state;
            if (parser.isComplete()) {
                parser.reset();
            }
            moving &= source.hasRemaining();
        }
        return all.reading();
    }

    private static final class Collector implements HttpParser.RequestHandler {
        private final List<Message> messages = new ArrayList<>();
        private final List<String> fields = new ArrayList<>();
        private final StringBuilder body = new StringBuilder();
        private @Nullable String method;
        private String target = "";
        private int minorVersion;
        private boolean headed;
        private int whole;
        private boolean refused;

        @Override
        public void startRequest(String itsMethod, String uri, HttpVersion version) {
            method = itsMethod;
            target = uri;
            minorVersion = version == HttpVersion.HTTP_1_0 ? 0 : 1;
            fields.clear();
            body.setLength(0);
            headed = false;
        }

        @Override
        public void parsedHeader(HttpField field) {
            String value = field.getValue() == null ? "" : field.getValue();
            fields.add(field.getName().toLowerCase(Locale.ROOT) + ": " + value);
        }

        @Override
        public boolean headerComplete() {
            headed = true;
            return false;
        }

        @Override
        public boolean content(ByteBuffer piece) {
            body.append(StandardCharsets.ISO_8859_1.decode(piece));
            return false;
        }

        @Override
        public boolean contentComplete() {
            return false;
        }

        @Override
        public boolean messageComplete() {
            messages.add(message());
            whole++;
            method = null;
            return true;
        }

        private Message message() {
            return new Message(
                    method == null ? "" : method, target, minorVersion, fields, body.toString());
        }

        @Override
        public void badMessage(HttpException failure) {
            refused = true;
        }

        @Override
        public void earlyEOF() {
            refused = true;
        }

        Reading reading() {
            if (method != null && headed) {
                messages.add(message());
            }
            return new Reading(messages, whole, refused);
        }
    }
}
