package org.lrwp.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Other readers take the same requests in the same way, but for what docs/http1.md lists. */
class DifferentialTest {
    private static final long SEED = Long.getLong("seed", 4711);
    private static final int MUTATIONS = 10_000;

    static Stream<OtherReader> readers() {
        return Stream.of(new NettyReader(), new JettyReader());
    }

    @ParameterizedTest
    @MethodSource("readers")
    void everyDisagreementIsListedAndEveryListedOneOccurs(OtherReader other) {
        List<String> texts = new ArrayList<>(Corpus.all().toList());
        texts.addAll(Corpus.mutations(SEED, MUTATIONS));
        Set<Disagreement> seen = EnumSet.noneOf(Disagreement.class);
        List<String> unlisted = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            Comparison one = Comparison.of(texts.get(i) + Requests.NEXT, other);
            Disagreement kind = one == null ? null : Disagreement.of(one);
            boolean listed = kind != null && kind.isOf(other.name());
            if (one != null && !listed) {
                unlisted.add(kind + " " + one);
            }
            // The corpus itself has to hold each kind, whatever chance makes of it.
            if (kind != null && i < Corpus.all().count()) {
                seen.add(kind);
            }
        }

        assertEquals(List.of(), unlisted, "seed " + SEED);
        assertEquals(listed(other), seen);
    }

    private static Set<Disagreement> listed(OtherReader other) {
        Set<Disagreement> listed = EnumSet.allOf(Disagreement.class);
        listed.removeIf(kind -> !kind.isOf(other.name()));
        return listed;
    }

    @Test
    void documentationListsTheSameDisagreements() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("../docs/http1.md"));
        int start = lines.indexOf("## Where we differ, and why");
        List<String> rows =
                lines.subList(start, lines.size()).stream()
                        .dropWhile(line -> !line.startsWith("|---"))
                        .skip(1)
                        .takeWhile(line -> line.startsWith("| "))
                        .toList();

        assertTrue(start > 0);
        for (Disagreement kind : Disagreement.values()) {
            List<String> own =
                    rows.stream().filter(row -> row.startsWith("| " + kind.row() + " |")).toList();
            assertEquals(1, own.size(), kind + ": " + kind.row());
            String[] cells = own.getFirst().split(" \\| ", -1);
            boolean netty = !cells[2].equals(cells[1]);
            boolean jetty = !cells[3].equals(cells[1]);
            assertEquals(kind.isOf("Netty"), netty, own.getFirst());
            assertEquals(kind.isOf("Jetty"), jetty, own.getFirst());
        }
        assertEquals(Disagreement.values().length, rows.size());
    }
}
