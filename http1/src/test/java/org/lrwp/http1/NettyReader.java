package org.lrwp.http1;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Netty's decoder of requests, as it is without settings but the limits. */
final class NettyReader implements OtherReader {
    @Override
    public String name() {
        return "Netty";
    }

    @Override
    public Reading read(byte[] bytes) {
        var all = new Collector();
        var channel =
                new EmbeddedChannel(
                        new HttpRequestDecoder(Requests.MOST_BYTES, Requests.MOST_BYTES, 8192));
        try {
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
            HttpObject next = channel.readInbound();
            while (next != null) {
                all.take(next);
                ReferenceCountUtil.release(next);
                next = channel.readInbound();
            }
        } finally {
            channel.finishAndReleaseAll();
        }
        return all.reading();
    }

    private static final class Collector {
        private final List<Message> messages = new ArrayList<>();
        private final StringBuilder body = new StringBuilder();
        private @Nullable HttpRequest present;
        private int whole;
        private boolean refused;

        void take(HttpObject next) {
            if (refused || next.decoderResult().isFailure()) {
                refused = true;
                return;
            }
            if (next instanceof HttpRequest request) {
                present = request;
                body.setLength(0);
            }
            if (next instanceof HttpContent content) {
                body.append(content.content().toString(StandardCharsets.ISO_8859_1));
            }
            if (next instanceof LastHttpContent && present != null) {
                messages.add(message(present));
                whole++;
                present = null;
            }
        }

        private Message message(HttpRequest head) {
            List<String> fields = new ArrayList<>();
            for (Map.Entry<String, String> field : head.headers()) {
                fields.add(field.getKey().toLowerCase(Locale.ROOT) + ": " + field.getValue());
            }
            int minor = Math.min(1, head.protocolVersion().minorVersion());
            return new Message(head.method().name(), head.uri(), minor, fields, body.toString());
        }

        Reading reading() {
            if (present != null) {
                messages.add(message(present));
            }
            return new Reading(messages, whole, refused);
        }
    }
}
