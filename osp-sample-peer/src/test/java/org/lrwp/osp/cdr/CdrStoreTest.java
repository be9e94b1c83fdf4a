package org.lrwp.osp.cdr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.osp.authorisation.Grant;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.routing.CallToRoute;
import org.lrwp.osp.routing.Origin;
import org.lrwp.osp.routing.Portability;
import org.lrwp.osp.routing.Route;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Usages;
import org.lrwp.osp.usage.NotKeptException;
import org.lrwp.osp.usage.UsageKeeper;
import org.lrwp.osp.usage.UsageRecord;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

@Timeout(120)
final class CdrStoreTest {
    private static final long ROOM = 1_000_000;
    private static final int KNOWN = 1_000;

    @TempDir Path folder = Path.of("");

    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

    @Test
    void whatWasKeptIsInTheDatabaseWithWhatWasAuthorised() throws Exception {
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.granted(grant("4711"));
            store.keep(usage("4711", "source", "1")).await();
            store.keep(usage("4711", "destination", "2")).await();
        }

        List<String> lines = export(CdrExport.Format.CSV);
        assertEquals(3, lines.size());
        assertTrue(
                lines.getFirst().endsWith("original_calling,original_called,unmatched,duplicate"),
                lines::toString);
        for (String line : lines.subList(1, 3)) {
            assertTrue(line.contains(",4711,MQ==,555,1678,"), line);
            assertTrue(line.contains(",61,"), line);
            assertTrue(line.endsWith(",gateway,555,001678,no,no"), line);
        }
    }

    /** As text it is another spelling of the id that was authorised, MQ== in base64. */
    @ParameterizedTest
    @CsvSource({"text, 1", "base64, ' M Q= ='", "BASE64, MQ=="})
    void aCallIdIsTheSameInEverySpelling(String encoding, String id) throws Exception {
        Element sent = Element.leaf("CallId", id).with("encoding", encoding);
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.granted(grant("4711"));
            store.keep(usageOf(sent)).await();
        }

        String line = export(CdrExport.Format.CSV).getLast();
        assertTrue(line.contains(",4711,MQ==,"), line);
        assertTrue(line.endsWith(",gateway,555,001678,no,no"), line);
    }

    @Test
    void whatIsNoCallIdInBase64StaysAsItWasSent() {
        Element sent = Element.leaf("CallId", "%%").with("encoding", "base64");

        assertEquals("%%", usageOf(sent).callId());
        assertEquals("", usageOf(Element.of("Group")).callId());
    }

    private static UsageRecord usageOf(Element callId) {
        return UsageRecord.of(
                Element.of(
                        "UsageIndication",
                        Element.leaf("Role", "source"),
                        Element.leaf("TransactionId", "4711"),
                        callId),
                Sender.LOCAL,
                Tokens.NOW);
    }

    @Test
    void aRetryIsStoredOnceAndASecondReportIsFlagged() throws Exception {
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage("1", "source", "1")).await();
            store.keep(usage("1", "source", "1")).await();
            store.keep(usage("1", "source", "2")).await();
        }

        List<String> lines = export(CdrExport.Format.JSONL);
        assertEquals(2, lines.size());
        assertTrue(lines.getFirst().contains("\"duplicate\":\"no\""), lines::toString);
        assertTrue(lines.getLast().contains("\"duplicate\":\"yes\""), lines::toString);
        assertTrue(lines.getLast().contains("\"unmatched\":\"yes\""), lines::toString);
    }

    @Test
    void aRepeatOfWhatIsOnTheDiskIsNotWrittenAgain() throws Exception {
        Path blocked = Files.createDirectory(folder.resolve("osp.db"));
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage("1", "source", "1")).await();
            long once = store.waitingBytes();

            store.keep(usage("1", "source", "1")).await();
            assertEquals(once, store.waitingBytes());

            store.keep(usage("2", "source", "1")).await();
            assertTrue(store.waitingBytes() > once);
            Files.delete(blocked);
        }

        assertEquals(2, export(CdrExport.Format.JSONL).size());
    }

    /** A repeat that comes while the first is on its way has to wait for the disk too. */
    @Test
    void onlyWhatWasForcedToTheDiskIsKnown() throws Exception {
        Files.createDirectory(folder.resolve("osp.db"));
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            UsageKeeper.Kept first = store.keep(usage("1", "source", "1"));
            long once = store.waitingBytes();
            UsageKeeper.Kept second = store.keep(usage("1", "source", "1"));

            assertEquals(2 * once, store.waitingBytes());
            second.await();
            first.await();
            Files.delete(folder.resolve("osp.db"));
        }

        assertEquals(1, export(CdrExport.Format.JSONL).size());
    }

    @Test
    void knownUsagesAreBounded() {
        KnownUsages known = new KnownUsages(10);
        for (int i = 0; i < 100; i++) {
            known.add(Integer.toString(i));
            assertTrue(known.has(Integer.toString(i)));
        }
        long kept = IntStream.range(0, 100).filter(i -> known.has("" + i)).count();
        assertTrue(kept > 0 && kept <= 10, "kept " + kept);

        KnownUsages none = new KnownUsages(0);
        none.add("1");
        assertFalse(none.has("1"));
    }

    @Test
    void whatAnEarlierProcessLeftInTheJournalIsMoved() throws Exception {
        Path blocked = Files.createDirectory(folder.resolve("osp.db"));
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage("1", "source", "1")).await();
            assertTrue(
                    String.valueOf(log.poll(60, TimeUnit.SECONDS)).startsWith("cdr-database-lost"));
            assertFalse(store.databaseIsThere());
            assertTrue(store.waitingBytes() > 0);
        }
        Files.delete(blocked);

        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage("2", "source", "2")).await();
        }

        assertEquals(2, export(CdrExport.Format.JSONL).size());
    }

    @Test
    void aDatabaseThatComesBackGetsWhatWaited() throws Exception {
        Path blocked = Files.createDirectory(folder.resolve("osp.db"));
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage("1", "source", "1")).await();
            assertTrue(
                    String.valueOf(log.poll(60, TimeUnit.SECONDS)).startsWith("cdr-database-lost"));

            Files.delete(blocked);

            assertTrue(
                    String.valueOf(log.poll(60, TimeUnit.SECONDS)).startsWith("cdr-database-back"));
        }
        assertEquals(1, export(CdrExport.Format.JSONL).size());
    }

    @Test
    void aFullJournalTakesNothingAndLosesNothing() throws Exception {
        Files.createDirectory(folder.resolve("osp.db"));
        try (CdrStore store = store(1_000, Duration.ZERO)) {
            int kept = 0;
            while (kept < 1_000) {
                try {
                    store.keep(usage("" + kept, "source", "1")).await();
                } catch (NotKeptException full) {
                    break;
                }
                kept++;
            }
            assertTrue(kept > 0 && kept < 20, "kept " + kept);
            assertThrows(
                    NotKeptException.class, () -> store.keep(usage("x", "source", "1")).await());
            store.limit(ROOM, Duration.ZERO);
            store.keep(usage("more", "source", "1")).await();
            Files.delete(folder.resolve("osp.db"));
            store.settle();

            assertEquals(kept + 1, export(CdrExport.Format.JSONL).size());
        }
    }

    @Test
    void aTornEntryAtTheEndOfASegmentIsPassedOver() throws Exception {
        Path blocked = Files.createDirectory(folder.resolve("osp.db"));
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage("1", "source", "1")).await();
        }
        Files.delete(blocked);
        Path segment;
        try (var files = Files.list(folder.resolve("journal"))) {
            segment = files.findFirst().orElseThrow();
        }
        Files.write(segment, new byte[] {0, 0, 1, 0, 7, 7, 7, 7, 42}, StandardOpenOption.APPEND);

        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            assertTrue(store.waitingBytes() > 0);
        }

        assertEquals(1, export(CdrExport.Format.JSONL).size());
        try (var files = Files.list(folder.resolve("journal"))) {
            assertEquals(0, files.count());
        }
    }

    /** A crash between the two commits of a schema's change leaves it so. */
    @Test
    void aSchemaThatIsThereAndNotInItsHistoryIsTaken() throws Exception {
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage("1", "source", "1")).await();
        }
        try (CdrDatabase database = CdrDatabase.open(address());
                Statement delete = database.connection().createStatement()) {
            delete.executeUpdate("delete from osp_schema");
            database.connection().commit();
        }

        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage("2", "source", "1")).await();
        }

        assertEquals(2, export(CdrExport.Format.JSONL).size());
    }

    @Test
    void oldRecordsAreRemoved() throws Exception {
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            Instant old = Tokens.NOW.minus(Duration.ofDays(3));
            store.keep(Usages.of("old", "source", "1", old)).await();
            store.keep(usage("new", "source", "1")).await();
        }
        try (CdrStore store = store(ROOM, Duration.ofDays(2))) {
            assertEquals("cdr-removed rows=1", log.poll(60, TimeUnit.SECONDS));
            assertTrue(store.databaseIsThere());
        }

        assertTrue(export(CdrExport.Format.JSONL).getFirst().contains("\"new\""));
    }

    /** Its clock goes on by hours whenever it is read. */
    @Test
    void oldRecordsAreRemovedWhileNoNewOnesCome() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(Tokens.NOW);
        try (CdrStore store =
                new CdrStore(
                        folder.resolve("journal"),
                        new CdrStore.Settings(address(), ROOM, KNOWN, Duration.ofDays(2)),
                        () -> now.updateAndGet(each -> each.plus(Duration.ofHours(4))),
                        log::add,
                        Duration.ofMillis(1))) {
            store.keep(usage("1", "source", "1")).await();

            assertEquals("cdr-removed rows=1", log.poll(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void oldRecordsAreRemovedAsSoonAsTheyAreToBe() throws Exception {
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            Instant old = Tokens.NOW.minus(Duration.ofDays(3));
            store.keep(Usages.of("old", "source", "1", old)).await();
        }
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.limit(ROOM, Duration.ofDays(2));

            assertEquals("cdr-removed rows=1", log.poll(60, TimeUnit.SECONDS));
        }
    }

    /** Whoever calls chooses these texts, and an accountant opens them. */
    @ParameterizedTest
    @CsvSource({
        "=1+1, '''=1+1'",
        "'=HYPERLINK(A1)', '''=HYPERLINK(A1)'",
        "@SUM(A1), '''@SUM(A1)'",
        "+1+cmd|x, '''+1+cmd|x'",
        "-1+1, '''-1+1'",
        "' =1', ''' =1'",
        "\uff1d1, '''\uff1d1'",
        "+4930123, +4930123",
        "-7.5, -7.5",
        "4930123, 4930123",
        "a=b, a=b"
    })
    void noTextOfAClientIsAFormulaInASpreadsheet(String sent, String written) throws Exception {
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage(sent, "source", "1")).await();
        }

        String row = String.join("\n", export(CdrExport.Format.CSV));
        String object = String.join("\n", export(CdrExport.Format.JSONL));

        assertTrue(row.contains("," + written + ",") || row.contains(",\"" + written + "\","), row);
        assertFalse(object.contains("\"'"), object);
    }

    @Test
    void textsAreQuotedAsTheFormatWants() throws Exception {
        try (CdrStore store = store(ROOM, Duration.ZERO)) {
            store.keep(usage("a\"b,c\u00e9\n", "source", "1")).await();
        }

        assertTrue(
                String.join("\n", export(CdrExport.Format.JSONL))
                        .contains("\"a\\\"b,c\\u00e9\\n\""));
        assertTrue(
                String.join("\n", export(CdrExport.Format.CSV)).contains("\"a\"\"b,c\u00e9\n\""));
    }

    private CdrStore store(long room, Duration keep) throws IOException {
        return new CdrStore(
                folder.resolve("journal"),
                new CdrStore.Settings(address(), room, KNOWN, keep),
                Tokens.CLOCK,
                log::add);
    }

    private CdrDatabase.Address address() {
        return new CdrDatabase.Address("jdbc:sqlite:" + folder.resolve("osp.db"), "", "");
    }

    private List<String> export(CdrExport.Format format) throws SQLException, IOException {
        StringBuilder text = new StringBuilder();
        try (CdrDatabase database = CdrDatabase.open(address())) {
            CdrExport.write(database, "2000", "9999", format, text);
        }
        return text.toString().lines().toList();
    }

    private static UsageRecord usage(String transaction, String role, String component) {
        return Usages.of(transaction, role, component, Tokens.NOW);
    }

    private static Grant grant(String transaction) {
        Party called = new Party("e164", "001678");
        CallToRoute call =
                new CallToRoute(
                        new Origin(
                                List.of(),
                                List.of(),
                                Optional.empty(),
                                Optional.empty(),
                                true,
                                false),
                        Optional.of(new Party("e164", "555")),
                        called,
                        Portability.UNKNOWN,
                        List.of(),
                        Optional.empty());
        Route route =
                new Route(
                        "a", "[10.0.0.1]", call.caller(), called.withNumber("1678"), "", "", true);
        return new Grant(
                transaction, Tokens.NOW, call, "gateway", List.of(route, route), List.of("MQ=="));
    }
}
