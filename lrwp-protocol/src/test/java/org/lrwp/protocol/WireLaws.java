package org.lrwp.protocol;

import com.sun.management.ThreadMXBean;

import org.lrwp.protocol.frame.FrameParser;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.PeerSettings;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What every parser keeps whatever bytes it is fed: nothing but {@link MalformedFrameException}
 * escapes, the result does not depend on how the bytes are cut, and memory is bounded by the bytes
 * that came, not by a length that they claim.
 */
enum WireLaws {
    HELLO {
        @Override
        String outcome(List<ByteBuffer> cut) {
            var parser = new HelloParser();
            cut.forEach(parser::feed);
            if (parser.endOfInput() == HelloParser.State.REFUSED) {
                return parser.refusal() + left(cut);
            }
            Registration registration = parser.registration();
            require(
                    new HelloParser().feed(ByteBuffer.wrap(registration.encode()))
                            == HelloParser.State.COMPLETE);
            return registration + left(cut);
        }
    },
    REPLY {
        @Override
        String outcome(List<ByteBuffer> cut) throws MalformedFrameException {
            return said(ProtocolVersion.LRWP_1, cut)
                    + said(ProtocolVersion.LRWP_2, cut)
                    + said(ProtocolVersion.LRWP_3, cut);
        }

        private static String said(ProtocolVersion version, List<ByteBuffer> cut)
                throws MalformedFrameException {
            List<ByteBuffer> copy = cut.stream().map(ByteBuffer::duplicate).toList();
            var parser = new HandshakeReplyParser(version);
            for (ByteBuffer piece : copy) {
                HandshakeReply reply = parser.feed(piece);
                if (reply != null) {
                    return said(reply) + left(copy);
                }
            }
            return said(parser.endOfInput());
        }

        private static String said(HandshakeReply reply) {
            return reply instanceof HandshakeReply.Challenged challenged
                    ? Cuts.text(challenged.challenge().encode())
                    : reply.toString();
        }
    },
    ANSWER {
        @Override
        String outcome(List<ByteBuffer> cut) throws MalformedFrameException {
            var parser = new ChallengeAnswerParser();
            boolean whole = false;
            for (ByteBuffer piece : cut) {
                whole = parser.feed(piece);
            }
            require(parser.answer().length <= Challenge.SIZE + 1);
            return whole + Cuts.text(parser.answer()) + left(cut);
        }
    },
    REQUEST {
        @Override
        String outcome(List<ByteBuffer> cut) throws MalformedFrameException {
            var parser = new RequestFrameParser(LengthField.MAX_VALUE);
            boolean whole = false;
            for (ByteBuffer piece : cut) {
                whole = parser.feed(piece);
            }
            return whole
                    ? parser.environment() + " " + parser.bodyLength() + left(cut)
                    : "partial " + parser.isPartial();
        }
    },
    RESPONSE {
        @Override
        String outcome(List<ByteBuffer> cut) throws MalformedFrameException {
            var frame = new ResponseFrameParser();
            var taken = new StringBuilder();
            for (ByteBuffer piece : cut) {
                if (frame.feedLength(piece)) {
                    taken.append(Cuts.text(frame.take(piece)));
                }
                require(!piece.hasRemaining() || frame.isComplete());
            }
            return taken + " " + frame.remaining() + frame.isComplete() + left(cut);
        }
    },
    CGI_HEAD {
        @Override
        String outcome(List<ByteBuffer> cut) throws MalformedFrameException {
            var parser = new CgiHeadParser(HEAD_LIMIT);
            for (ByteBuffer piece : cut) {
                parser.feed(piece);
            }
            CgiHeadParser.State state = parser.endOfOutput();
            CgiHead head = parser.head();
            for (HeaderField field : head.fields()) {
                require(HeaderField.isToken(field.name()) && HeaderField.isValue(field.value()));
            }
            require(parser.headLength() <= HEAD_LIMIT);
            return state + " " + head + Cuts.text(parser.collected()) + left(cut);
        }
    },
    FRAMES {
        @Override
        String outcome(List<ByteBuffer> cut) throws MalformedFrameException {
            var parser = new FrameParser(PeerSettings.MIN_MAX_FRAME);
            var read = new StringBuilder();
            for (ByteBuffer piece : cut) {
                while (parser.next(piece)) {
                    read.append(FrameWords.said(parser)).append(' ');
                    require(!parser.isInsideFrame());
                }
                require(!piece.hasRemaining());
            }
            return read + " inside " + parser.isInsideFrame();
        }
    },
    PAYLOAD {
        // Payloads come whole: how they are cut makes no difference to them.
        @Override
        String outcome(List<ByteBuffer> cut) {
            ByteBuffer bytes = Cuts.join(cut);
            // The first byte says of which type.
            FrameType type = bytes.hasRemaining() ? FrameType.of(1 + (bytes.get() & 15)) : null;
            return type == null ? "nothing" : FrameWords.said(type, bytes);
        }
    };

    private static final int HEAD_LIMIT = 4_096;

    /** Bytes that a parser may take beside what its input needs. */
    private static final long FIXED_MEMORY = 256 * 1024L;

    /**
     * Bytes that a parser and the result may take for each byte of input. Most of them are the
     * fuzzer's own: it notes every comparison of strings.
     */
    private static final long MEMORY_PER_BYTE = 16_384;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Feeds the pieces to a new parser and says in words what came out. */
    abstract String outcome(List<ByteBuffer> cut) throws MalformedFrameException;

    /** Fails when a law is broken. */
    void check(byte[] bytes) {
        String expected = said(whole(bytes));
        checkMemory(expected, bytes);
        same(expected, said(Cuts.single(bytes)));
        // Seeded by the input, so that a finding can be replayed.
        var random = new Random(Arrays.hashCode(bytes));
        same(expected, said(Cuts.random(bytes, random)));
    }

    /** The JVM loads and links classes at the first times, so that the least of some counts. */
    private void checkMemory(String expected, byte[] bytes) {
        long allowed = FIXED_MEMORY + MEMORY_PER_BYTE * bytes.length;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5 && least > allowed; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            same(expected, said(whole(bytes)));
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        if (least > allowed) {
            throw new AssertionError(this + ": " + least + " bytes of memory for " + bytes.length);
        }
    }

    private static List<ByteBuffer> whole(byte[] bytes) {
        return List.of(ByteBuffer.wrap(bytes.clone()));
    }

    private String said(List<ByteBuffer> cut) {
        try {
            return outcome(cut);
        } catch (MalformedFrameException _) {
            return "malformed";
        }
    }

    private void same(String expected, String actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(this + ": whole " + expected + ", cut " + actual);
        }
    }

    static void require(boolean law) {
        if (!law) {
            throw new AssertionError("a law of the wire is broken");
        }
    }

    private static String left(List<ByteBuffer> cut) {
        var rest = new StringBuilder(" left ");
        cut.forEach(piece -> rest.append(Cuts.text(piece)));
        return rest.toString();
    }
}
