package org.lrwp.protocol;

import org.lrwp.protocol.frame.FrameHead;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What fuzzing starts from: the recorded transcripts, and texts that reach the rarer rules. */
final class WireSeeds {
    private static final List<String> VECTORS =
            List.of(
                    "lrwp1-register-ok",
                    "lrwp1-register-vhost",
                    "lrwp1-malformed-onedelim",
                    "lrwp1-toolong",
                    "lrwp2-register-ok",
                    "lrwp2-badversion",
                    "lrwp2-malformed",
                    "lrwp2-notpermitted",
                    "lrwp2-challenge-ok",
                    "lrwp2-challenge-short",
                    "get-query",
                    "post-form",
                    "frame-extra-bytes",
                    "frame-len-minus",
                    "resp-html",
                    "resp-lf",
                    "resp-location-status",
                    "resp-nocolon",
                    "resp-nohdr",
                    "resp-nph",
                    "resp-nul",
                    "resp-setcookie2");

    private static final List<String> TEXTS =
            List.of(
                    "",
                    "999999999",
                    "999999999x",
                    "000001024",
                    "000000003A=\0000000000",
                    "OK\u00ffrest",
                    "REJECTED\u00ffno\u00ff",
                    "CHALLENGE\u00ff000000033",
                    "HTTP/1.1 204 No\r\n\r\n",
                    "Connection: x, y\nX: 1\nTransfer-Encoding: chunked\nContent-Length: 5\n\nabc",
                    "Content-Length: 1\nContent-Length: 2\n\n",
                    "Location: /x\nStatus : 100 y\n\n",
                    "X: \r\u0007\n\n",
                    "\r\r\n\n");

    private WireSeeds() {}

    static Stream<byte[]> all() {
        Stream<byte[]> recorded =
                VECTORS.stream()
                        .map(WireVector::load)
                        .flatMap(vector -> vector.sections().stream())
                        .flatMap(section -> withoutLength(section.bytes()));
        Stream<byte[]> written = Stream.concat(TEXTS.stream().map(Cuts::bytes), frames());
        return Stream.concat(recorded, written);
    }

    /** The frames of LRWP 3 that are written down, and their payloads behind their types. */
    private static Stream<byte[]> frames() {
        return FrameGoldenTest.all().flatMap(bytes -> Stream.of(bytes, payload(bytes)));
    }

    private static byte[] payload(byte[] frame) {
        byte[] seed = Arrays.copyOfRange(frame, FrameHead.SIZE - 1, frame.length);
        seed[0] = (byte) (frame[4] - 1);
        return seed;
    }

    /** A frame is a seed, and so is what it carries. */
    private static Stream<byte[]> withoutLength(byte[] bytes) {
        String text = Cuts.text(bytes);
        boolean framed = text.length() > LengthField.SIZE && text.matches("(?s)[0-9]{9}.*");
        return framed
                ? Stream.of(bytes, Cuts.bytes(text.substring(LengthField.SIZE)))
                : Stream.of(bytes);
    }

    /** Writes each seed once for each law: the first byte says which. */
    static void writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<byte[]> seeds = all().toList();
        for (int law = 0; law < WireLaws.values().length; law++) {
            for (int i = 0; i < seeds.size(); i++) {
                byte[] seed = new byte[seeds.get(i).length + 1];
                seed[0] = (byte) law;
                System.arraycopy(seeds.get(i), 0, seed, 1, seed.length - 1);
                Files.write(folder.resolve("seed-" + law + "-" + i), seed);
            }
        }
    }
}
