import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The server's end of one WebSocket connection (RFC 6455 section 5): takes frames as they come, and
 * answers messages with themselves, pings with pongs, close with close, and faults with their code.
 * One thread at a time.
 */
final class WebSocketFrames {
    private static final int MOST_MESSAGE = 64 << 20;
    private static final int MOST_CONTROL = 125;
    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int PROTOCOL_ERROR = 1002;
    private static final int BAD_TEXT = 1007;
    private static final int TOO_BIG = 1009;

    private final Consumer<ByteBuffer> out;
    private byte[] head = new byte[14];
    private int headCount;
    private long left; // of the payload
    private long position;
    private int opcode;
    private boolean fin;
    private int message; // opcode of the message under way; 0 = none
    private ByteArrayOutputStream payload; // of the message
    private ByteArrayOutputStream control;
    private final Utf8 text = new Utf8();
    private boolean inPayload;
    private boolean closed;

    WebSocketFrames(Consumer<ByteBuffer> out) {
        this.out = out;
    }

    /** Whether a close frame has been sent: nothing more is looked at. */
    boolean isClosed() {
        return closed;
    }

    void take(ByteBuffer bytes) {
        while (bytes.hasRemaining() && !closed) {
            if (inPayload) {
                takePayload(bytes);
            } else {
                head[headCount++] = bytes.get();
                if (headCount >= 2 && headCount == headSize()) {
                    begin();
                } else if (headCount == 2) {
                    checkHead();
                }
            }
        }
    }

    private int headSize() {
        int length = head[1] & 0x7F;
        return 6 + (length == 126 ? 2 : length == 127 ? 8 : 0);
    }

    private void checkHead() {
        opcode = head[0] & 0x0F;
        fin = (head[0] & 0x80) != 0;
        int length = head[1] & 0x7F;
        boolean isControl = opcode >= CLOSE;
        boolean known = opcode <= BINARY || (isControl && opcode <= PONG);
        boolean masked = (head[1] & 0x80) != 0;
        boolean plain = (head[0] & 0x70) == 0;
        boolean controlFits = !isControl || (fin && length <= MOST_CONTROL);
        boolean inOrder = isControl || (opcode == CONTINUATION) == (message != 0);
        if (!known || !masked || !plain || !controlFits || !inOrder) {
            close(PROTOCOL_ERROR);
        }
    }

    private void begin() {
        int length = head[1] & 0x7F;
        ByteBuffer more = ByteBuffer.wrap(head, 2, 8);
        left = length == 126 ? more.getShort() & 0xFFFF : length == 127 ? more.getLong() : length;
        position = 0;
        inPayload = true;
        if (opcode >= CLOSE) {
            control = new ByteArrayOutputStream();
        } else if (opcode != CONTINUATION) {
            message = opcode;
            payload = new ByteArrayOutputStream();
            text.reset();
        }
        if (left < 0) {
            close(PROTOCOL_ERROR);
        } else if (opcode < CLOSE && payload.size() + left > MOST_MESSAGE) {
            close(TOO_BIG);
        } else if (left == 0) {
            end();
        }
    }

    private void takePayload(ByteBuffer bytes) {
        int count = (int) Math.min(left, bytes.remaining());
        byte[] plain = new byte[count];
        bytes.get(plain);
        int key = headSize() - 4;
        for (int i = 0; i < count; i++) {
            plain[i] ^= head[key + (int) ((position + i) & 3)];
        }
        position += count;
        left -= count;
        if (opcode >= CLOSE) {
            control.writeBytes(plain);
        } else {
            payload.writeBytes(plain);
            if (message == TEXT && !text.take(plain)) {
                close(BAD_TEXT);
                return;
            }
        }
        if (left == 0) {
            end();
        }
    }

    private void end() {
        inPayload = false;
        headCount = 0;
        switch (opcode) {
            case PING -> send(PONG, control.toByteArray());
            case PONG -> {}
            case CLOSE -> peerCloses(control.toByteArray());
            default -> endData();
        }
    }

    private void endData() {
        if (!fin) {
            return;
        }
        if (message == TEXT && !text.isWhole()) {
            close(BAD_TEXT);
            return;
        }
        send(message, payload.toByteArray());
        message = 0;
        payload = null;
    }

    private void peerCloses(byte[] said) {
        if (said.length == 0) {
            send(CLOSE, said);
            closed = true;
            return;
        }
        int code = said.length == 1 ? 0 : (said[0] & 0xFF) << 8 | (said[1] & 0xFF);
        Utf8 reason = new Utf8();
        if (!mayBeSent(code)) {
            close(PROTOCOL_ERROR);
        } else if (!reason.take(java.util.Arrays.copyOfRange(said, 2, said.length))
                || !reason.isWhole()) {
            close(BAD_TEXT);
        } else {
            close(code);
        }
    }

    /** Section 7.4. */
    private static boolean mayBeSent(int code) {
        boolean defined = code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
        return defined || (code >= 3000 && code <= 4999);
    }

    private void close(int code) {
        send(CLOSE, new byte[] {(byte) (code >> 8), (byte) code});
        closed = true;
    }

    private void send(int kind, byte[] bytes) {
        ByteBuffer frame = ByteBuffer.allocate(10);
        frame.put((byte) (0x80 | kind));
        if (bytes.length <= MOST_CONTROL) {
            frame.put((byte) bytes.length);
        } else if (bytes.length <= 0xFFFF) {
            frame.put((byte) 126).putShort((short) bytes.length);
        } else {
            frame.put((byte) 127).putLong(bytes.length);
        }
        out.accept(frame.flip());
        if (bytes.length > 0) {
            out.accept(ByteBuffer.wrap(bytes));
        }
    }

    /** Says of text whether it is UTF-8, as it comes: RFC 3629 section 4. */
    private static final class Utf8 {
        private int need;
        private int least;
        private int most;

        void reset() {
            need = 0;
        }

        boolean isWhole() {
            return need == 0;
        }

        /** False as soon as it cannot be any more. */
        boolean take(byte[] bytes) {
            for (byte one : bytes) {
                int b = one & 0xFF;
                if (need == 0 ? !first(b) : !next(b)) {
                    return false;
                }
            }
            return true;
        }

        private boolean first(int b) {
            need = b < 0x80 ? 0 : b < 0xE0 ? 1 : b < 0xF0 ? 2 : 3;
            // Neither longer than needed, nor half of a pair, nor above the last character.
            least = b == 0xE0 ? 0xA0 : b == 0xF0 ? 0x90 : 0x80;
            most = b == 0xED ? 0x9F : b == 0xF4 ? 0x8F : 0xBF;
            return b < 0x80 || (b >= 0xC2 && b <= 0xF4);
        }

        private boolean next(int b) {
            boolean good = b >= least && b <= most;
            need--;
            least = 0x80;
            most = 0xBF;
            return good;
        }
    }
}
