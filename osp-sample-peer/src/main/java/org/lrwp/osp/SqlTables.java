package org.lrwp.osp;

import org.lrwp.osp.cdr.CdrDatabase;
import org.lrwp.osp.routing.TableName;
import org.lrwp.osp.routing.TableSource;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Routing tables in the database of the records. */
final class SqlTables implements TableSource {
    private static final int FETCH = 10_000;

    private final CdrDatabase.Address address;
    private volatile boolean opened;

    SqlTables(CdrDatabase.Address address) {
        this.address = address;
    }

    /** The schema is looked at once; the server asks for the version every 2 seconds. */
    private CdrDatabase database() throws SQLException {
        if (opened) {
            return CdrDatabase.connect(address);
        }
        CdrDatabase database = CdrDatabase.open(address);
        opened = true;
        return database;
    }

    @Override
    public boolean read(TableName table, RowTaker taker) throws IOException {
        try (CdrDatabase database = database();
                Statement select = database.connection().createStatement()) {
            select.setFetchSize(FETCH);
            try (ResultSet rows =
                    select.executeQuery("select " + columns(table) + " from " + table.sql())) {
                for (long row = 1; rows.next(); row++) {
                    List<String> values = new ArrayList<>();
                    for (int i = 1; i <= table.columns().size(); i++) {
                        String value = rows.getString(i);
                        values.add(value == null ? "" : value.strip());
                    }
                    taker.take(row, values);
                }
            }
            return true;
        } catch (SQLException failed) {
            throw new IOException(table.sql() + " cannot be read: " + failed.getMessage(), failed);
        }
    }

    @Override
    public String place(TableName table, long place) {
        return table.sql() + " row " + place;
    }

    @Override
    public Object state() {
        try (CdrDatabase database = database();
                Statement select = database.connection().createStatement();
                ResultSet row = select.executeQuery("select version from osp_routes_version")) {
            return row.next() ? List.of(String.valueOf(row.getString(1))) : List.of();
        } catch (SQLException failed) {
            return List.of("unreachable");
        }
    }

    /** Puts all rows of another source in the place of those that are there; how many. */
    long replaceWith(TableSource source) throws SQLException, IOException {
        try (CdrDatabase database = database()) {
            Connection connection = database.connection();
            long count = 0;
            for (TableName table : TableName.values()) {
                try (Statement delete = connection.createStatement()) {
                    delete.executeUpdate("delete from " + table.sql());
                }
                count += copy(source, table, connection);
            }
            try (Statement update = connection.createStatement()) {
                update.executeUpdate("update osp_routes_version set version = version + 1");
            }
            connection.commit();
            return count;
        }
    }

    private static long copy(TableSource source, TableName table, Connection connection)
            throws SQLException, IOException {
        long[] count = new long[1];
        String marks = String.join(", ", Collections.nCopies(table.columns().size(), "?"));
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "insert into %s (%s) values (%s)"
                                .formatted(table.sql(), columns(table), marks))) {
            source.read(
                    table,
                    (place, values) -> {
                        try {
                            for (int i = 0; i < values.size(); i++) {
                                insert.setString(i + 1, values.get(i));
                            }
                            insert.addBatch();
                            if (++count[0] % FETCH == 0) {
                                insert.executeBatch();
                            }
                        } catch (SQLException failed) {
                            throw new IOException(failed);
                        }
                    });
            insert.executeBatch();
        }
        return count[0];
    }

    private static String columns(TableName table) {
        return String.join(", ", table.columns().stream().map(TableName::sqlColumn).toList());
    }
}
