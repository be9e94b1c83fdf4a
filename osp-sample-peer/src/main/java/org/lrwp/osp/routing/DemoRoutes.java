package org.lrwp.osp.routing;

import org.lrwp.osp.file.PrivateFiles;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The numbering plan of the public OSP test server as tables: the first digit of the called number
 * is the number of destinations, {@code 1.1.1.1} to {@code 8.8.8.8}; 0 is blocked, and to 9 there
 * is no route.
 */
public final class DemoRoutes {
    private static final List<TableName> TABLES =
            List.of(
                    TableName.DEVICES,
                    TableName.DESTINATIONS,
                    TableName.PREFIXES,
                    TableName.BLOCKED);

    private DemoRoutes() {}

    /**
     * Writes the tables into a folder, to be changed there.
     *
     * @param folder the folder; made when it does not exist
     * @throws IOException when a file exists or cannot be written
     */
    public static void write(Path folder) throws IOException {
        PrivateFiles.makeFolder(folder);
        for (TableName table : TABLES) {
            try (InputStream content =
                    Objects.requireNonNull(
                            DemoRoutes.class.getResourceAsStream("demo/" + table.file()))) {
                PrivateFiles.create(folder.resolve(table.file()));
                Files.write(folder.resolve(table.file()), content.readAllBytes());
            }
        }
    }
}
