package org.lrwp.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The ways in which TCP may cut a run of bytes. */
final class Cuts {
    private static final int RANDOM_CUTS = 20;

    private Cuts() {}

    /** Whole, byte by byte, and cut at places that are random but the same in every run. */
    static List<List<ByteBuffer>> of(byte[] bytes) {
        List<List<ByteBuffer>> cuts = new ArrayList<>();
        cuts.add(List.of(ByteBuffer.wrap(bytes.clone())));
        cuts.add(single(bytes));
        var random = new Random(4711);
        for (int i = 0; i < RANDOM_CUTS; i++) {
            cuts.add(random(bytes, random));
        }
        return cuts;
    }

    static List<ByteBuffer> single(byte[] bytes) {
        List<ByteBuffer> pieces = new ArrayList<>();
        for (byte value : bytes) {
            pieces.add(ByteBuffer.wrap(new byte[] {value}));
        }
        return pieces;
    }

    static List<ByteBuffer> random(byte[] bytes, Random random) {
        List<ByteBuffer> pieces = new ArrayList<>();
        int start = 0;
        while (start < bytes.length) {
            // Small pieces mostly, so that lengths and line ends are cut, and empty ones too.
            int most = random.nextInt(10) == 0 ? bytes.length - start : 7;
            int end = Math.min(bytes.length, start + random.nextInt(most + 1));
            pieces.add(ByteBuffer.wrap(Arrays.copyOfRange(bytes, start, end)));
            start = end;
        }
        return pieces;
    }

    /** The pieces as one. */
    static ByteBuffer join(List<ByteBuffer> pieces) {
        int length = pieces.stream().mapToInt(ByteBuffer::remaining).sum();
        ByteBuffer whole = ByteBuffer.allocate(length);
        pieces.forEach(piece -> whole.put(piece.duplicate()));
        return whole.flip();
    }

    /** Bytes of a text in which each character is one byte. */
    static byte[] bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xFF) {
                throw new IllegalArgumentException("not a byte at " + i);
            }
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(bytes(text));
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes.duplicate()).toString();
    }
}
