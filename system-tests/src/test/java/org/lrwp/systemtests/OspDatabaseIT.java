package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.OspMessages;
import org.lrwp.systemtests.harness.OspProcess;
import org.lrwp.systemtests.harness.Postgres;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL behind the OSP peer, from the tables that route to the rows of what was called. */
@SystemTest
@ServerConfig
class OspDatabaseIT {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Pattern TRANSACTION =
            Pattern.compile("<TransactionId>([0-9]+)</TransactionId>");
    private static final Pattern TOKEN = Pattern.compile("<Token encoding=.base64.>([^<]+)<");
    private static final Pattern CODE = Pattern.compile("<Code>([0-9]+)</Code>");
    private static final Pattern ROW = Pattern.compile("\"transaction_id\":\"([0-9]*)\"");

    /** More than fit into the journal. */
    private static final int CALLS = 100;

    @TempDir Path folder;

    /** Each message is another one: the same would get the same answer. */
    private int asked = 1;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void tablesInTheDatabaseRouteAndAreReadAgainWhenTheyAreImportedAgain(Scene scene)
            throws Exception {
        Postgres postgres = scene.closing(Postgres.start(folder));
        List<String> configuration = configuration(postgres, "routes.in-database=true");
        OspProcess.configure(folder, configuration);
        String rows = importRoutes("[198.51.100.1]:5060");

        start(scene, configuration);
        String first = post(scene, OspMessages.authorisation(1, "4930123")).body();
        importRoutes("[203.0.113.7]:5060");

        assertEquals("rows=3", rows.strip());
        assertTrue(first.contains("[198.51.100.1]:5060"), first);
        Wait.require(
                "the new tables route",
                LONGEST,
                () ->
                        post(scene, OspMessages.authorisation(++asked, "4930123"))
                                .body()
                                .contains("[203.0.113.7]:5060"));
    }

    @Test
    void aFullJournalConfirmsNothingAndNothingThatWasConfirmedIsLostOrTwice(Scene scene)
            throws Exception {
        Postgres postgres = scene.closing(Postgres.start(folder));
        ProcessPeer peer = start(scene, configuration(postgres, "cdr.journal-size=16KiB"));
        List<String> transactions = new ArrayList<>();
        for (int call = 0; call < CALLS; call++) {
            transactions.add(authorised(scene, call));
        }
        List<String> usages = new ArrayList<>();
        for (int call = 0; call < CALLS; call++) {
            usages.add(OspMessages.usage(call, transactions.get(call), "source"));
        }

        postgres.kill();
        List<String> refused = new ArrayList<>();
        for (String usage : usages) {
            HttpResponse<String> answer = post(scene, usage);
            if (answer.statusCode() == 503) {
                assertEquals("5", answer.headers().firstValue("Retry-After").orElse(""));
                refused.add(usage);
            } else {
                requireConfirmed(answer);
            }
        }
        postgres.restart();
        for (String usage : refused) {
            Wait.require(
                    "there is room again", LONGEST, () -> post(scene, usage).statusCode() == 200);
        }
        peer.close();

        System.out.printf("osp database test: confirmed=%d later=%d%n", CALLS, refused.size());
        assertTrue(!refused.isEmpty() && refused.size() < CALLS, "refused " + refused.size());
        assertEquals(transactions.stream().sorted().toList(), rows());
    }

