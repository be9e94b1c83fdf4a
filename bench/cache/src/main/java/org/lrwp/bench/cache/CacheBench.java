package org.lrwp.bench.cache;

import java.nio.file.Path;
import java.util.Locale;

/** Measures one thing and prints a line for each figure. */
public final class CacheBench {
    private CacheBench() {}

    /**
     * Measures.
     *
     * @param arguments {@code operations CACHE FOLDER BYTES KEYS SECONDS THREADS,...}, {@code ratio
     *     FOLDER REQUESTS}, {@code fill FILE BYTES SHARE}, {@code open FILE BYTES} or {@code images
     *     PORT FILE BYTES FOLDER}
     * @throws Exception when it cannot be measured
     */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "operations" -> operations(arguments);
            case "ratio" -> HitRatios.print(Path.of(arguments[1]), number(arguments[2]));
            case "fill" ->
                    Opening.fill(
                            Path.of(arguments[1]),
                            Long.parseLong(arguments[2]),
                            Double.parseDouble(arguments[3]));
            case "open" -> Opening.open(Path.of(arguments[1]), Long.parseLong(arguments[2]));
            case "images" ->
                    OneNioImages.serve(
                            number(arguments[1]),
                            Path.of(arguments[2]),
                            Long.parseLong(arguments[3]),
                            Path.of(arguments[4]));
            default -> throw new IllegalArgumentException("there is no part " + arguments[0]);
        }
        // Some caches leave threads behind.
        System.exit(0);
    }

    private static int number(String text) {
        return Integer.parseInt(text);
    }

    private static void operations(String[] arguments) throws Exception {
        String name = arguments[1];
        int keys = number(arguments[4]);
        double seconds = Double.parseDouble(arguments[5]);
        Values values = new Values();
        long before = heap();
        try (Store store =
                Stores.of(name, Path.of(arguments[2]), Long.parseLong(arguments[3]), keys)) {
            Workload workload = new Workload(store, values, keys);
            workload.fill();
            System.out.println("cache " + name + " heap=" + ((heap() - before) >> 20));
            for (Workload.Kind kind : Workload.Kind.values()) {
                workload.run(kind, 2, seconds);
            }
            for (String threads : arguments[6].split(",", -1)) {
                for (Workload.Kind kind : Workload.Kind.values()) {
                    print(name, kind, threads, workload.run(kind, number(threads), seconds));
                }
            }
            System.out.println("content " + name + " wrong=" + workload.wrongValues());
        }
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void print(
            String name, Workload.Kind kind, String threads, Workload.Result result) {
        System.out.printf(
                Locale.ROOT,
                "operation %s %s threads=%s cpu-nanos=%.1f rate=%.0f hits=%.4f wrong=%d p50=%d"
                        + " p999=%d%n",
                name,
                kind.name().toLowerCase(Locale.ROOT),
                threads,
                result.nanos(),
                result.rate(),
                result.hits(),
                result.wrong(),
                result.median(),
                result.p999());
    }
}
