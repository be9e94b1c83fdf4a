package org.lrwp.osp.testkit;

import org.lrwp.osp.replay.TakenOnce;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers as long as the test runs. */
public final class TakenInMemory implements TakenOnce {
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    /** Remembers nothing yet. */
    public TakenInMemory() {}

    @Override
    public Outcome take(Kind kind, byte[] content, Instant until) {
        return taken.add(kind + new String(content, StandardCharsets.ISO_8859_1))
                ? Outcome.FIRST
                : Outcome.AGAIN;
    }
}
