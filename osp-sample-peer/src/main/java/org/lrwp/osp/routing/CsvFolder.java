package org.lrwp.osp.routing;

import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.lrwp.files.FileStamp;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Tables as CSV files in a folder, the first line with the names of the columns. */
public final class CsvFolder implements TableSource {
    private static final CSVFormat FORMAT =
            CSVFormat.DEFAULT
                    .builder()
                    .setIgnoreSurroundingSpaces(true)
                    .setIgnoreEmptyLines(true)
                    .get();

    private final Path folder;

    /**
     * Creates the source.
     *
     * @param folder the folder
     */
    public CsvFolder(Path folder) {
        this.folder = folder;
    }

    @Override
    public boolean read(TableName table, RowTaker taker) throws IOException {
        Path file = folder.resolve(table.file());
        if (!Files.exists(file)) {
            return false;
        }
        try (Reader reader = Files.newBufferedReader(file);
                CSVParser parser = CSVParser.parse(reader, FORMAT)) {
            int[] places = null;
            for (CSVRecord each : parser) {
                long line = parser.getCurrentLineNumber();
                if (isRemark(each)) {
                    continue;
                }
                if (places == null) {
                    places = places(table, each);
                } else if (each.size() > places.length) {
                    throw new IOException(
                            place(table, line) + ": more values than the first line has names");
                } else {
                    taker.take(line, new Values(each, places, table.columns().size()));
                }
            }
            if (places == null) {
                // An empty table has the names still; a file without is one that lost its content.
                throw new IOException(table.file() + ": there is no line with the columns' names");
            }
            return true;
        } catch (CSVException | UncheckedIOException broken) {
            throw new IOException(file + " is no CSV file: " + broken.getMessage(), broken);
        }
    }

    /** Lines that begin with two slashes; a number sign can begin a prefix. */
    private static boolean isRemark(CSVRecord each) {
        return each.get(0).startsWith("//");
    }

    /** For each value of a line, which column it is of. */
    private static int[] places(TableName table, CSVRecord names) throws IOException {
        for (String each : table.neededColumns()) {
            if (!names.toList().contains(each)) {
                throw new IOException(table.file() + ": the column '" + each + "' is missing");
            }
        }
        Set<String> seen = new HashSet<>();
        for (String each : names) {
            if (!seen.add(each)) {
                throw new IOException(table.file() + ": the column '" + each + "' stands twice");
            }
        }
        int[] places = new int[names.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = table.columns().indexOf(names.get(i));
            if (places[i] < 0) {
                throw new IOException(
                        table.file()
                                + ": there is no column '"
                                + names.get(i)
                                + "', but "
                                + String.join(", ", table.columns()));
            }
        }
        return places;
    }

    /** A record in the order of the table's columns. */
    private static final class Values extends AbstractList<String> {
        private final String[] values;

        Values(CSVRecord record, int[] places, int size) {
            values = new String[size];
            Arrays.fill(values, "");
            for (int i = 0; i < record.size(); i++) {
                values[places[i]] = record.get(i);
            }
        }

        @Override
        public String get(int index) {
            return values[index];
        }

        @Override
        public int size() {
            return values.length;
        }
    }

    @Override
    public String place(TableName table, long place) {
        return table.file() + ":" + place;
    }

    @Override
    public Object state() {
        return Arrays.stream(TableName.values())
                .map(table -> FileStamp.of(folder.resolve(table.file())))
                .toList();
    }
}