    /** Each has a context of its own, so that the test knows which one gets what. */
    @Test
    void twoServersStoreEachUsageAndTakeEachTokenOnceBetweenThem(Scene scene) throws Exception {
        Postgres postgres = scene.closing(Postgres.start(folder));
        List<String> configuration =
                List.of(
                        "token.kind=xml-signed",
                        "token.generate=ecdsa",
                        "token.taken-in-database=true",
                        "cdr.database=" + postgres.address(),
                        "cdr.user=" + postgres.user());
        Path one = Files.createDirectories(folder.resolve("one"));
        Path other = Files.createDirectories(folder.resolve("other"));
        String here = "/" + scene.app();
        String there = here + "-other";
        ProcessPeer first = scene.closing(OspProcess.start(scene, one, here, configuration));
        List<String> transactions = new ArrayList<>();
        for (int call = 0; call < CALLS; call++) {
            transactions.add(authorised(scene, call));
        }
        // Its keys are made when it needs them first.
        copyKeys(one, other);
        ProcessPeer second = scene.closing(OspProcess.start(scene, other, there, configuration));
        for (int call = 0; call < CALLS; call++) {
            String usage = OspMessages.usage(call, transactions.get(call), "source");
            for (String context : List.of(here, there, here)) {
                requireConfirmed(post(scene, context, usage));
            }
        }
        String granted = post(scene, here, OspMessages.authorisation(CALLS, "1678")).body();
        String token = found(TOKEN, granted);
        List<String> codes = new ArrayList<>();
        for (String context : List.of(there, here, there, here)) {
            String shown = OspMessages.indication(codes.size(), token);
            codes.add(found(CODE, post(scene, context, shown).body()));
        }
        first.close();
        second.close();

        assertEquals(List.of("200", "401", "401", "401"), codes);
        assertEquals(transactions.stream().sorted().toList(), rows(one));
    }

    private static void copyKeys(Path from, Path to) throws Exception {
        Path data = Files.createDirectories(to.resolve("data/keys"));
        for (String name : List.of("tokenkey.pem", "tokencert.pem")) {
            Files.copy(
                    from.resolve("data/keys").resolve(name),
                    data.resolve(name),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private static String found(Pattern what, String answer) {
        Matcher matcher = what.matcher(answer);
        assertTrue(matcher.find(), answer);
        return matcher.group(1);
    }

    private List<String> configuration(Postgres postgres, String more) {
        return List.of(
                "token.kind=xml-unsigned",
                "token.generate=ecdsa",
                "cdr.database=" + postgres.address(),
                "cdr.user=" + postgres.user(),
                more);
    }

    private ProcessPeer start(Scene scene, List<String> configuration) throws Exception {
        return scene.closing(OspProcess.start(scene, folder, "/" + scene.app(), configuration));
    }

    /** One device, one destination, one prefix; how many rows the command says it has put. */
    private String importRoutes(String address) throws Exception {
        Path tables = Files.createDirectories(folder.resolve("tables"));
        Files.writeString(tables.resolve("devices.csv"), "name,address\nany,*\n");
        Files.writeString(tables.resolve("destinations.csv"), "name,address\nonly," + address);
        Files.writeString(tables.resolve("prefixes.csv"), "prefix,destination\n49,only\n");
        return OspProcess.run(folder, "routes", "import", tables.toString());
    }

    /** Authorises a call; while the journal is full it asks again, as gateways do. */
    private String authorised(Scene scene, int call) throws Exception {
        List<String> transaction = new ArrayList<>();
        Wait.require(
                "a call is authorised",
                LONGEST,
                () -> {
                    Matcher granted =
                            TRANSACTION.matcher(
                                    post(scene, OspMessages.authorisation(call, "1678")).body());
                    return granted.find() && transaction.add(granted.group(1));
                });
        return transaction.getFirst();
    }

    private HttpResponse<String> post(Scene scene, String message) throws Exception {
        return post(scene, scene.path(""), message);
    }

    private HttpResponse<String> post(Scene scene, String path, String message) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + scene.proxy().httpPort() + path);
        HttpRequest request =
                HttpRequest.newBuilder(address)
                        .timeout(LONGEST)
                        .header("Content-Type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString(message))
                        .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static void requireConfirmed(HttpResponse<String> answer) {
        assertEquals(200, answer.statusCode(), answer::body);
        assertTrue(answer.body().contains("<Code>200</Code>"), answer::body);
    }

    /** The transactions of all rows, sorted. */
    private List<String> rows() throws Exception {
        return rows(folder);
    }

    private static List<String> rows(Path server) throws Exception {
        List<String> rows = new ArrayList<>();
        for (String line : OspProcess.run(server, "cdr", "--format", "jsonl").lines().toList()) {
            Matcher row = ROW.matcher(line);
            assertTrue(row.find(), line);
            rows.add(row.group(1));
        }
        return rows.stream().sorted().toList();
    }
}
