package org.lrwp.http1;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * All requests of one connection, as this module reads them.
 *
 * @param messages those that are whole
 * @param begun one whose head is whole and whose body is not; its body as far as it came
 * @param ends index behind each of them
 * @param end why there is no further one: {@link #MORE}, or status and message of a refusal
 */
record Conversation(
        List<Message> messages, @Nullable Message begun, List<Integer> ends, String end) {
    /** More bytes are needed. */
    static final String MORE = "more";

    Conversation {
        messages = List.copyOf(messages);
        ends = List.copyOf(ends);
    }

    static Conversation read(byte[] bytes) {
        return read(List.of(bytes));
    }

    /** The same bytes, cut in these pieces: what has come lies elsewhere after each of them. */
    static Conversation read(List<byte[]> pieces) {
        var connection = new Connection();
        for (byte[] piece : pieces) {
            connection.take(piece);
        }
        return connection.result();
    }

    /** The index of the first byte that is refused when they come one by one; -1 for none. */
    static int refusedAt(byte[] bytes) {
        var connection = new Connection();
        for (int i = 0; i < bytes.length; i++) {
            connection.take(new byte[] {bytes[i]});
            if (!connection.end.equals(MORE)) {
                return i;
            }
        }
        return -1;
    }

    static Message message(HttpHead head, String body) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < head.fields(); i++) {
            String name = head.text(head.name(i)).toLowerCase(Locale.ROOT);
            fields.add(name + ": " + head.text(head.value(i)));
        }
        return new Message(
                head.methodText(), head.text(head.target()), head.minorVersion(), fields, body);
    }

    /** What a server keeps of a connection. */
    private static final class Connection {
        private final HeadReader reader = Requests.reader();
        private final List<Message> messages = new ArrayList<>();
        private final List<Integer> ends = new ArrayList<>();
        private byte[] kept = {};
        private int taken;
        private int moves;
        private @Nullable HttpHead head;
        private @Nullable BodyReader bodyReader;
        private StringBuilder body = new StringBuilder();
        private String end = MORE;

        void take(byte[] piece) {
            if (!end.equals(MORE)) {
                return;
            }
            kept = Arrays.copyOf(kept, kept.length + piece.length);
            System.arraycopy(piece, 0, kept, kept.length - piece.length, piece.length);
            try {
                while (head == null ? readHead() : readBody()) {
                    // As far as the bytes go.
                }
            } catch (MalformedRequestException refused) {
                end = refused.status() + " " + refused.getMessage();
            }
        }

        private boolean readHead() throws MalformedRequestException {
            int from = moves++ % 5;
            byte[] moved = new byte[from + kept.length + 3];
            System.arraycopy(kept, 0, moved, from, kept.length);
            HttpHead next = reader.read(moved, from, from + kept.length);
            if (next == null) {
                return false;
            }
            drop(reader.length());
            reader.reset();
            head = next;
            bodyReader = BodyReader.of(next, Requests.MOST_OVERHEAD);
            body = new StringBuilder();
            return true;
        }

        private boolean readBody() throws MalformedRequestException {
            BodyReader present = bodyReader;
            HttpHead itsHead = head;
            if (present == null || itsHead == null) {
                throw new AssertionError("no body is being read");
            }
            ByteBuffer source = ByteBuffer.wrap(kept);
            ByteBuffer piece = present.next(source);
            while (piece != null) {
                body.append(StandardCharsets.ISO_8859_1.decode(piece));
                piece = present.next(source);
            }
            drop(source.position());
            if (!present.isWhole()) {
                return false;
            }
            messages.add(message(itsHead, body.toString()));
            ends.add(taken);
            head = null;
            return true;
        }

        private void drop(int count) {
            taken += count;
            kept = Arrays.copyOfRange(kept, count, kept.length);
        }

        Conversation result() {
            Message begun = head == null ? null : message(head, body.toString());
            return new Conversation(messages, begun, ends, end);
        }
    }
}
