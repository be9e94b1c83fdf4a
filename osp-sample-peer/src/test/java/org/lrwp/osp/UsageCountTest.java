package org.lrwp.osp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.cdr.CdrDatabase;
import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.statistics.CallCounters;
import org.lrwp.osp.statistics.CallReport;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.usage.NotKeptException;
import org.lrwp.osp.usage.UsageKeeper;
import org.lrwp.osp.usage.UsageRecord;
import org.lrwp.osp.usage.UsageService;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What is counted of the usage that clients report. */
final class UsageCountTest {
    private static final Element USAGE =
            Element.of(
                    "UsageIndication",
                    Element.leaf("Role", "source"),
                    Element.leaf("TransactionId", "4711"));

    private final CallCounters counters = new CallCounters();
    private final List<String> heard = new ArrayList<>();

    @Test
    void aRepeatIsConfirmedAndNoFurtherAttempt(@TempDir Path folder) throws Exception {
        try (CdrStore store =
                new CdrStore(
                        folder.resolve("journal"),
                        new CdrStore.Settings(
                                new CdrDatabase.Address(
                                        "jdbc:sqlite:" + folder.resolve("osp.db"), "", ""),
                                1_000_000,
                                1_000,
                                Duration.ZERO),
                        Tokens.CLOCK,
                        line -> {})) {
            UsageService service = service(store);

            confirm(service);
            confirm(service);
            List<UsageKeeper.Kept> both = new ArrayList<>();
            service.confirm(USAGE.with("componentId", "2"), Sender.LOCAL, both::add);
            service.confirm(USAGE.with("componentId", "2"), Sender.LOCAL, both::add);
            for (UsageKeeper.Kept each : both) {
                each.await();
            }
        }

        assertEquals(List.of("4711", "4711"), heard);
        assertTrue(totals().contains(" source-usages=4 "), totals());
    }

    @Test
    void whatIsNotKeptIsNotCounted() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        UsageService service =
                service(
                        usage ->
                                () -> {
                                    if (broken.get()) {
                                        throw new NotKeptException("planted");
                                    }
                                });

        assertThrows(NotKeptException.class, () -> confirm(service));
        assertEquals(List.of(), heard);
        broken.set(false);
        confirm(service);

        assertEquals(List.of("4711"), heard);
        assertTrue(totals().contains(" source-usages=1 "), totals());
    }

    private UsageService service(UsageKeeper keeper) {
        return new UsageService(keeper, this::hear, counters, Tokens.CLOCK);
    }

    private void hear(UsageRecord usage) {
        heard.add(usage.transaction());
    }

    private static void confirm(UsageService service) throws NotKeptException {
        List<UsageKeeper.Kept> kept = new ArrayList<>();
        service.confirm(USAGE, Sender.LOCAL, kept::add);
        for (UsageKeeper.Kept each : kept) {
            each.await();
        }
    }

    private String totals() {
        List<String> lines = new ArrayList<>();
        new CallReport(counters, () -> 0, lines::add).end();
        return lines.getLast();
    }
}
