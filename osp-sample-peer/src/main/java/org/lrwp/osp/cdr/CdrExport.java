package org.lrwp.osp.cdr;

import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/** Writes records of a span of time as text. */
public final class CdrExport {
    private static final int FETCH = 1_000;

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
        ResultSetMetaData names = rows.getMetaData();
        CSVPrinter printer = new CSVPrinter(out, CSVFormat.DEFAULT);
        for (int i = 1; i <= names.getColumnCount(); i++) {
            printer.print(names.getColumnLabel(i));
        }
        printer.println();
        long count = 0;
        while (rows.next()) {
            for (int i = 1; i <= names.getColumnCount(); i++) {
                printer.print(text(rows, i));
            }
            printer.println();
            count++;
        }
        printer.flush();
        return count;
    }

    private static long json(ResultSet rows, Appendable out) throws SQLException, IOException {
        ResultSetMetaData names = rows.getMetaData();
        long count = 0;
        while (rows.next()) {
            for (int i = 1; i <= names.getColumnCount(); i++) {
                out.append(i == 1 ? "{" : ",");
                string(names.getColumnLabel(i), out);
                out.append(':');
                string(text(rows, i), out);
            }
            out.append("}\n");
            count++;
        }
        return count;
    }

    private static String text(ResultSet rows, int column) throws SQLException {
        String text = rows.getString(column);
        return text == null ? "" : text;
    }

    private static void string(String text, Appendable out) throws IOException {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
