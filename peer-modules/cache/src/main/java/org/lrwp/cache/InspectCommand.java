package org.lrwp.cache;

import org.lrwp.cachemap.CacheFileInspector;
import org.lrwp.cachemap.CacheFileInspector.Inspection;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Prints what a cache file holds; reads only, also beside its owner. */
final class InspectCommand {
    private static final int DAMAGED = 1;
    private static final int UNUSABLE = 2;

    private final PrintStream out;
    private final PrintStream errors;

    InspectCommand(PrintStream out, PrintStream errors) {
        this.out = out;
        this.errors = errors;
    }

    /** Looks at the file that the command line names; returns the exit code. */
    int run(String... arguments) {
        if (arguments.length != 1 || arguments[0].startsWith("-")) {
            errors.println("usage: cache-peer inspect FILE");
            return UNUSABLE;
        }
        Path file = Path.of(arguments[0]);
        try {
            Inspection seen = CacheFileInspector.inspect(file);
            print(file, seen);
            return seen.isSound() ? 0 : DAMAGED;
        } catch (NoSuchFileException e) {
            errors.println(file + " does not exist");
        } catch (IOException e) {
            errors.println(e.getMessage());
        }
        return UNUSABLE;
    }

    private void print(Path file, Inspection seen) {
        line("file", file);
        line("bytes", seen.size());
        line("segments", seen.segments() + " of " + seen.segmentSize() + " bytes");
        line("owner", (seen.closed() ? "closed by process " : "process ") + seen.process());
        line("entries", seen.entries());
        line("live bytes", seen.liveBytes() + " (" + percent(seen.liveBytes(), seen) + ")");
        line("used bytes", seen.usedBytes() + " (" + percent(seen.usedBytes(), seen) + ")");
        line("hits", seen.hits());
        line("misses", seen.misses());
        long reads = seen.hits() + seen.misses();
        line("hit ratio", reads == 0 ? "-" : decimal((double) seen.hits() / reads));
        List<Long> written = seen.written();
        for (int i = 0; i < written.size(); i++) {
            String which = i == 0 ? "oldest" : i == 10 ? "newest" : i * 10 + " % before";
            line("written, " + which, Instant.ofEpochSecond(written.get(i)));
        }
        line("segments in a change", seen.tornSegments());
        line("damaged entries", seen.damagedEntries());
        line("damaged stretches", seen.damagedStretches());
    }

    private void line(String name, Object value) {
        out.printf(Locale.ROOT, "%-22s %s%n", name, value);
    }

    private static String percent(long bytes, Inspection seen) {
        return String.format(Locale.ROOT, "%.1f %%", 100.0 * bytes / seen.capacity());
    }

    private static String decimal(double ratio) {
        return String.format(Locale.ROOT, "%.4f", ratio);
    }
}
