package org.lrwp.server.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.server.doctor.Finding.Verdict;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Each examination on a machine that is made up, and the ports on this one. */
class ExaminationsTest {
    private static final long GIB = 1L << 30;

    @TempDir private Path folder;

    private static List<Finding> look(Examination examination, Map<String, String> values) {
        List<Finding> found = new ArrayList<>();
        examination.look(new Settings(values), found::add);
        return found;
    }

    private static Finding only(Examination examination, Map<String, String> values, String area) {
        List<Finding> found =
                look(examination, values).stream().filter(one -> one.area().equals(area)).toList();
        assertEquals(1, found.size(), found::toString);
        return found.getFirst();
    }

    private static void assertSays(Verdict verdict, String words, Finding found) {
        assertEquals(verdict, found.verdict(), found::line);
        assertTrue(found.sentence().contains(words), found::line);
    }

    private Path file(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    // ---- Ports.

    @Test
    @EnabledOnOs(OS.LINUX)
    void aTakenPortIsAFaultThatNamesTheProgram() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        int free = freed(loopback);
        try (ServerSocket taken = new ServerSocket(0, 1, loopback)) {
            var ports =
                    new Ports("127.0.0.1", taken.getLocalPort(), new PortOwners(Path.of("/proc")));
            List<Finding> found =
                    look(
                            ports,
                            Map.of(
                                    "agent.address",
                                    "127.0.0.1",
                                    "agent.port",
                                    "" + free,
                                    "https.port",
                                    "0"));
            assertEquals(2, found.size());
            assertSays(
                    Verdict.FAULT,
                    "taken by process " + ProcessHandle.current().pid() + " (",
                    found.getFirst());
            assertSays(Verdict.OK, "free for peers (agent.port)", found.get(1));
        }
    }

