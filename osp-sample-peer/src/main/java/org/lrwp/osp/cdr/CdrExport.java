package org.lrwp.osp.cdr;

import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.lrwp.runtime.json.Json;

import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Writes records of a span of time as text. */
public final class CdrExport {
    private static final int FETCH = 1_000;

    /** Full-width signs are signs too. Space in front is passed over by some. */
    private static final Pattern FORMULA =
            Pattern.compile("^[\\s\\p{Cntrl}]*[=+@\\-\uff1d\uff0b\uff0d\uff20]|^[\\t\\r\\n]");

    private static final Pattern NUMBER = Pattern.compile("[+-][0-9]+(\\.[0-9]+)?");

    /** How records are written. */
    public enum Format {
        /** Comma separated values, the first line with the names. */
        CSV,
        /** An object of JSON in each line. */
        JSONL
    }

    private CdrExport() {}

    /**
     * Writes records.
     *
     * @param database where they are
     * @param from the first time, as in the records; inclusive
     * @param to the last time; exclusive
     * @param format how
     * @param out takes the text
     * @return how many were written
     * @throws SQLException when the database fails
     * @throws IOException when they cannot be written
     */
    public static long write(
            CdrDatabase database, String from, String to, Format format, Appendable out)
            throws SQLException, IOException {
        String sql =
                "select * from osp_cdr where received >= ? and received < ?"
                        + " order by received, fingerprint";
        try (PreparedStatement select = database.connection().prepareStatement(sql)) {
            select.setFetchSize(FETCH);
            select.setString(1, from);
            select.setString(2, to);
            try (ResultSet rows = select.executeQuery()) {
                return format == Format.CSV ? csv(rows, out) : json(rows, out);
            }
        }
    }

    private static long csv(ResultSet rows, Appendable out) throws SQLException, IOException {
        CSVPrinter printer = new CSVPrinter(out, CSVFormat.DEFAULT);
        printer.printRecord(names(rows));
        long count = 0;
        for (; rows.next(); count++) {
            printer.printRecord(texts(rows).stream().map(CdrExport::withoutFormula).toList());
        }
        printer.flush();
        return count;
    }

    /**
     * What clients send must not be computed by the program that shows it: text that a spreadsheet
     * takes for a formula gets an apostrophe in front. A number with its sign is only a number.
     */
    private static String withoutFormula(String text) {
        return FORMULA.matcher(text).find() && !NUMBER.matcher(text).matches() ? "'" + text : text;
    }

    private static long json(ResultSet rows, Appendable out) throws SQLException, IOException {
        List<String> names = names(rows);
        long count = 0;
        for (; rows.next(); count++) {
            List<String> texts = texts(rows);
            out.append(
                    Json.object(
                            json -> {
                                // A console may write in any character set.
                                json.setHighestNonEscapedChar('~');
                                for (int i = 0; i < names.size(); i++) {
                                    json.writeStringField(names.get(i), texts.get(i));
                                }
                            }));
            out.append('\n');
        }
        return count;
    }

    private static List<String> names(ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            names.add(columns.getColumnLabel(i));
        }
        return names;
    }

    private static List<String> texts(ResultSet rows) throws SQLException {
        int count = rows.getMetaData().getColumnCount();
        List<String> texts = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            texts.add(Objects.requireNonNullElse(rows.getString(i), ""));
        }
        return texts;
    }
}
