package org.lrwp.http1;

import com.sun.management.ThreadMXBean;

import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What the reader keeps whatever bytes come: nothing but {@link MalformedRequestException} escapes,
 * the way they are cut does not matter, memory is bounded, and what it accepts reads the same when
 * it is written anew.
 */
final class HeadLaws {
    private static final Set<Integer> STATUSES = Set.of(400, 414, 431, 501, 505);
    private static final int MOST_BYTES = 512;
    private static final int MOST_FIELDS = 20;
    private static final int MOST_OVERHEAD = 64;

    /** For the head, its arrays, and what the measuring itself takes. */
    private static final long MOST_MEMORY = 64 * 1024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private HeadLaws() {}

    static void check(byte[] bytes) {
        Conversation whole = Conversation.read(bytes);
        require(whole.equals(Conversation.read(halves(bytes))), "cut in two");
        whole.messages().forEach(HeadLaws::checkWrittenAnew);
        checkLimits(bytes);
        checkBody(bytes);
    }

    private static List<byte[]> halves(byte[] bytes) {
        int middle = bytes.length == 0 ? 0 : Math.floorMod(Arrays.hashCode(bytes), bytes.length);
        return List.of(
                Arrays.copyOf(bytes, middle), Arrays.copyOfRange(bytes, middle, bytes.length));
    }

    /** One blank around values, names in lower case, the body in one chunk or by its length. */
    private static void checkWrittenAnew(Message message) {
        var text = new StringBuilder();
        text.append(message.method()).append(' ').append(message.target());
        text.append(" HTTP/1.").append(message.minorVersion()).append("\r\n");
        boolean chunked = false;
        for (String field : message.fields()) {
            text.append(field).append("\r\n");
            chunked |= field.startsWith("transfer-encoding:");
        }
        text.append("\r\n");
        String body = message.body();
        if (chunked && !body.isEmpty()) {
            text.append(Integer.toHexString(body.length())).append("\r\n");
            text.append(body).append("\r\n");
        }
        text.append(chunked ? "0\r\n\r\n" : body);
        byte[] bytes = Requests.bytes(text.toString());
        Conversation again = Conversation.read(bytes);
        // A head at its limit may grow by the blanks.
        boolean grown = again.end().startsWith("431") || again.end().startsWith("414");
        require(grown || again.messages().equals(List.of(message)), "written anew: " + again);
        require(grown || again.ends().equals(List.of(bytes.length)), "end of: " + again);
    }

    private static void checkLimits(byte[] bytes) {
        var reader = new HeadReader(MOST_BYTES, MOST_FIELDS);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        HttpHead head = null;
        try {
            head = reader.read(bytes, 0, bytes.length);
            require(head != null || bytes.length < MOST_BYTES, "waits above its limit");
        } catch (MalformedRequestException refused) {
            require(STATUSES.contains(refused.status()), "status " + refused.status());
        }
        long used = THREADS.getCurrentThreadAllocatedBytes() - before;
        require(used < MOST_MEMORY, "took " + used + " bytes");
        require(reader.length() <= Math.min(bytes.length, MOST_BYTES), "length");
        if (head != null) {
            checkRanges(head);
        }
    }

    private static void checkRanges(HttpHead head) {
        require(head.bytes().length <= MOST_BYTES, "bytes of the head");
        require(head.fields() <= MOST_FIELDS, "fields");
        int at = HttpHead.end(head.target());
        for (int i = 0; i < head.fields(); i++) {
            require(at < HttpHead.start(head.name(i)), "name begins behind what is before it");
            require(HttpHead.end(head.name(i)) < HttpHead.start(head.value(i)), "value");
            at = HttpHead.end(head.value(i));
            require(head.find(head.text(head.name(i)), i) == i, "is found");
        }
        require(at < head.bytes().length, "empty line");
        require(head.bodyLength() >= -1, "length of the body");
    }

    /** The same bytes as chunks: nothing behind their end is taken, no piece is empty. */
    private static void checkBody(byte[] bytes) {
        List<Integer> ends = new ArrayList<>();
        for (byte[] input : List.of(bytes, append(bytes))) {
            ends.add(bodyEnd(input));
        }
        require(ends.get(0) < 0 || ends.get(0).equals(ends.get(1)), "moved behind the end");
    }

    private static byte[] append(byte[] bytes) {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        longer[bytes.length] = 'G';
        return longer;
    }

    private static int bodyEnd(byte[] bytes) {
        var body = new ChunkedBody(MOST_OVERHEAD);
        ByteBuffer source = ByteBuffer.wrap(bytes);
        try {
            @Nullable ByteBuffer piece = body.next(source);
            while (piece != null) {
                require(piece.hasRemaining(), "empty piece");
                piece = body.next(source);
            }
        } catch (MalformedRequestException refused) {
            require(refused.status() == 400, "status of chunks");
            return -1;
        }
        require(body.isWhole() || !source.hasRemaining(), "neither whole nor used up");
        return body.isWhole() ? source.position() : -1;
    }

    private static void require(boolean kept, String law) {
        if (!kept) {
            throw new AssertionError(law);
        }
    }
}
