package org.lrwp.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The classes of a web application outside of a container, in a temporary folder until closed. */
final class WarClasses implements AutoCloseable {
    private static final String CLASSES = "WEB-INF/classes/";
    private static final String LIBRARIES = "WEB-INF/lib/";

    private final Path folder;
    private final URLClassLoader loader;

    private WarClasses(Path folder, URLClassLoader loader) {
        this.folder = folder;
        this.loader = loader;
    }

    static WarClasses open(Path war) throws IOException {
        Path folder = Files.createTempDirectory("lrwp-check");
        boolean complete = false;
        try {
            List<URL> places = unpack(war, folder);
            URL[] all = places.toArray(URL[]::new);
            var classes =
                    new WarClasses(
                            folder, new URLClassLoader(all, ClassLoader.getPlatformClassLoader()));
            complete = true;
            return classes;
        } finally {
            if (!complete) {
                remove(folder);
            }
        }
    }

    private static List<URL> unpack(Path war, Path folder) throws IOException {
        List<URL> places = new ArrayList<>();
        Path classes = Files.createDirectories(folder.resolve(CLASSES));
        places.add(classes.toUri().toURL());
        try (InputStream in = Files.newInputStream(war);
                ZipInputStream entries = new ZipInputStream(in)) {
            for (ZipEntry entry = entries.getNextEntry();
                    entry != null;
                    entry = entries.getNextEntry()) {
                String name = entry.getName();
                Path target = folder.resolve(name).normalize();
                boolean wanted = name.startsWith(CLASSES) || name.startsWith(LIBRARIES);
                if (entry.isDirectory() || !wanted || !target.startsWith(folder)) {
                    continue;
                }
                Files.createDirectories(target.resolveSibling("."));
                Files.copy(entries, target);
                if (name.startsWith(LIBRARIES)) {
                    places.add(target.toUri().toURL());
                }
            }
        }
        return places;
    }

    /** Loads the application's classes; of this program it sees none. */
    ClassLoader loader() {
        return loader;
    }

    @Override
    public void close() throws IOException {
        loader.close();
        remove(folder);
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
