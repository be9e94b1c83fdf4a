import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

// The timed fuzzing of a module's build: runs Jazzer in a JVM of its own.
//
// Classes that have already been fuzzed for as long without a finding are not fuzzed again; a clean build always fuzzes.
// The corpus grows in fuzz/corpus of the build folder; findings are left beside it.
//
// Arguments: the build folder, the time in seconds (0 for none), the target class, the packages it is to explore, the most
// bytes of an input, the class path.

void main(String[] args) throws Exception {
    Path build = Path.of(args[0]);
    int seconds = Integer.parseInt(args[1]);
    if (seconds <= 0) {
        System.out.println("fuzz.skipped seconds=" + seconds);
        return;
    }
    Path passed = Files.createDirectories(build.resolve("fuzz")).resolve("passed");
    String digest = digest(build) + " " + seconds;
    if (Files.exists(passed) && Files.readString(passed).equals(digest)) {
        System.out.println("fuzz.skipped reason=unchanged");
        return;
    }
    int code = fuzz(build, seconds, args);
    if (code != 0) {
        System.exit(code);
    }
    Files.writeString(passed, digest);
}

int fuzz(Path build, int seconds, String[] args) throws IOException, InterruptedException {
    Path folder = build.resolve("fuzz").toAbsolutePath();
    Path corpus = Files.createDirectories(folder.resolve("corpus"));
    Path log = folder.resolve("log.txt");
    var command =
            List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+EnableDynamicAgentLoading",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-Xshare:off",
                    "-Xmx512m",
                    "-Dfuzz.corpus=" + corpus,
                    "-classpath",
                    args[5],
                    "com.code_intelligence.jazzer.Jazzer",
                    "--target_class=" + args[2],
                    "--instrumentation_includes=" + args[3],
                    "--reproducer_path=" + folder,
                    "-artifact_prefix=" + folder + "/",
                    "-max_len=" + args[4],
                    "-timeout=10",
                    "-print_final_stats=1",
                    "-max_total_time=" + seconds,
                    corpus.toString());
    Process process =
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
    boolean ended = process.waitFor(seconds + 120L, TimeUnit.SECONDS);
    if (!ended) {
        process.destroyForcibly();
    }
    int code = ended ? process.exitValue() : 1;
    report(log, code == 0);
    return code;
}

void report(Path log, boolean passed) throws IOException {
    String text = Files.readString(log, StandardCharsets.ISO_8859_1);
    text.lines()
            .filter(line -> !passed || line.startsWith("stat::"))
            .forEach(System.out::println);
}

String digest(Path build) throws IOException, NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (String folder : List.of("classes", "test-classes")) {
        try (Stream<Path> files = Files.walk(build.resolve(folder))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                digest.update(file.toString().getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(file));
            }
        }
    }
    return HexFormat.of().formatHex(digest.digest());
}
