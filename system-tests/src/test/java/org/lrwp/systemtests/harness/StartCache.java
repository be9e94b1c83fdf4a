package org.lrwp.systemtests.harness;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a virtual machine has kept of one start of the server, with which each further start takes
 * 1.5 s less of a processor; {@code ./lrwp} has one too. Made once for a build, by the first test
 * that starts a server; whoever comes meanwhile waits for it.
 */
final class StartCache {
    private static final System.Logger LOG = System.getLogger(StartCache.class.getName());
    private static final Duration LONGEST = Duration.ofMinutes(2);

    /** What this machine of tests has found; null before it has looked. Guarded by the class. */
    private static @Nullable List<String> found;

    private StartCache() {}

    /**
     * The options of a server's virtual machine that use it.
     *
     * @param jar the server
     * @param command its program and options, without those of the cache
     * @return none where it cannot be made
     */
    static synchronized List<String> options(Path jar, List<String> command) throws IOException {
        if (found == null) {
            found = find(jar, command);
        }
        return found;
    }

    private static List<String> find(Path jar, List<String> command) throws IOException {
        Path cache = Project.built().resolve("server-start.aot");
        try (var lock = new RandomAccessFile(Project.built() + "/server-start.lock", "rw");
                FileLock held = lock.getChannel().lock()) {
            boolean isOld =
                    !Files.exists(cache)
                            || Files.getLastModifiedTime(cache)
                                            .compareTo(Files.getLastModifiedTime(jar))
                                    < 0;
            if (isOld && held.isValid()) {
                make(cache, command);
            }
        }
        return Files.size(cache) == 0
                ? List.of()
                : List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off", "-Xlog:cds*=off");
    }

    /** Starts a server and ends it: at its end it writes the file. An empty one says it did not. */
    private static void make(Path cache, List<String> command) throws IOException {
        Path folder = Files.createTempDirectory(Project.target(), "start");
        Path made = folder.resolve("cache");
        List<Integer> ports = FreePorts.several(2);
        List<String> training = new ArrayList<>(command);
        training.add(1, "-XX:AOTCacheOutput=" + made);
        training.addAll(
                List.of("--http-port", "" + ports.get(0), "--lrwp-port", "" + ports.get(1)));
        training.addAll(List.of("--log-file", folder.resolve("log").toString()));
        training.addAll(List.of("--container", "start"));
        ProcessBuilder builder = new ProcessBuilder(training).redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("LRWP_"));
        Process server = builder.start();
        try (var lines = server.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains(" is ready after ")) {
                    // By its handle: the process itself would close what it prints.
                    server.toHandle().destroy();
                }
            }
            if (!server.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (Files.exists(made)) {
            Files.move(made, cache, StandardCopyOption.REPLACE_EXISTING);
        } else {
            LOG.log(System.Logger.Level.WARNING, "servers start without a cache");
            Files.write(cache, new byte[0]);
        }
    }
}
