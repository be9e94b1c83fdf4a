package org.lrwp.osp.cdr;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.lrwp.osp.cdr.CdrEntry.Table;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A connection to the database of records, whose schema is brought up to date. For one thread. */
public final class CdrDatabase implements AutoCloseable {
    private static final String SQLITE = "jdbc:sqlite:";

    /** The order of the index that tells rows apart. */
    private static final Comparator<CdrEntry> BY_KEY =
            Comparator.comparing(entry -> entry.values().getFirst());

    /** Tells at each opening that there is nothing to do; held, or its level would be forgotten. */
    private static final Logger SCHEMA_LOG = Logger.getLogger("org.flywaydb");

    static {
        SCHEMA_LOG.setLevel(Level.WARNING);
    }

    private final Connection connection;

    /**
     * Where the database is.
     *
     * @param url a JDBC address of SQLite or PostgreSQL
     * @param user who connects; empty for SQLite
     * @param password its password; may be empty
     */
    public record Address(String url, String user, String password) {
        /** Whether it is a file of this process rather than a server. */
        boolean isEmbedded() {
            return url.startsWith(SQLITE);
        }

        /** The password stays out of it. */
        @Override
        public String toString() {
            return url;
        }
    }

    private CdrDatabase(Connection connection) {
        this.connection = connection;
    }

    /**
     * Opens the database; blocks.
     *
     * @param address where it is
     * @return the connection; the caller closes it
     * @throws SQLException when it cannot be reached or its schema cannot be brought up to date
     */
    public static CdrDatabase open(Address address) throws SQLException {
        migrate(address);
        return connect(address);
    }

    /**
     * Connects to a database that has been opened before, which costs less; blocks.
     *
     * @param address where it is
     * @return the connection; the caller closes it
     * @throws SQLException when it cannot be reached
     */
    public static CdrDatabase connect(Address address) throws SQLException {
        Properties properties = new Properties();
        if (address.isEmbedded()) {
            properties.setProperty("journal_mode", "WAL");
            properties.setProperty("synchronous", "FULL");
            properties.setProperty("busy_timeout", "10000");
        } else {
            properties.setProperty("user", address.user());
            properties.setProperty("password", address.password());
            properties.setProperty("connectTimeout", "5");
            properties.setProperty("socketTimeout", "30");
        }
        Connection connection = DriverManager.getConnection(address.url(), properties);
        connection.setAutoCommit(false);
        return new CdrDatabase(connection);
    }

    private static void migrate(Address address) throws SQLException {
        try {
            Flyway.configure(CdrDatabase.class.getClassLoader())
                    .dataSource(address.url(), address.user(), address.password())
                    .locations("classpath:org/lrwp/osp/cdr/migration")
                    .table("osp_schema")
                    // Scripts that were applied may have become repeatable since.
                    .validateOnMigrate(false)
                    .load()
                    .migrate();
        } catch (FlywayException failed) {
            throw new SQLException("the schema cannot be brought up to date", failed);
        }
    }

    /**
     * Returns the connection.
     *
     * @return in a transaction; this class closes it
     */
    public Connection connection() {
        return connection;
    }

    /**
     * Adds entries in one transaction; those that are there already stay as they are. Fingerprints
     * are in no order, so in the order they came each row would be another page of their index.
     */
    void add(List<CdrEntry> entries) throws SQLException {
        List<CdrEntry> sorted = new ArrayList<>(entries);
        sorted.sort(BY_KEY);
        Map<Table, PreparedStatement> inserts = new EnumMap<>(Table.class);
        try {
            for (CdrEntry each : sorted) {
                PreparedStatement insert = inserts.get(each.table());
                if (insert == null) {
                    insert = connection.prepareStatement(sql(each.table()));
                    inserts.put(each.table(), insert);
                }
                for (int i = 0; i < each.values().size(); i++) {
                    // PostgreSQL has no text with a zero byte.
                    insert.setString(i + 1, each.values().get(i).replace("\0", ""));
                }
                insert.addBatch();
            }
            for (PreparedStatement each : inserts.values()) {
                each.executeBatch();
            }
            connection.commit();
        } finally {
            for (PreparedStatement each : inserts.values()) {
                each.close();
            }
        }
    }

    private static String sql(Table table) {
        String key = table.columns().substring(0, table.columns().indexOf(','));
        return "insert into "
                + table.sqlName()
                + " ("
                + table.columns()
                + ") values ("
                + String.join(", ", Collections.nCopies(table.width(), "?"))
                + ") on conflict ("
                + key
                + ") do nothing";
    }

    /** Removes what is older than a time, written as in the records. */
    int removeBefore(String time) throws SQLException {
        int removed = 0;
        for (String sql :
                List.of(
                        "delete from osp_usage where received < ?",
                        "delete from osp_authorised where issued < ?")) {
            try (PreparedStatement delete = connection.prepareStatement(sql)) {
                delete.setString(1, time);
                removed += delete.executeUpdate();
            }
        }
        connection.commit();
        return removed;
    }

    /** Whether it answers. */
    boolean answers() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
            connection.commit();
            return true;
        } catch (SQLException gone) {
            return false;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
