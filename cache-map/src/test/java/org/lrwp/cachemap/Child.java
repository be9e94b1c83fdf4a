package org.lrwp.cachemap;

import org.lrwp.files.PrivateFile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process of its own that uses a map. */
final class Child {
    static final int KEYS = 20_000;

    /** Many more than processors: those that do not run are mostly stopped inside a put. */
    private static final int WRITERS = 16;

    private Child() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "open" -> open(CacheMapConfig.of(file, 1 << 20));
            case "hold" -> hold(file);
            default -> write(file, Path.of(arguments[2]));
        }
    }

    /** Says what opening says. */
    static String open(Path file) throws Exception {
        Process child = start("open", file.toString());
        try (BufferedReader out = output(child)) {
            return out.readLine();
        } finally {
            child.waitFor();
        }
    }

    /** Starts a process that has the file open, with the entry 1, until it is killed. */
    static Process holding(Path file) throws Exception {
        Process child = start("hold", file.toString());
        if (!"held".equals(output(child).readLine())) {
            throw new IOException("the child does not hold the file");
        }
        return child;
    }

    static BufferedReader output(Process child) {
        return new BufferedReader(
                new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII));
    }

    static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(classPath());
        command.add(Child.class.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** The classes of the map and of its tests, for a process of its own. */
    static String classPath() {
        return Stream.of(CacheMap.class, Child.class, PrivateFile.class)
                .map(Child::location)
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String location(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    private static void open(CacheMapConfig config) {
        try (CacheMap map = CacheMap.open(config)) {
            System.out.println("opened " + map.recovery().counts().kept());
        } catch (CacheFileException e) {
            System.out.println(String.valueOf(e.getMessage()).replaceAll(".*/map is ", ""));
        }
    }

    private static void hold(Path file) throws Exception {
        CacheMap map = CacheMap.open(CacheMapConfig.of(file, 1 << 20));
        map.put(1, new byte[] {1});
        System.out.println("held");
        System.in.read();
        map.close();
    }

    static CacheMapConfig large(Path file) {
        return CacheMapConfig.of(file, 64 << 20).withSegmentSize(1 << 18);
    }

    /** Writes for ever, each thread on keys of its own; a version is noted after its put. */
    private static void write(Path file, Path notes) throws Exception {
        CacheMap map = CacheMap.open(large(file));
        ByteBuffer versions;
        try (FileChannel channel =
                FileChannel.open(notes, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            versions =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, KEYS * 4L)
                            .order(ByteOrder.nativeOrder());
        }
        System.out.println("writing");
        for (int thread = 0; thread < WRITERS; thread++) {
            int own = thread;
            Thread.ofPlatform()
                    .start(
                            () -> {
                                Random random = new Random();
                                while (true) {
                                    int key = random.nextInt(KEYS / WRITERS) * WRITERS + own;
                                    int version = versions.getInt(key * 4) + 1;
                                    map.put(key, value(key, version));
                                    versions.putInt(key * 4, version);
                                }
                            });
        }
    }

    /**
     * A value that only this version of this key has. Every other key's values are of one size, and
     * are written in the place of the one before.
     */
    static byte[] value(int key, int version) {
        long seed = KeyHash.mix(key, version);
        long size = key % 2 == 0 ? seed : KeyHash.mix(key, 0);
        byte[] value = new byte[8 + (int) (size & 511)];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) (seed >>> ((i & 7) * 8));
            value[i] += (byte) (i >> 3);
        }
        return value;
    }
}