    @Test
    void thePortOfAClusterIsLookedAtWhereThereIsOne() throws Exception {
        int free = freed(InetAddress.getLoopbackAddress());
        var ports = new Ports("127.0.0.1", 0, new PortOwners(folder));
        Map<String, String> alone =
                Map.of("agent.port", "0", "https.port", "0", "cluster.port", "" + free);
        assertEquals(List.of(), look(ports, alone));
        Map<String, String> node = new HashMap<>(alone);
        node.put("cluster.nats", "nats://127.0.0.1:4222");
        assertSays(
                Verdict.OK,
                free + " is free for other nodes (cluster.port)",
                look(ports, node).getFirst());
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "0.0.0.0"})
    void aPortThatTwoListenersHaveIsAFault(String address) throws Exception {
        int free = freed(InetAddress.getLoopbackAddress());
        var ports = new Ports("127.0.0.1", free, new PortOwners(folder));
        Map<String, String> values =
                Map.of("agent.address", address, "agent.port", "" + free, "https.port", "0");
        List<Finding> found = look(ports, values);
        assertSays(Verdict.OK, free + " is free for clients (HTTP)", found.getFirst());
        assertSays(
                Verdict.FAULT,
                "%s:%d cannot be had for peers (agent.port): it is for clients (HTTP) already"
                        .formatted(address, free),
                found.get(1));
    }

    @Test
    void theSamePortOfAnotherAddressIsNotInTheWay() throws Exception {
        int free = freed(InetAddress.getLoopbackAddress());
        var ports = new Ports("127.0.0.1", free, new PortOwners(folder));
        Map<String, String> values =
                Map.of("agent.address", "192.0.2.1", "agent.port", "" + free, "https.port", "0");
        assertSays(
                Verdict.FAULT,
                "192.0.2.1:%d cannot be had for peers (agent.port) (".formatted(free),
                look(ports, values).get(1));
    }

    private static int freed(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void anAddressOfAnotherMachineIsAFault() {
        var ports = new Ports("192.0.2.1", 8080, new PortOwners(folder));
        assertSays(Verdict.FAULT, "192.0.2.1:8080 cannot be had", look(ports, Map.of()).getFirst());
    }

    // ---- Limits.

    private SystemLimits limits(long heap) {
        Path proc = folder.resolve("proc");
        return new SystemLimits(proc, new ControlGroups(proc, folder.resolve("cgroup")), heap, 2);
    }

    @Test
    void fewFilesAreTold() throws Exception {
        Map<String, String> values =
                Map.of("agent.max-peers", "10000", "request.max-exchanges", "8000");
        file("proc/self/limits", "Limit  Soft  Hard\nMax open files     1024    4096   files\n");
        assertSays(
                Verdict.ADVICE,
                "1024 may be open, 18500 may be needed",
                only(limits(GIB), values, "open files"));
        file("proc/self/limits", "Max open files   unlimited   unlimited   files\n");
        assertEquals(Verdict.OK, only(limits(GIB), values, "open files").verdict());
    }

    @Test
    void aShortBacklogIsTold() throws Exception {
        file("proc/sys/net/core/somaxconn", "128\n");
        assertSays(Verdict.ADVICE, "is 128", only(limits(GIB), Map.of(), "backlog"));
        file("proc/sys/net/core/somaxconn", "4096\n");
        assertSays(Verdict.OK, "is 4096", only(limits(GIB), Map.of(), "backlog"));
        file("proc/sys/net/ipv4/tcp_max_syn_backlog", "512\n");
        assertSays(Verdict.OK, "tcp_max_syn_backlog 512", only(limits(GIB), Map.of(), "backlog"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aNumberOfTheKernelIsReadWhole() throws Exception {
        Path proc = Path.of("/proc");
        var limits = new SystemLimits(proc, new ControlGroups(proc, folder), GIB, 2);
        byte[] text = new byte[64];
        try (var in = Files.newInputStream(proc.resolve("sys/net/core/somaxconn"))) {
            int length = in.read(text);
            String number = new String(text, 0, length, StandardCharsets.US_ASCII).strip();
            String sentence = only(limits, Map.of(), "backlog").sentence();
            assertTrue(sentence.matches(".*somaxconn is " + number + "\\b.*"), sentence);
        }
    }

    @Test
    void fewThreadsAreToldWhoeverLimitsThem() throws Exception {
        assertSays(Verdict.OK, "any number", only(limits(GIB), Map.of(), "threads"));
        file("proc/self/limits", "Max processes    200   400   processes\n");
        assertSays(Verdict.ADVICE, "200 may run", only(limits(GIB), Map.of(), "threads"));
        file("proc/self/limits", "Max processes    unlimited   unlimited   processes\n");
        file("proc/self/cgroup", "0::/system.slice/lrwp.service\n");
        file("cgroup/system.slice/lrwp.service/pids.max", "100\n");
        assertSays(Verdict.ADVICE, "100 may run", only(limits(GIB), Map.of(), "threads"));
        file("cgroup/system.slice/lrwp.service/pids.max", "4915\n");
        assertSays(Verdict.OK, "4915 may run", only(limits(GIB), Map.of(), "threads"));
    }

    @Test
    void theProcessorsThatTheGroupHasAreTold() {
        assertSays(Verdict.OK, "2, as cgroup", only(limits(GIB), Map.of(), "processors"));
    }

    @Test
    void theLeastLimitOfAllGroupsAboveCounts() throws Exception {
        file("proc/self/cgroup", "0::/system.slice/lrwp.service\n");
        file("cgroup/system.slice/lrwp.service/memory.max", "max\n");
        file("cgroup/system.slice/memory.max", "" + GIB);
        assertSays(Verdict.ADVICE, "the cgroup's 1024 MiB", only(limits(GIB), Map.of(), "memory"));
        file("cgroup/system.slice/lrwp.service/memory.max", "" + GIB / 2);
        assertSays(Verdict.OK, "of 512 MiB", only(limits(GIB / 4), Map.of(), "memory"));
    }

    @Test
    void groupsOfTheFirstVersionCountAsWell() throws Exception {
        file("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a/b\n0::/\n");
        file("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        file("cgroup/memory/a/b/memory.limit_in_bytes", "" + GIB);
        assertSays(Verdict.OK, "of 1024 MiB", only(limits(GIB / 2), Map.of(), "memory"));
    }

    @Test
    void aContainerThatSeesItsOwnGroupAsTheTopCounts() throws Exception {
        file("proc/self/cgroup", "0::/../elsewhere\n");
        file("cgroup/memory.max", "" + GIB);
        assertSays(Verdict.OK, "of 1024 MiB", only(limits(GIB / 2), Map.of(), "memory"));
    }

    @Test
    void aHeapThatDoesNotFitTheContainerIsTold() throws Exception {
        file("cgroup/memory.max", "" + GIB);
        assertSays(Verdict.ADVICE, "set -Xmx", only(limits(GIB), Map.of(), "memory"));
        assertSays(Verdict.OK, "of 1024 MiB", only(limits(GIB / 2), Map.of(), "memory"));
        file("cgroup/memory.max", "max\n");
        assertSays(Verdict.OK, "no cgroup limit", only(limits(GIB), Map.of(), "memory"));
    }

    // ---- Files.

    @Test
    void foldersThatAreMissingOrTooSmallAreTold() {
        var folders = new Folders(folder);
        assertSays(
                Verdict.ADVICE,
                "spool.folder: " + folder,
                look(folders, Map.of("spool.disk-total", "9000000GiB")).getFirst());
        assertEquals(
                Verdict.OK, look(folders, Map.of("spool.disk-total", "1KiB")).getFirst().verdict());
        List<Finding> found = look(folders, Map.of("access-log.file", folder + "/none/access.log"));
        assertSays(Verdict.FAULT, "access-log.file: the folder " + folder + "/none", found.get(1));
    }

    // ---- Certificates.

    private Path certificate() throws Exception {
        Path store = folder.resolve("store");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        run(
                (keytool
                                + " -genkeypair -alias a -dname CN=a -keyalg EC -validity 30"
                                + " -storepass changeit -keystore "
                                + store)
                        .split(" ", -1));
        Path file = folder.resolve("a.pem");
        run(
                (keytool
                                + " -exportcert -rfc -alias a -storepass changeit -keystore "
                                + store
                                + " -file "
                                + file)
                        .split(" ", -1));
        return file;
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), told);
    }

    @Test
    void certificatesAreLookedAtByTheirDates() throws Exception {
        Path file = certificate();
        Instant now = Instant.now();
        record Case(Duration later, Verdict verdict, String words) {}
        for (Case one :
                List.of(
                        new Case(Duration.ofDays(-1), Verdict.FAULT, "look at the clock"),
                        new Case(Duration.ofHours(1), Verdict.OK, "in force"),
                        new Case(Duration.ofDays(20), Verdict.ADVICE, "renew it"),
                        new Case(Duration.ofDays(31), Verdict.FAULT, "has ended"))) {
            var certificates = new Certificates(InstantSource.fixed(now.plus(one.later())));
            assertSays(
                    one.verdict(),
                    one.words(),
                    look(certificates, Map.of("https.certificate", file.toString())).getFirst());
        }
        var certificates = new Certificates(InstantSource.system());
        for (String key : List.of("agent.tls.certificate", "agent.tls.key", "agent.tls.trust")) {
            assertSays(
                    Verdict.FAULT,
                    key + ": " + folder + "/none cannot be read: does not exist",
                    look(certificates, Map.of(key, folder + "/none")).getFirst());
        }
    }

    @Test
    void aCertificateThatIsYetToBeOrderedIsNoFault() {
        var certificates = new Certificates(InstantSource.system());
        Map<String, String> values = new HashMap<>();
        values.put("https.certificate", folder + "/none.pem");
        values.put("https.key", folder + "/none.key");
        assertEquals(2, look(certificates, values).size());

        values.put("https.challenges", folder + "/challenges");
        assertEquals(List.of(), look(certificates, values));
    }

    @Test
    void aKeyBeforeItsCertificateInOneFileIsNoFault() throws Exception {
        String key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
        Path both = file("both.pem", key + Files.readString(certificate()));
        var certificates = new Certificates(InstantSource.system());
        assertSays(
                Verdict.OK,
                "is in force until",
                look(certificates, Map.of("https.certificate", both.toString())).getFirst());
        Path none = file("none.pem", key);
        assertSays(
                Verdict.FAULT,
                "no CERTIFICATE, only [PRIVATE KEY]",
                look(certificates, Map.of("https.certificate", none.toString())).getFirst());
    }

    @Test
    void authoritiesAreLookedAtToo() throws Exception {
        String one = Files.readString(certificate());
        Path file = file("ca.pem", one);
        Path two = file("two.pem", one + one);
        Path none = file("none.pem", "");
        Instant later = Instant.now().plus(Duration.ofDays(31));
        var ended = new Certificates(InstantSource.fixed(later));
        var now = new Certificates(InstantSource.system());
        for (String key : List.of("https.trust", "agent.tls.trust", "cluster.tls.trust")) {
            Finding found = look(ended, Map.of(key, file.toString())).getFirst();
            assertSays(Verdict.FAULT, key + ": " + file + " has ended", found);
            found = look(ended, Map.of(key, two.toString())).getFirst();
            assertSays(Verdict.ADVICE, ", CN=a has ended", found);
            found = look(now, Map.of(key, two.toString())).getFirst();
            assertSays(Verdict.OK, "all 2 are in force until", found);
            found = look(now, Map.of(key, none.toString())).getFirst();
            assertSays(Verdict.FAULT, "holds no certificate", found);
        }
    }

    @Test
    void listsOfTheRevokedAreLookedAtToo() throws Exception {
        String list =
                """
                -----BEGIN X509 CRL-----
                MIGoME8CAQEwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEb3VycxcNMjYwMTAxMDAw
                MDAwWhcNMjYwMjAxMDAwMDAwWqAPMA0wCwYDVR0UBAQCAhAAMAoGCCqGSM49BAMC
                A0kAMEYCIQCJnJdLCAr7eCaa/wZH2bgKTBKVVQf9o/uAsTE5wvS6cwIhAP0EsOwL
                hogBhZBkL6npZ4Z8F6BfsNo1gAhEYF+HkMOq
                -----END X509 CRL-----
                """;
        Path file = file("revoked.pem", list);
        Path none = file("none.pem", "");
        Instant end = Instant.parse("2026-02-01T00:00:00Z");
        var now = new Certificates(InstantSource.fixed(end));
        var ended = new Certificates(InstantSource.fixed(end.plusSeconds(1)));
        for (String key : List.of("https.revoked", "agent.tls.revoked")) {
            Map<String, String> values = Map.of(key, file.toString());
            String what = key + ": " + file + " of CN=ours ";
            assertSays(Verdict.OK, what + "is in force until " + end, look(now, values).getFirst());
            assertSays(Verdict.FAULT, what + "has ended on " + end, look(ended, values).getFirst());
            assertSays(
                    Verdict.FAULT,
                    "no X509 CRL",
                    look(now, Map.of(key, none.toString())).getFirst());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aKeyThatOthersReadIsAFault() throws Exception {
        Path key = file("server.key", "");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        var certificates = new Certificates(InstantSource.system());
        Map<String, String> values = Map.of("https.key", key.toString());
        assertSays(Verdict.FAULT, "chmod 600 " + key, look(certificates, values).getFirst());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        assertEquals(List.of(), look(certificates, values));
    }

    // ---- Clock.

    @Test
    void aClockThatCannotBeRightIsAFault() throws Exception {
        Path program = file("program", "");
        Instant built = Instant.parse("2026-11-24T00:00:00Z");
        Files.setLastModifiedTime(program, FileTime.from(built));
        var early = new Clock(InstantSource.fixed(built.minusSeconds(1)), program, folder);
        assertSays(Verdict.FAULT, "was built on", look(early, Map.of()).getFirst());

        var later = new Clock(InstantSource.fixed(built.plusSeconds(9)), program, folder);
        assertEquals(Verdict.OK, look(later, Map.of()).getFirst().verdict());
        Files.createDirectories(folder.resolve("systemd/timesync"));
        assertSays(Verdict.ADVICE, "has not set it", look(later, Map.of()).getFirst());
    }
}
